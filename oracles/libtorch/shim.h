/* PyTorch's C++ library behind C: tensors as handles, operators by the name of their
 * schema, errors as texts.
 *
 * shim.cpp is the only file of Parity that sees headers of torch. Nothing is wrapped by
 * hand: an operator is looked up in the dispatcher and called with boxed arguments, so
 * every operator that the library has is here. Every function that can fail returns 0 or
 * -1 and fills `error`; no C++ exception leaves it, whatever its type and whatever thread
 * of the library it began on. Functions may be called from any thread; a handle belongs
 * to one thread at a time.
 *
 * Sources of the behaviour: ATen/core/dispatch/Dispatcher.h, c10/core/TensorImpl.h and
 * torch/csrc/Exceptions.h of the installed wheel. */
#ifndef ORACLES_LIBTORCH_SHIM_H
#define ORACLES_LIBTORCH_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SHIM_MAX_RANK 64

/* What Python would raise: the name of the exception class, and the first line of its
 * text. */
typedef struct shim_error {
    char type[32];
    char text[4096];
} shim_error;

typedef struct shim_tensor shim_tensor; /* a reference to a tensor */

/* Texts are of the library ("float32", "strided", "cpu") and live for ever. Identities
 * are equal while both things they stand for are alive. */
typedef struct shim_info {
    const char *dtype;
    const char *layout;
    const char *device;
    bool readable; /* strided, in this process's memory, without lazy bits: `data` can be
                      read through sizes, strides and offset */
    bool negative; /* the lazy bit */
    size_t rank;
    int64_t sizes[SHIM_MAX_RANK];
    int64_t strides[SHIM_MAX_RANK]; /* in elements */
    int64_t offset;                 /* in elements */
    const void *storage;            /* identity of the storage; NULL: it has none */
    const unsigned char *data;      /* start of the storage */
    size_t bytes;                   /* length of the storage */
    size_t uses;                    /* tensors that hold the storage */
    const void *counter;            /* identity of the version counter; NULL: none */
    int64_t version;                /* -1: none, as in inference mode */
    /* identity of the tensor that autograd takes it for a view of; NULL */
    const void *base;
    bool requires_grad;
    bool leaf;
} shim_info;

/* A reference to the tensor whose TensorImpl is at `impl`: what Tensor._cdata says. */
int shim_tensor_borrow(shim_tensor **out, void *impl, shim_error *error);
/* One more reference to the same tensor. */
int shim_tensor_share(shim_tensor **out, const shim_tensor *tensor, shim_error *error);
void shim_tensor_free(shim_tensor *tensor); /* NULL allowed */
int shim_tensor_info(shim_info *out, const shim_tensor *tensor, shim_error *error);

/* A tensor of bytes on a new storage that holds a copy of these. */
int shim_tensor_new(shim_tensor **out, const void *bytes, size_t count,
                    shim_error *error);

/* How shim_tensor_view looks at a storage. */
typedef struct shim_look {
    const char *dtype;
    size_t rank;
    const int64_t *sizes;
    const int64_t *strides;
    int64_t offset;
    /* whose version counter it shares; NULL: one of its own */
    const shim_tensor *counter;
    uint32_t version; /* that its own begins with */
    bool requires_grad;
} shim_look;

/* Another tensor on the storage of `on`. It knows nothing of autograd. Fails if it does
 * not fit into the storage. */
int shim_tensor_view(shim_tensor **out, const shim_tensor *on, const shim_look *look,
                     shim_error *error);
/* Keeps a version counter from being freed, so that its identity is not used again, until
 * shim_counter_free. NULL when the tensor has none. */
void *shim_counter_hold(const shim_tensor *tensor);
void shim_counter_free(void *held);

/* An argument or a result. */
typedef enum shim_kind {
    SHIM_NONE,
    SHIM_BOOL,
    SHIM_INT,
    SHIM_FLOAT,
    SHIM_TEXT,
    SHIM_WORD, /* a dtype, layout, device or memory format, by its name */
    SHIM_TENSOR,
    SHIM_STORAGE, /* an argument only: the storage of `tensor` */
    SHIM_LIST,
} shim_kind;

typedef struct shim_value shim_value;
struct shim_value {
    shim_kind kind;
    const char *name; /* of an argument given by name; NULL: by position */
    bool boolean;
    int64_t integer;
    double number;
    const char *text;
    shim_tensor *tensor;
    shim_value *items;
    size_t count;
};

/* Calls an operator, such as "aten::add" with overload "Tensor". Arguments are those of
 * its schema, first by position, then by name; those left out have their defaults. It
 * runs as from Python: through autograd, views and version counters. The results are a
 * list, freed with shim_results_free. Names that no operator or argument has, a wrong
 * number or type of arguments, and what the operator throws are errors. */
int shim_call(shim_value *results, const char *name, const char *overload,
              const shim_value *arguments, size_t count, shim_error *error);
void shim_results_free(shim_value *results);

#define SHIM_MAX_PARTS 64 /* arguments, and results, of an operator */

/* What the schema of an operator declares. */
typedef struct shim_schema {
    char text[4096];
    size_t narguments;
    const char *names[SHIM_MAX_PARTS]; /* of the arguments; of the library */
    bool writes[SHIM_MAX_PARTS];       /* an argument that may be written */
    size_t nresults;
    uint64_t aliases[SHIM_MAX_PARTS]; /* for a result, a bit for each argument whose
                                         memory it may lie in */
} shim_schema;
int shim_schema_of(shim_schema *out, const char *name, const char *overload,
                   shim_error *error);

/* What was asked of PyTorch's CPU allocator since shim_memory_install. `requested` are
 * the bytes that were asked for, exactly, and only grows. `live` is what malloc says of
 * those that are not freed yet, and `peak` its maximum since shim_memory_mark. */
typedef struct shim_memory {
    uint64_t requested;
    uint64_t live;
    uint64_t peak;
} shim_memory;
/* Puts a counting allocator before the library's own, once, before anything allocates. */
int shim_memory_install(shim_error *error);
shim_memory shim_memory_now(void);
void shim_memory_mark(void); /* peak = live */
/* Whether memory comes filled with the byte SHIM_FILL instead of what was in it before:
 * then what an operator leaves uninitialised is the same in every run. */
#define SHIM_FILL 0xA5
void shim_memory_fill(bool fill);

/* The generator that random operators draw from. */
int shim_seed(uint64_t seed, shim_error *error);
int shim_generator_set(const void *state, size_t count, shim_error *error);
int shim_default_dtype(const char *dtype, shim_error *error);
int shim_threads(int count, shim_error *error);
const char *shim_version(void); /* of the library: "2.15.0" */

#ifdef __cplusplus
}
#endif

#endif
