/* The state of a running program and what the files of the evaluator share. */
#ifndef BACKENDS_LANG_INTERP_H
#define BACKENDS_LANG_INTERP_H

#include "backends/lang/lang.h"
#include "backends/lang/parser.h"
#include "backends/lang/value.h"

/* Nested evaluations; each takes some hundred bytes of stack. */
#define LANG_MAX_EVAL_DEPTH 1200

/* How an evaluation left. Everything but LANG_GO unwinds to whoever it is meant for. */
typedef enum lang_flow {
    LANG_GO = 0,
    LANG_STOP,   /* the program has ended: `ends` says how */
    LANG_RETURN, /* `returned` holds the value */
    LANG_BREAK,  /* `returned` holds the value */
    LANG_CONTINUE,
} lang_flow;

typedef struct lang_interp {
    const lang_request *request;
    parity_arena *arena;
    lang_interner *names;
    core_context *context;
    core_device *device;
    parity_outcome ends;
    bool cancelled;
    uint64_t steps;
    unsigned depth;
    const lang_block *block; /* the innermost block, for its items */
    const char *self_name;   /* interned */
    const char *self_type;   /* of the impl whose function runs, or NULL */
    const lang_type *hint;   /* what the next evaluation is expected to give, or NULL */
    const lang_type *result; /* of the function that runs, or NULL */
    lang_infer **doubted;    /* settled types to look at again at the end */
    size_t ndoubted;
    size_t doubted_capacity;
    lang_value returned;
    parity_pos tried; /* the `?` that returned it */
    lang_binding *bindings;
    size_t nbindings;
    size_t bindings_capacity;
    size_t frame; /* the first binding that the running function sees */
    lang_cell **temps;
    size_t ntemps;
    size_t temps_capacity;
} lang_interp;

/* A place that a value lives in, and whether Rust lets one move out of it. */
typedef struct lang_place {
    lang_cell *cell; /* counted */
    bool borrowed;   /* behind a reference or an index */
    bool fresh;      /* a temporary: assigning to it would change nothing */
} lang_place;

/* --- ending (interp.c) --- */
/* All return LANG_STOP. */
lang_flow lang_stop(lang_interp *it, parity_outcome_kind kind, parity_pos pos,
                    const char *format, ...) PARITY_PRINTF(4, 5);
lang_flow lang_refuse(lang_interp *it, parity_pos pos, const char *format, ...)
    PARITY_PRINTF(3, 4); /* unsupported */
lang_flow lang_panic(lang_interp *it, parity_pos pos, const char *format, ...)
    PARITY_PRINTF(3, 4);
/* From a reason, or LANG_GO when it is NULL. */
lang_flow lang_refuse_if(lang_interp *it, parity_pos pos, const char *why);
/* A status other than CORE_OK and CORE_ERROR. */
lang_flow lang_core_stop(lang_interp *it, parity_pos pos, const core_error *error);
/* Before a statement or a turn of a loop. */
lang_flow lang_step(lang_interp *it, parity_pos pos);

/* --- names and temporaries (scope.c) --- */
void lang_bind(lang_interp *it, const char *name, lang_cell *cell); /* takes the count */
lang_cell *lang_lookup(const lang_interp *it, const char *name); /* borrowed, or NULL */
void lang_unbind(lang_interp *it,
                 size_t mark); /* drops down to the mark, in reverse order */
void lang_add_temp(lang_interp *it, lang_cell *cell); /* takes the count */
void lang_drop_temps(lang_interp *it, size_t mark);
/* The code of this region was left out, wholly or in part: what it would have said about
 * the types of literals that it names is not known. */
void lang_pass_over(lang_interp *it, const lang_region *region);
/* The same of its names from `first` on. */
void lang_pass_over_rest(lang_interp *it, const lang_region *region, size_t first);
/* What fixes the type of the numbers in the value, apart from what the core sees, is
 * unknown: when they need a type and have none, the program is refused. */
void lang_doubt_value(lang_interp *it, lang_value *value);
/* The same as long as the region has not run. */
void lang_doubt_in(lang_interp *it, lang_value *value, const lang_region *region);
/* Parameters without a declared type, and such a result, have one type in all calls
 * (closure.c). */
const char *lang_join_arguments(lang_interp *it, lang_closure *closure, lang_value *args);
const char *lang_join_result(lang_interp *it, lang_closure *closure, lang_value *out);
/* Two values of one type, one of which may hold nothing to tell it by: what is known of
 * one is known of the other, or doubted. `b` is the one that goes on being used. */
const char *lang_join(lang_interp *it, lang_value *a, lang_value *b);
const lang_fn *lang_find_fn(const lang_interp *it, const char *name);
const lang_struct_type *lang_find_struct(const lang_interp *it, const char *name);
const lang_fn *lang_find_method(const lang_interp *it, const char *type,
                                const char *name);
/* `value` is taken, whatever happens. */
lang_flow lang_bind_pattern(lang_interp *it, const lang_pattern *pattern,
                            const lang_type *type, lang_value value);
/* Fixes the types of literals in the value; refuses what cannot be of that type. */
const char *lang_coerce(lang_interp *it, lang_value *value, const lang_type *type);

/* Gives all numbers in two values of one type the same type. */
const char *lang_unify(lang_value *a, lang_value *b);

/* --- evaluating. *out is new on LANG_GO and unit otherwise --- */
lang_flow lang_eval(lang_interp *it, const lang_expr *e, lang_value *out);
lang_flow lang_eval_hinted(lang_interp *it, const lang_expr *e, const lang_type *hint,
                           lang_value *out);
/* Evaluates where its temporaries end with it: conditions, bodies. */
lang_flow lang_eval_alone(lang_interp *it, const lang_expr *e, lang_value *out);
lang_flow lang_eval_block(lang_interp *it, const lang_block *block, lang_value *out);
lang_flow lang_run_statements(lang_interp *it, const lang_block *block);
lang_flow lang_run_let(lang_interp *it, const lang_stmt *stmt); /* let.c */
lang_flow lang_eval_control(lang_interp *it, const lang_expr *e,
                            lang_value *out); /* control.c */
/* The place of an expression; one that is no place gets a temporary, which lives as long
 * as the statement, or, with `extend`, as the block. */
lang_flow lang_eval_place(lang_interp *it, const lang_expr *e, bool extend,
                          lang_place *out);
lang_flow lang_eval_ref(lang_interp *it, const lang_expr *e, bool extend,
                        lang_value *out);
/* A place that holds a Copy value of the kinds whose methods and operators take it by
 * value is replaced by a copy, as Rust makes it before it looks at the arguments. On
 * failure the place is given back. */
lang_flow lang_keep_scalar(lang_interp *it, lang_place *place);
/* Uses the value of a place: copies it, or moves it out. */
lang_flow lang_use(lang_interp *it, const lang_place *place, parity_pos pos,
                   lang_value *out);
lang_flow lang_eval_assign(lang_interp *it, const lang_expr *e, lang_value *out);
lang_flow lang_eval_field(lang_interp *it, const lang_expr *e, bool extend,
                          lang_place *out);
lang_flow lang_eval_index(lang_interp *it, const lang_expr *e, bool extend,
                          lang_place *out);
lang_flow lang_eval_binary(lang_interp *it, const lang_expr *e, lang_value *out);
lang_flow lang_eval_unary(lang_interp *it, const lang_expr *e, lang_value *out);
lang_flow lang_eval_cast(lang_interp *it, const lang_expr *e, lang_value *out);
/* Takes both operands. */
lang_flow lang_operate(lang_interp *it, const char *op, parity_pos pos, lang_value a,
                       lang_value b, lang_value *out);
/* ==, with 2 in *order for "different but not ordered"; refuses what cannot be compared.
 */
lang_flow lang_compare(lang_interp *it, parity_pos pos, const lang_value *a,
                       const lang_value *b, int *order);
lang_flow lang_eval_call(lang_interp *it, const lang_expr *e, lang_value *out);
lang_flow lang_eval_method(lang_interp *it, const lang_expr *e, lang_value *out);
lang_flow lang_eval_path(lang_interp *it, const lang_expr *e, lang_value *out);
lang_flow lang_eval_struct(lang_interp *it, const lang_expr *e, lang_value *out);
lang_flow lang_eval_closure(lang_interp *it, const lang_expr *e, lang_value *out);
lang_flow lang_eval_format(lang_interp *it, const lang_expr *e, lang_value *out);

/* --- calling. args are taken, whatever happens --- */
lang_flow lang_call_fn(lang_interp *it, const lang_fn *fn, parity_pos pos,
                       const char *self_type, lang_value *self, lang_value *args,
                       size_t nargs, lang_value *out);
lang_flow lang_call_value(lang_interp *it, parity_pos pos, const lang_value *callee,
                          lang_value *args, size_t nargs, lang_value *out);
/* A row of the core's table; `types` are those of the turbofish. Results become values
 * here. */
lang_flow lang_call_core(lang_interp *it, const core_method *method, parity_pos pos,
                         const lang_value *self, lang_type *const *types, size_t ntypes,
                         lang_value *args, size_t nargs, lang_value *out);
/* Functions that are no method of candle: Some, drop, measure … NULL: not known. */
typedef lang_flow lang_builtin(lang_interp *it, parity_pos pos, lang_value *args,
                               size_t nargs, lang_value *out);
typedef struct lang_builtin_row {
    const char *name;
    int nargs; /* -1: any */
    lang_builtin *call;
} lang_builtin_row;
const lang_builtin_row *lang_find_builtin(const char *path);
/* Constants such as f32::MAX; false when there is none. */
bool lang_find_constant(const char *path, lang_value *out);

/* Methods of what does not belong to candle: Option, Vec, numbers … `self` is the place,
 * seen through references; a method that takes self by value takes it with
 * lang_take_self. */
typedef struct lang_method_call {
    const lang_expr *e;
    parity_pos pos;
    lang_place *self;
    const lang_type *hint; /* what the call is expected to give, or NULL */
    lang_value *args;
    size_t nargs;
} lang_method_call;
typedef lang_flow lang_std_method(lang_interp *it, const lang_method_call *call,
                                  lang_value *out);
typedef struct lang_method_row {
    const char *name;
    int nargs;
    lang_std_method *call;
} lang_method_row;
const lang_method_row *lang_find_std_method(const lang_value *self, const char *name);
lang_flow lang_take_self(lang_interp *it, const lang_method_call *call, lang_value *out);
/* What `place` refers to when it holds a reference, as often as needed. Replaces it. */
lang_flow lang_through(lang_interp *it, parity_pos pos, lang_place *place);

/* --- iterators (iter.c) --- */
extern const lang_method_row lang_iter_methods[]; /* end with a NULL name */
lang_flow lang_iter_of_items(lang_interp *it, const lang_method_call *call,
                             lang_value *out);
/* Makes an iterator of what `for` or into_iter takes. Takes the value. */
lang_flow lang_into_iter(lang_interp *it, parity_pos pos, lang_value value,
                         lang_value *out);
/* *done when there is no more. */
lang_flow lang_iter_next(lang_interp *it, parity_pos pos, lang_iter *iter,
                         lang_value *out, bool *done);

/* --- printing and showing --- */
lang_flow lang_print(lang_interp *it, parity_pos pos, core_text *out,
                     const lang_value *value, bool debug, int precision);
/* An identity of storages and handles for all observations of one answer. */
typedef struct lang_identities {
    parity_names storages;
    parity_names handles;
    /* LIST: what was observed stays alive, so that no address is used twice */
    lang_value kept;
} lang_identities;
/* *out is new. */
lang_flow lang_observe(lang_interp *it, const lang_value *value,
                       lang_identities *identities, parity_value **out);
/* A tensor's dtype, shape and bits. */
lang_flow lang_read_tensor(lang_interp *it, parity_pos pos, const core_tensor *tensor,
                           parity_value **out);

/* Shares the items of a value with a core_value, references seen through. Free the arrays
 * with lang_lent_free; the values stay where they are. */
typedef struct lang_lent {
    void **blocks;
    size_t count;
    size_t capacity;
} lang_lent;
const char *lang_lend(lang_lent *lent, core_value *out, lang_value *value);
void lang_lent_free(lang_lent *lent);
/* Takes the core's value; containers become lists and tuples of here. */
lang_value lang_from_core(core_value value, bool reference);

#endif
