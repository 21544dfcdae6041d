/* Values of a running program.
 *
 * A lang_value owns what it holds; copying the struct moves it. Whatever Rust can borrow
 * lives in a lang_cell of its own: names, fields, elements, temporaries. A reference is a
 * counted pointer to a cell, so it never dangles: when Rust would have refused a program,
 * because what it refers to was moved or dropped, the state of the cell says so. */
#ifndef BACKENDS_LANG_VALUE_H
#define BACKENDS_LANG_VALUE_H

#include "backends/core/core.h"
#include "backends/lang/ast.h"
#include "harness/model/value.h"

/* Deeper values cannot be typed in the subset; the bound keeps walking them safe. */
#define LANG_MAX_VALUE_DEPTH 64
/* More elements than this in one list, nested ones counted, are refused; tensors hold the
 * large data. */
#define LANG_MAX_ITEMS ((size_t)1 << 20)

typedef enum lang_kind {
    LANG_UNIT,
    LANG_BOOL,   /* boolean */
    LANG_NUMBER, /* number */
    LANG_TEXT,   /* text: String, or &str when `copy` is set */
    LANG_ERROR,  /* text: candle's Error */
    LANG_CORE,   /* core: whatever belongs to candle */
    LANG_LIST,   /* items: Vec, or an array or slice when `copy` is set */
    LANG_TUPLE,  /* items */
    LANG_STRUCT, /* items, of items->type */
    LANG_OK,     /* items[0] */
    LANG_ERR,    /* items[0] */
    LANG_SOME,   /* items[0] */
    LANG_NONE,
    LANG_RANGE,   /* items[0], items[1]: the ends, unit where left out; `inclusive` */
    LANG_REF,     /* cell; `mutable` */
    LANG_CLOSURE, /* closure */
    LANG_FN,      /* fn, or method when that is NULL: a function used as a value */
    LANG_ITER,    /* iter */
    LANG_HOST,    /* host: what value() gives, shared */
    LANG_MIB,     /* mib */
} lang_kind;

typedef struct lang_value lang_value;
typedef struct lang_cell lang_cell;
typedef struct lang_items lang_items;
typedef struct lang_closure lang_closure;
typedef struct lang_iter lang_iter;

typedef struct lang_host {
    size_t refs;
    parity_value *value;
} lang_host;

struct lang_value {
    lang_kind kind;
    bool copy;
    bool mutable;
    bool inclusive;
    union {
        bool boolean;
        lang_number number;
        struct {
            char *data; /* NUL-terminated, may contain NUL */
            size_t length;
        } text;
        core_value core;
        lang_items *items;
        lang_cell *cell;
        lang_closure *closure;
        struct {
            const lang_fn *fn;
            const core_method *method;
        };
        lang_iter *iter;
        lang_host *host;
        double mib;
    };
};

typedef enum lang_state {
    LANG_EMPTY, /* declared without a value */
    LANG_LIVE,
    LANG_MOVED,
    LANG_DROPPED,
} lang_state;

struct lang_cell {
    size_t refs;
    lang_state state;
    const lang_type *type; /* as declared for the name or field, or NULL */
    lang_value value;
};

struct lang_items {
    size_t count;
    size_t capacity;
    size_t total; /* elements within elements counted, as noted when they came */
    unsigned depth;
    const lang_struct_type *type; /* of a STRUCT */
    const lang_type *element;     /* of a LIST, as declared, or NULL */
    bool untyped; /* of a LIST that was made empty: nothing has said what its elements are
                   */
    lang_cell **cells;
};

/* The result of a closure and its parameters whose numbers are kept. */
#define LANG_MAX_SEEN 5

/* What a closure uses of its surroundings: the cells themselves, or, of a `move` closure,
 * its own. */
typedef struct lang_binding {
    const char *name; /* NULL: an extended temporary */
    lang_cell *cell;
} lang_binding;

struct lang_closure {
    size_t refs;
    unsigned depth;
    const lang_expr *expr;
    const lang_block *home;
    const char *self_type;
    lang_binding *captured;
    size_t ncaptured;
    /* the numbers that the first calls gave back and were given, which those of other
     * calls must agree with; and code that did not run and may call it */
    lang_value seen[LANG_MAX_SEEN];
    lang_doubt *doubts;
};

typedef enum lang_iter_kind {
    LANG_ITER_ITEMS, /* values: elements by reference or value */
    LANG_ITER_RANGE, /* next, end */
    LANG_ITER_MAP,
    LANG_ITER_ENUMERATE,
    LANG_ITER_ZIP,
    LANG_ITER_REV,
} lang_iter_kind;

struct lang_iter {
    lang_iter_kind kind;
    unsigned depth;
    lang_value inner; /* LIST of what is to come, ITER, or RANGE */
    lang_value other; /* closure of MAP, second iterator of ZIP */
    size_t next;
};

static inline lang_value lang_unit(void)
{
    return (lang_value){.kind = LANG_UNIT};
}
lang_value lang_bool(bool boolean);
lang_value lang_num(lang_number number);
lang_value lang_usize(size_t number);
lang_value lang_text(const char *data, size_t length, bool copy); /* copies */
lang_value lang_error_text(const char *text);                     /* LANG_ERROR */
lang_value lang_core(core_value value);             /* takes; wraps as it is */
lang_value lang_ref(lang_cell *cell, bool mutable); /* counts the cell up */
/* OK, ERR, SOME: takes the value. */
lang_value lang_wrap(lang_kind kind, lang_value value);
/* LIST, TUPLE, STRUCT, RANGE without items. */
lang_value lang_container(lang_kind kind, bool copy);
/* Takes the item. False, and the item is dropped, when there are too many or it nests too
 * deep. */
bool lang_push(lang_value *container, lang_value item);
lang_cell *lang_item(const lang_value *container,
                     size_t index); /* borrowed; must exist */
size_t lang_count(const lang_value *container);

/* Drops as the end of a scope does; leaves unit. */
void lang_clear(lang_value *value);
/* As Rust's clone() where that is meant. NULL, or why it cannot be. */
const char *lang_clone(lang_value *out, const lang_value *value);
/* How deep it nests, as noted when it was made. */
unsigned lang_noted_depth(const lang_value *value);
/* How deep it really nests, as far as LANG_MAX_VALUE_DEPTH: elements may have been
 * assigned. */
unsigned lang_depth(const lang_value *value);
/* Does using it leave it in place (trait Copy)? */
bool lang_is_copy(const lang_value *value);
/* What stands behind references; `value` itself when it is none. NULL: moved or dropped.
 */
const lang_value *lang_behind(const lang_value *value);
/* Names the type for messages: "Tensor", "f32", "Option". */
const char *lang_type_name(const lang_value *value);

lang_cell *lang_cell_new(lang_value value); /* takes; one reference; LIVE */
lang_cell *lang_cell_ref(lang_cell *cell);
void lang_cell_unref(lang_cell *cell); /* NULL allowed; the last one drops the value */
void lang_cell_drop(lang_cell *cell, lang_state state); /* drops the value now */
/* Moves the value out. */
lang_value lang_cell_take(lang_cell *cell);

#endif
