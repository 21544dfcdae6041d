/* Values of a candle program: what the method table takes and gives.
 *
 * A core_value owns what it holds. Copying the struct moves it; core_value_clone makes a
 * second one as Rust's clone() does (handles count up, lists are copied),
 * core_value_clear drops it as the end of a scope does: tensors count down, guards
 * release their lock. References are not values: an evaluator passes pointers.
 * Zero-initialised it is unit. */
#ifndef PARITY_CORE_VALUE_H
#define PARITY_CORE_VALUE_H

#include "backends/core/nn.h"
#include "backends/core/tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum core_kind {
    CORE_KIND_UNIT,
    CORE_KIND_BOOL,   /* boolean */
    CORE_KIND_INT,    /* integer */
    CORE_KIND_FLOAT,  /* number */
    CORE_KIND_STRING, /* text: String or &str */
    CORE_KIND_DTYPE,  /* dtype */
    CORE_KIND_DEVICE, /* device */
    CORE_KIND_DIM,    /* dim: D::Minus1, D::Minus(n) */
    CORE_KIND_SHAPE,  /* shape: Shape */
    CORE_KIND_LAYOUT, /* layout */
    CORE_KIND_ID,     /* id: TensorId */
    CORE_KIND_RANGE,  /* range: any range of usize */
    CORE_KIND_TENSOR, /* tensor */
    CORE_KIND_VAR, /* tensor, is_variable; has all methods of a tensor besides its own */
    CORE_KIND_VARMAP,        /* varmap */
    CORE_KIND_MUTEX,         /* varmap: &Mutex<HashMap>, what VarMap::data() gives */
    CORE_KIND_MAP_GUARD,     /* map_guard: the locked HashMap<String, Var> */
    CORE_KIND_MAP,           /* map: HashMap<String, Var> of its own */
    CORE_KIND_VARBUILDER,    /* varbuilder */
    CORE_KIND_INIT,          /* init: candle_nn::Init */
    CORE_KIND_LINEAR,        /* linear */
    CORE_KIND_SGD,           /* sgd */
    CORE_KIND_ADAMW,         /* adamw */
    CORE_KIND_ADAMW_PARAMS,  /* adamw_params; fields by core_value_field */
    CORE_KIND_GRADSTORE,     /* gradstore */
    CORE_KIND_STORAGE_GUARD, /* guard: what storage_and_layout() gives first */
    CORE_KIND_KERNEL,        /* kernel: parity::ops::… with its arguments */
    CORE_KIND_LIST,          /* items: Vec, array, slice */
    CORE_KIND_TUPLE,         /* items */
    CORE_KIND_OK,            /* items[0] */
    CORE_KIND_ERR,           /* text: candle's Error */
    CORE_KIND_SOME,          /* items[0] */
    CORE_KIND_NONE,
    CORE_KIND_OPAQUE, /* opaque: a value of the evaluator (closure, struct, reference …)
                       */
    CORE_KIND_COUNT
} core_kind;

typedef enum core_int_type {
    CORE_INT_I32, /* first: what a literal without suffix becomes */
    CORE_INT_USIZE,
    CORE_INT_U8,
    CORE_INT_U16,
    CORE_INT_U32,
    CORE_INT_U64,
    CORE_INT_I8,
    CORE_INT_I16,
    CORE_INT_I64,
    CORE_INT_ISIZE,
} core_int_type;

/* `bits` is the value in two's complement, extended to 64 bits with the sign of the type.
 * `literal` says that no suffix, annotation or operand has fixed the type yet: where a
 * method wants usize, u32 …, it fits, and in an array it takes the type of its
 * neighbours. */
typedef struct core_int {
    uint64_t bits;
    core_int_type type;
    bool literal;
} core_int;

typedef struct core_float {
    double value;
    core_dtype dtype; /* CORE_F64, CORE_F32 */
    bool literal;     /* as in core_int; the dtype is CORE_F64 then */
} core_float;

typedef struct core_range {
    bool has_start;
    bool has_end;
    bool inclusive;
    uint64_t start;
    uint64_t end;
} core_range;

/* A value of the evaluator's own, carried through lists and results. */
typedef struct core_opaque {
    const struct core_opaque_ops *ops;
    void *data;
} core_opaque;

typedef struct core_opaque_ops {
    const char *type;           /* for messages: "closure" */
    void *(*clone)(void *data); /* NULL: cannot be cloned */
    void (*drop)(void *data);   /* NULL: nothing to do */
    /* Appends the Debug text; NULL: the type's name. */
    void (*debug)(core_text *out, const void *data);
} core_opaque_ops;

typedef struct core_value core_value;
struct core_value {
    core_kind kind;
    union {
        bool boolean;
        core_int integer;
        core_float number;
        struct {
            char *data; /* NUL-terminated; may contain NUL */
            size_t length;
        } text;
        core_dtype dtype;
        core_device *device; /* borrowed from the context */
        core_dim dim;
        core_shape *shape;
        core_layout *layout;
        uint64_t id;
        core_range range;
        core_tensor *tensor;
        core_varmap *varmap;
        core_map_guard *map_guard;
        core_map *map;
        core_varbuilder *varbuilder;
        core_init init;
        core_linear *linear;
        core_sgd *sgd;
        core_adamw *adamw;
        core_adamw_params adamw_params;
        core_gradstore *gradstore;
        core_storage_guard *guard;
        core_kernel kernel;
        struct {
            core_value *items;
            size_t count;
        };
        core_opaque opaque;
    };
};

/* as Rust names the type: "Tensor", "Vec", "()" */
const char *core_kind_name(core_kind kind);
const char *core_int_type_name(core_int_type type); /* "usize" */

void core_value_clear(core_value *value); /* drops; leaves unit */
/* Fails (CORE_UNSUPPORTED) for what Rust cannot clone: guards, optimizers, grads. */
core_status core_value_clone(core_value *out, const core_value *value, core_error *error);

/* Constructors. Those of handles take over the reference they are given. */
core_value core_value_bool(bool boolean);
core_value core_value_usize(size_t value);
core_value core_value_int(core_int_type type, uint64_t bits, bool literal);
core_value core_value_f64(double value);
core_value core_value_float(core_dtype dtype, double value, bool literal);
core_value core_value_text(const char *data, size_t length); /* copies */
core_value core_value_tensor(core_tensor *tensor);           /* takes */
core_value core_value_var(core_tensor *tensor);              /* takes */
core_value core_value_shape(const core_shape *shape);        /* copies */
/* LIST, TUPLE, OK, SOME. Takes the items (moved out of the array, which stays the
 * caller's). */
core_value core_value_items(core_kind kind, core_value *items, size_t count);

/* Appends what `{:?}` and `{}` print. Display of what has none is CORE_UNSUPPORTED. Both
 * take read locks like the real ones. */
core_status core_value_debug(core_context *context, core_text *out,
                             const core_value *value, core_error *error);
core_status core_value_display(core_context *context, core_text *out,
                               const core_value *value, core_error *error);
/* Shortest digits that read back as the same f32 or f64, laid out as Rust's Debug (`1.0`)
 * or, when `display`, Display (`1`) does. */
void core_float_text(core_text *out, double value, core_dtype dtype, bool display);

/* Fields of struct values of candle (ParamsAdamW). *out is new. */
core_status core_value_field(core_value *out, const core_value *value, const char *name,
                             core_error *error);
core_status core_value_set_field(core_value *value, const char *name,
                                 const core_value *field, core_error *error);

#ifdef __cplusplus
}
#endif
#endif
