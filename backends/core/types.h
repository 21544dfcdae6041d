/* The words that every part of the tensor core uses: status, errors, element types,
 * shapes, layouts, the context.
 *
 * Every function that can fail returns a core_status and takes a core_error * last. The
 * struct is the caller's, NULL is allowed, and it is filled exactly when the status is
 * not CORE_OK. Results come through the first pointer after the context; they are only
 * written on CORE_OK. */
#ifndef PARITY_CORE_TYPES_H
#define PARITY_CORE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CORE_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define CORE_PRINTF(fmt, args)
#endif

typedef enum core_status {
    CORE_OK = 0,
    CORE_ERROR,    /* candle returns Err(e): the text is that of e */
    CORE_PANIC,    /* candle panics: the text is the panic message */
    CORE_DEADLOCK, /* candle would wait for ever: which lock, and the two that want it */
    CORE_ABORT,    /* candle's process would be aborted (out of memory) */
    CORE_UNSUPPORTED, /* the core does not do this; the text says why. Nothing was changed
                       */
} core_status;

typedef struct core_error {
    core_status status;
    char text[2048]; /* cut at a character boundary when longer */
} core_error;

const char *core_status_name(core_status status);
/* Fills the error and returns the status, so that `return core_fail(...)` ends a
 * function. */
core_status core_fail(core_error *error, core_status status, const char *format, ...)
    CORE_PRINTF(3, 4);

/* Element types, in candle's order (candle-core dtype.rs:9). */
typedef enum core_dtype {
    CORE_U8,
    CORE_U32,
    CORE_I16,
    CORE_I32,
    CORE_I64,
    CORE_BF16,
    CORE_F16,
    CORE_F32,
    CORE_F64,
    CORE_F8E4M3,
    CORE_DTYPE_COUNT
} core_dtype;

typedef struct core_dtype_row {
    const char *name;    /* as_str(): "f32" */
    const char *variant; /* Debug: "F32" */
    size_t size;         /* bytes an element */
    bool is_float;
    bool ready; /* kernels exist; the others are reported as unsupported */
} core_dtype_row;

const core_dtype_row *core_dtype_info(core_dtype dtype);
bool core_dtype_from_name(core_dtype *dtype, const char *name);

/* Shapes are not limited in candle; here they are, and more is CORE_UNSUPPORTED. */
#define CORE_MAX_RANK 16

typedef struct core_shape {
    size_t rank;
    size_t dims[CORE_MAX_RANK];
} core_shape;

/* Strides and offset count elements, from the start of the storage (layout.rs:6). */
typedef struct core_layout {
    core_shape shape;
    size_t stride[CORE_MAX_RANK];
    size_t offset;
} core_layout;

/* A dimension as candle's trait Dim takes it: an index, or D::Minus1 as -1, D::Minus(n)
 * as -n. */
typedef ptrdiff_t core_dim;

/* A growing text, NUL-terminated once anything was written; zero-initialised it is empty.
 */
typedef struct core_text {
    char *data;
    size_t length;
    size_t capacity;
} core_text;

void core_text_free(core_text *text); /* leaves it empty and ready */
void core_text_add(core_text *text, const char *bytes, size_t count);
void core_text_printf(core_text *text, const char *format, ...) CORE_PRINTF(2, 3);

/* One world of tensors: the counter of identifiers, the count of bytes, the devices.
 * There are no globals: two contexts do not know each other, and a value must not be used
 * with another one than it was made with. A context and everything in it belongs to one
 * thread at a time. */
typedef struct core_context core_context;
typedef struct core_device core_device;

core_context *core_context_new(void);
/* All tensors, values and grads made with it must be gone. NULL is allowed. */
void core_context_free(core_context *context);
/* The next tensor gets TensorId(1) again. Tensors that exist keep theirs, so do this
 * between cases, or before the first statement when data was bound already. */
void core_context_restart_ids(core_context *context);
/* Bytes of tensor data requested from the device so far, never decreasing: the difference
 * over a piece of program is what candle's allocator was asked for. */
uint64_t core_context_bytes(const core_context *context);
/* Tensors (nodes) and storages alive: zero after everything was dropped. */
size_t core_context_live(const core_context *context);
/* Where the program is, in its text; locks taken from now on remember it (0: not known).
 */
void core_context_at(core_context *context, int line, int column);
/* The first device of this name, which is opened when there is none yet: "cpu",
 * "metal-soft"; NULL when this build or machine has none. Borrowed, lives with the
 * context. */
core_device *core_context_device(core_context *context, const char *name);
/* One more instance, of the hardware with this number. */
core_status core_context_open(core_context *context, core_device **out, const char *name,
                              size_t ordinal, core_error *error);

const char *core_device_name(const core_device *device); /* "cpu" */
/* "Cpu", as candle prints it */
const char *core_device_location(const core_device *device);
bool core_device_same(const core_device *a, const core_device *b);

#ifdef __cplusplus
}
#endif
#endif
