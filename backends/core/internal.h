/* What the files of the core share: nodes, recorded operations, storages, locks, the
 * context. */
#ifndef PARITY_CORE_INTERNAL_H
#define PARITY_CORE_INTERNAL_H

#include "backends/core/device.h"
#include "backends/core/errors.h"
#include "backends/core/layout.h"
#include "backends/core/mutants.h"
#include "backends/core/nn.h"
#include "backends/core/tensor.h"

struct core_context {
    uint64_t next_id;
    uint64_t bytes; /* requested for tensor data */
    size_t nodes;   /* alive */
    size_t storages;
    uint32_t epoch; /* of the marks of sorted_nodes */
    int line;
    int column;
    uint64_t random[2];   /* state of the generator behind rand and randn */
    core_device *devices; /* opened so far, newest first */
};

/* --- recorded operations (op.rs:76) --- */
typedef enum core_op_kind {
    CORE_OP_BINARY, /* sub: core_binary */
    CORE_OP_UNARY,  /* sub: core_unary */
    CORE_OP_CMP,
    CORE_OP_REDUCE, /* sub: core_reduce; dims: the reduced shape with keepdim */
    CORE_OP_MATMUL,
    CORE_OP_GATHER,       /* a: dim */
    CORE_OP_SCATTER,      /* a: dim */
    CORE_OP_SCATTER_ADD,  /* a: dim */
    CORE_OP_INDEX_SELECT, /* a: dim */
    CORE_OP_INDEX_ADD,    /* a: dim */
    CORE_OP_WHERE_COND,
    CORE_OP_CAT,    /* a: dim */
    CORE_OP_AFFINE, /* x: mul */
    CORE_OP_TO_DTYPE,
    CORE_OP_COPY,
    CORE_OP_BROADCAST,
    CORE_OP_NARROW,         /* a: dim, b: start, c: len */
    CORE_OP_SLICE_SCATTER0, /* a: start */
    CORE_OP_RESHAPE,
    CORE_OP_TO_DEVICE,
    CORE_OP_TRANSPOSE, /* a, b: dims */
    CORE_OP_PERMUTE,   /* dims */
    CORE_OP_ELU,       /* x: alpha */
    CORE_OP_POWF,      /* x: exponent */
    CORE_OP_CUSTOM,    /* kernel */
    CORE_OP_COUNT
} core_op_kind;

typedef struct core_op_info {
    core_op_kind kind;
    int sub;
    size_t a, b, c;
    double x;
    core_shape dims;
    core_kernel kernel;
} core_op_info;

typedef struct core_op {
    core_op_info info;
    size_t nargs;
    core_tensor *args[];
} core_op;

struct core_tensor {
    size_t refs;
    uint64_t id;
    core_context *context;
    core_storage *storage;
    core_op *op;
    core_dtype dtype;
    bool is_variable;
    bool seen_grad; /* marks of sorted_nodes, valid when seen == context->epoch */
    uint32_t seen;
    core_tensor *next; /* while it waits to be freed */
    core_layout layout;
};

struct core_kernel_row {
    const char *name; /* "fill": the path parity::ops::fill and name() of the op */
    core_custom op;
    size_t operands; /* tensors, the first included */
    size_t nargs;    /* numbers */
    /* Gradients of the operands, new or NULL; optional: NULL, backward is not supported.
     */
    core_status (*backward)(core_context *context, core_tensor **grads,
                            const core_tensor *const *operands,
                            const core_tensor *gradient, double param, core_error *error);
};

/* --- memory of the bookkeeping (context.c); never NULL: running out ends the process ---
 */
void *core_alloc(size_t size);
void *core_realloc(void *pointer, size_t size);
char *core_strdup(const char *text);

/* --- storages (storage.c) --- */
/* New storage of count elements; CORE_UNSUPPORTED for a dtype without kernels. */
core_status core_storage_new(core_context *context, core_storage **out,
                             core_device *device, core_dtype dtype, size_t count,
                             bool zeroed, core_error *error);
core_status core_storage_clone(core_context *context, core_storage **out,
                               const core_storage *in, core_error *error);
/* The whole of `in` on another device. */
core_status core_storage_move(core_context *context, core_storage **out,
                              const core_storage *in, core_device *device,
                              core_error *error);
core_storage *core_storage_ref(core_storage *storage);
void core_storage_unref(core_context *context, core_storage *storage);

static inline const core_kernels *core_kernels_of(const core_tensor *tensor)
{
    return &tensor->storage->device->ops->kernels;
}

static inline core_view core_view_of(const core_tensor *tensor)
{
    return (core_view){tensor->storage, &tensor->layout};
}

/* --- locks (lock.c) --- */
core_status core_lock_read(core_context *context, core_hold *hold,
                           const core_tensor *tensor, const char *what,
                           core_error *error);
core_status core_lock_write(core_context *context, core_hold *hold,
                            const core_tensor *tensor, const char *what,
                            core_error *error);
/* status is that of the holder: a panic under a write lock poisons. */
void core_unlock(core_hold *hold, core_status status);
/* Read locks of several tensors, in order; on failure none is held. */
core_status core_lock_reads(core_context *context, core_hold *holds,
                            const core_tensor *const *tensors, size_t count,
                            const char *what, core_error *error);
void core_unlock_reads(core_hold *holds, size_t count);
/* The model for a mutex: everything is a writer. */
core_status core_lock_mutex(core_context *context, core_hold *hold, core_lock *lock,
                            const char *what, const char *name, core_error *error);

/* --- nodes (node.c) --- */
/* NULL when no argument is tracked (BackpropOp). */
core_op *core_op_new(const core_op_info *info, const core_tensor *const *args,
                     size_t nargs);
/* A node of its own id; takes the storage and the op. */
core_tensor *core_node_new(core_context *context, core_storage *storage,
                           const core_layout *layout, core_op *op, bool is_variable);
/* The four result kinds. SAME: */
core_status core_same(core_tensor **out, const core_tensor *self);
/* VIEW: shares the storage of args[0]; `layout` is copied. */
core_status core_view_node(core_context *context, core_tensor **out,
                           const core_layout *layout, const core_op_info *info,
                           const core_tensor *self);
/* NEW: ends an operation. On CORE_OK makes the node (takes the storage), else drops the
 * storage. */
core_status core_new_node(core_context *context, core_tensor **out, core_status status,
                          core_storage *storage, const core_shape *shape,
                          const core_op_info *info, const core_tensor *const *args,
                          size_t nargs);

/* --- checks (errors.c) --- */
core_status core_dim_index(size_t *out, core_dim dim, const core_shape *shape,
                           const char *op, core_error *error);
core_status core_dim_index_plus_one(size_t *out, core_dim dim, const core_shape *shape,
                                    const char *op, core_error *error);
core_status core_dims_indexes(size_t *out, const core_dim *dims, size_t ndims,
                              const core_shape *shape, const char *op, core_error *error);
/* Storage::same_device and same_dtype. */
core_status core_same_device(const core_tensor *a, const core_tensor *b, const char *op,
                             core_error *error);
core_status core_same_dtype(const core_tensor *a, const core_tensor *b, const char *op,
                            core_error *error);
core_status core_same_shape(const core_tensor *a, const core_tensor *b, const char *op,
                            core_error *error);

/* --- shared between families --- */
/* A fresh contiguous copy of self in *storage (copy_strided_src into alloc_uninit). */
core_status core_fresh_copy(core_context *context, core_storage **storage,
                            const core_tensor *self, const char *what, core_error *error);
/* The scalar side of maximum, eq, …: new, to_dtype, broadcast_as. *out is new. */
core_status core_operand_tensor(core_context *context, core_tensor **out,
                                const core_operand *operand, const core_tensor *self,
                                core_error *error);
core_scalar core_scalar_from_f64(core_dtype dtype,
                                 double value); /* saturates as `as` does */
/* broadcast_shape_binary_op, and both sides brought to that shape (new; NULL after a
 * failure). */
core_status core_broadcast_shape(core_shape *out, const core_shape *lhs,
                                 const core_shape *rhs, const char *op,
                                 core_error *error);
core_status core_broadcast_pair(core_context *context, core_tensor *pair[2],
                                const core_tensor *lhs, const core_tensor *rhs,
                                const char *op, core_error *error);
/* scatter_checks of tensor.rs:1590. */
core_status core_scatter_checks(const core_tensor *self, const core_tensor *ids,
                                const core_tensor *source, size_t dim, core_error *error);

#endif
