/* What a device implements, and the storage that it works on.
 *
 * The core checks shapes, devices and dtypes, takes the locks and allocates the result; a
 * device never re-checks them. It does check that a layout lies inside its storage,
 * because candle lets from_vec make tensors that do not, and reports what candle's slices
 * would (CORE_PANIC). */
#ifndef PARITY_CORE_DEVICE_H
#define PARITY_CORE_DEVICE_H

#include "backends/core/tensor.h"

/* One acquisition of a lock, by an operation or a guard. It lives with its holder: on the
 * stack of the operation or in the guard. */
typedef struct core_hold core_hold;

/* Model of std::sync::RwLock in one thread: what would wait for ever is reported. */
typedef struct core_lock {
    core_hold *holds; /* newest first */
    bool poisoned;
} core_lock;

struct core_hold {
    core_lock *lock;
    core_hold *next;
    const char *what; /* "slice_set", "guard of storage_and_layout()" */
    int line;         /* place in the program, 0 when not known */
    int column;
    bool write;
};

struct core_storage {
    size_t refs;
    core_device *device;
    core_dtype dtype;
    size_t count;   /* elements */
    void *data;     /* host memory on the CPU; a buffer object elsewhere */
    size_t reserve; /* the device's own: bytes behind data */
    uint64_t owner; /* id of the tensor it was made for, for messages */
    core_lock lock;
};

/* An operand of a kernel. */
typedef struct core_view {
    core_storage *storage;
    const core_layout *layout;
} core_view;

/* Kernels of the prelude, parity::ops. */
typedef enum core_custom {
    CORE_CUSTOM_FILL,
    CORE_CUSTOM_SCALE,
    CORE_CUSTOM_SQUARE,
    CORE_CUSTOM_FAIL,
    CORE_CUSTOM_ASSIGN,
    CORE_CUSTOM_ADD_ASSIGN,
    CORE_CUSTOM_AXPY,
    CORE_CUSTOM_ADD_MUL,
} core_custom;

/* `out` is a fresh storage of the right dtype and count, not initialised; it is
 * contiguous. */
typedef struct core_kernels {
    core_status (*affine)(core_storage *out, core_view in, double mul, double add,
                          core_error *error);
    core_status (*unary)(core_storage *out, core_unary op, core_view in,
                         core_error *error);
    core_status (*elu)(core_storage *out, core_view in, double alpha, core_error *error);
    core_status (*powf)(core_storage *out, core_view in, double exponent,
                        core_error *error);
    core_status (*binary)(core_storage *out, core_binary op, core_view lhs, core_view rhs,
                          core_error *error);
    core_status (*cmp)(core_storage *out, core_cmp op, core_view lhs, core_view rhs,
                       core_error *error);
    core_status (*cast)(core_storage *out, core_view in, core_error *error);
    core_status (*where_cond)(core_storage *out, core_view pred, core_view on_true,
                              core_view on_false, core_error *error);
    /* dims are sorted; several for CORE_SUM only. out has u32 for the arg reductions. */
    core_status (*reduce)(core_storage *out, core_reduce op, core_view in,
                          const size_t *dims, size_t ndims, core_error *error);
    core_status (*matmul)(core_storage *out, core_view lhs, core_view rhs,
                          const size_t bmnk[4], core_error *error);
    core_status (*index_select)(core_storage *out, core_view in, core_view ids,
                                size_t dim, core_error *error);
    core_status (*gather)(core_storage *out, core_view in, core_view ids, size_t dim,
                          core_error *error);
    core_status (*index_add)(core_storage *out, core_view in, core_view ids,
                             core_view source, size_t dim, core_error *error);
    /* In place in `self`. */
    core_status (*scatter)(core_view self, core_view ids, core_view source, size_t dim,
                           bool add, core_error *error);
    core_status (*const_set)(core_view self, core_scalar value, core_error *error);
    /* Row-major copy of `in` to offset elements from the start of out. Both may be on
     * different instances of the device. */
    core_status (*copy_strided)(core_storage *out, size_t offset, core_view in,
                                core_error *error);
    /* rows × cols elements; strides and offsets in elements (backend.rs copy2d). */
    core_status (*copy2d)(core_storage *out, const core_storage *in, size_t rows,
                          size_t cols, size_t in_stride, size_t out_stride,
                          size_t in_offset, size_t out_offset, core_error *error);
    /* In place in views[0] when out is NULL. `name` is for messages; operands are not
     * checked yet. */
    core_status (*custom)(core_storage *out, core_custom op, const char *name,
                          const core_view *views, size_t nviews, double param,
                          core_error *error);
} core_kernels;

/* What rand and randn ask of the generator: values from [a, b), or around a with
 * deviation b. The core draws them; the device says which it can give, with its texts. */
typedef struct core_random {
    core_dtype dtype;
    bool normal;
    double a;
    double b;
} core_random;

typedef struct core_device_ops {
    const char *name;   /* of the column: "cpu", "metal-soft" */
    const char *family; /* candle's word for what it is: "cpu", "metal" */
    bool one_device;    /* all instances are the same device, as with the CPU */
    /* Device::new_metal and the like: an instance of its own, of the hardware with this
     * number. Sets location and debug. */
    core_status (*open)(core_device *device, size_t ordinal, core_error *error);
    /* Gives storage->data room for storage->count elements. */
    core_status (*alloc)(core_storage *storage, bool zeroed, core_error *error);
    void (*release)(core_storage *storage);
    /* Storage::try_clone: may share the memory, as on Metal. */
    core_status (*try_clone)(core_storage *out, const core_storage *in,
                             core_error *error);
    /* May give the storage another room. */
    core_status (*upload)(core_storage *storage, const void *bytes, core_error *error);
    core_status (*download)(void *bytes, const core_storage *storage, core_error *error);
    core_status (*synchronize)(core_device *device, core_error *error);
    /* Elements of `in` in row-major order to host memory. */
    core_status (*read)(void *bytes, core_view in, core_error *error);
    void (*close)(core_device *device); /* optional: NULL, nothing to give back */
    core_status (*random)(const core_random *wanted, core_error *error);
    /* Optional: NULL where the generator cannot be seeded, as on the CPU. */
    core_status (*set_seed)(core_device *device, uint64_t seed, core_error *error);
    uint64_t (*seed)(const core_device *device);
    core_kernels kernels;
} core_device_ops;

struct core_device {
    const core_device_ops *ops;
    core_context *context;
    core_device *next; /* of the context */
    uint64_t id;       /* counts the instances in the context, from 1 */
    char location[48]; /* Debug of DeviceLocation, in messages: "Cpu" */
    /* behind the dtype in a printed tensor: ", metal:7"; "" on the CPU */
    char suffix[32];
    char debug[48]; /* Debug of Device */
    void *state;    /* the device's own */
    bool plain;     /* use the reference kernels only (tests compare both) */
};

extern const core_device_ops core_cpu_ops; /* backends/cpu/device.c */
/* The devices of this build, from the list in backends/meson.build; NULL-terminated. */
extern const core_device_ops *const core_device_table[];

#endif
