/* Tensors with candle 0.11.0's semantics.
 *
 * A core_tensor * is a handle: one counted reference to a node (id, storage, layout, op,
 * variable flag). core_tensor_ref is Rust's clone(), core_tensor_unref its drop. Every
 * `core_tensor **out` is *new*: a reference the caller has to drop, to a new node or,
 * where candle returns self.clone(), to the same one. A Var is a handle whose node has
 * is_variable set.
 *
 * Texts, order of checks and identifiers used are those of the crate; see the file of
 * each family. */
#ifndef PARITY_CORE_TENSOR_H
#define PARITY_CORE_TENSOR_H

#include "backends/core/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct core_tensor core_tensor;
typedef struct core_storage core_storage;
typedef struct core_gradstore core_gradstore;

/* A number with its type, as Rust passes them to const_set, full, eq …: integers in
 * `integer` (two's complement for unsigned), floats in `real`. */
typedef struct core_scalar {
    core_dtype dtype;
    int64_t integer;
    double real;
} core_scalar;

/* TensorOrScalar: tensor when it is not NULL. */
typedef struct core_operand {
    const core_tensor *tensor;
    core_scalar scalar;
} core_operand;

typedef enum core_binary {
    CORE_ADD,
    CORE_SUB,
    CORE_MUL,
    CORE_DIV,
    CORE_MAXIMUM,
    CORE_MINIMUM,
    CORE_BINARY_COUNT
} core_binary;

typedef enum core_cmp {
    CORE_EQ,
    CORE_NE,
    CORE_LE,
    CORE_GE,
    CORE_LT,
    CORE_GT,
    CORE_CMP_COUNT
} core_cmp;

typedef enum core_unary {
    CORE_EXP,
    CORE_LOG,
    CORE_SIN,
    CORE_COS,
    CORE_ABS,
    CORE_NEG,
    CORE_RECIP,
    CORE_SQR,
    CORE_SQRT,
    CORE_GELU,
    CORE_GELU_ERF,
    CORE_ERF,
    CORE_RELU,
    CORE_SILU,
    CORE_TANH,
    CORE_FLOOR,
    CORE_CEIL,
    CORE_ROUND,
    CORE_SIGN,
    CORE_UNARY_COUNT
} core_unary;

typedef enum core_reduce {
    CORE_SUM,
    CORE_MIN,
    CORE_MAX,
    CORE_ARGMIN,
    CORE_ARGMAX,
    CORE_REDUCE_COUNT
} core_reduce;

/* --- handles and what they are --- */
core_tensor *core_tensor_ref(const core_tensor *tensor);
void core_tensor_unref(core_tensor *tensor); /* NULL allowed */
uint64_t core_tensor_id(const core_tensor *tensor);
core_dtype core_tensor_dtype(const core_tensor *tensor);
core_device *core_tensor_device(const core_tensor *tensor);       /* borrowed */
const core_layout *core_tensor_layout(const core_tensor *tensor); /* borrowed */
size_t core_tensor_rank(const core_tensor *tensor);
size_t core_tensor_count(const core_tensor *tensor); /* elements */
bool core_tensor_is_variable(const core_tensor *tensor);
bool core_tensor_tracked(const core_tensor *tensor); /* track_op() */
bool core_tensor_is_contiguous(const core_tensor *tensor);
/* Identity of the storage (not of the memory: on some devices two storages share a
 * buffer). */
const core_storage *core_tensor_storage(const core_tensor *tensor);
/* Address that is equal for tensors that share memory. */
const void *core_tensor_memory(const core_tensor *tensor);
/* Copies the elements in row-major order, count * size bytes; takes a read lock, uses no
 * id. */
core_status core_tensor_read(core_context *context, void *out, const core_tensor *tensor,
                             core_error *error);
/* Host memory for that many bytes; *out is new, free() it. A broadcast tensor may have
 * more elements than there is memory for: CORE_UNSUPPORTED. */
core_status core_tensor_room(void **out, size_t *nbytes, const core_tensor *tensor,
                             core_error *error);

/* --- making (create.c) --- */
core_status core_tensor_zeros(core_context *context, core_tensor **out,
                              const core_shape *shape, core_dtype dtype,
                              core_device *device, core_error *error);
core_status core_tensor_ones(core_context *context, core_tensor **out,
                             const core_shape *shape, core_dtype dtype,
                             core_device *device, core_error *error);
core_status core_tensor_full(core_context *context, core_tensor **out, core_scalar value,
                             const core_shape *shape, core_device *device,
                             core_error *error);
/* count elements of dtype, row-major, native order. Like from_vec the shape may ask for
 * another number of elements than there are: reading then panics as in candle. */
core_status core_tensor_from_data(core_context *context, core_tensor **out,
                                  const void *data, size_t count, const core_shape *shape,
                                  core_dtype dtype, core_device *device,
                                  core_error *error);
core_status core_tensor_arange(core_context *context, core_tensor **out,
                               core_scalar start, core_scalar end, core_scalar step,
                               core_device *device, core_error *error);
core_status core_tensor_eye(core_context *context, core_tensor **out, size_t n,
                            core_dtype dtype, core_device *device, core_error *error);
core_status core_tensor_rand(core_context *context, core_tensor **out, double low,
                             double high, const core_shape *shape, core_dtype dtype,
                             core_device *device, core_error *error);
core_status core_tensor_randn(core_context *context, core_tensor **out, double mean,
                              double std, const core_shape *shape, core_dtype dtype,
                              core_device *device, core_error *error);
core_status core_tensor_zeros_like(core_context *context, core_tensor **out,
                                   const core_tensor *self, core_error *error);
core_status core_tensor_ones_like(core_context *context, core_tensor **out,
                                  const core_tensor *self, core_error *error);

/* --- same data, other handle (alias.c) --- */
core_status core_tensor_copy(core_context *context, core_tensor **out,
                             const core_tensor *self, core_error *error);
core_status core_tensor_detach(core_context *context, core_tensor **out,
                               const core_tensor *self, core_error *error);
core_status core_tensor_to_device(core_context *context, core_tensor **out,
                                  const core_tensor *self, core_device *device,
                                  core_error *error);
core_status core_tensor_to_dtype(core_context *context, core_tensor **out,
                                 const core_tensor *self, core_dtype dtype,
                                 core_error *error);
core_status core_tensor_contiguous(core_context *context, core_tensor **out,
                                   const core_tensor *self, core_error *error);
core_status core_tensor_force_contiguous(core_context *context, core_tensor **out,
                                         const core_tensor *self, core_error *error);

/* --- shapes (shape_ops.c) --- */
core_status core_tensor_reshape(core_context *context, core_tensor **out,
                                const core_tensor *self, const core_shape *shape,
                                core_error *error);
core_status core_tensor_narrow(core_context *context, core_tensor **out,
                               const core_tensor *self, core_dim dim, size_t start,
                               size_t len, core_error *error);
core_status core_tensor_transpose(core_context *context, core_tensor **out,
                                  const core_tensor *self, core_dim dim1, core_dim dim2,
                                  core_error *error);
core_status core_tensor_t(core_context *context, core_tensor **out,
                          const core_tensor *self, core_error *error);
core_status core_tensor_permute(core_context *context, core_tensor **out,
                                const core_tensor *self, const core_dim *dims,
                                size_t ndims, core_error *error);
core_status core_tensor_squeeze(core_context *context, core_tensor **out,
                                const core_tensor *self, core_dim dim, core_error *error);
core_status core_tensor_unsqueeze(core_context *context, core_tensor **out,
                                  const core_tensor *self, core_dim dim,
                                  core_error *error);
core_status core_tensor_broadcast_as(core_context *context, core_tensor **out,
                                     const core_tensor *self, const core_shape *shape,
                                     core_error *error);
core_status core_tensor_broadcast_left(core_context *context, core_tensor **out,
                                       const core_tensor *self, const core_shape *left,
                                       core_error *error);
/* start and end inclusive, as flatten(start, end); flatten_all is (0, -1). */
core_status core_tensor_flatten(core_context *context, core_tensor **out,
                                const core_tensor *self, const core_dim *start,
                                const core_dim *end, core_error *error);
core_status core_tensor_get(core_context *context, core_tensor **out,
                            const core_tensor *self, size_t index, core_error *error);
core_status core_tensor_get_on_dim(core_context *context, core_tensor **out,
                                   const core_tensor *self, core_dim dim, size_t index,
                                   core_error *error);

/* --- arithmetic (affine.c, binary.c, unary.c, cmp.c) --- */
core_status core_tensor_affine(core_context *context, core_tensor **out,
                               const core_tensor *self, double mul, double add,
                               core_error *error);
core_status core_tensor_binary(core_context *context, core_tensor **out, core_binary op,
                               const core_tensor *lhs, const core_tensor *rhs,
                               core_error *error);
core_status core_tensor_broadcast_binary(core_context *context, core_tensor **out,
                                         core_binary op, const core_tensor *lhs,
                                         const core_tensor *rhs, core_error *error);
core_status core_tensor_maximum(core_context *context, core_tensor **out,
                                const core_tensor *self, const core_operand *rhs,
                                core_error *error);
core_status core_tensor_minimum(core_context *context, core_tensor **out,
                                const core_tensor *self, const core_operand *rhs,
                                core_error *error);
core_status core_tensor_clamp(core_context *context, core_tensor **out,
                              const core_tensor *self, const core_operand *min,
                              const core_operand *max, core_error *error);
core_status core_tensor_cmp(core_context *context, core_tensor **out, core_cmp op,
                            const core_tensor *self, const core_operand *rhs,
                            core_error *error);
core_status core_tensor_unary(core_context *context, core_tensor **out, core_unary op,
                              const core_tensor *self, core_error *error);
core_status core_tensor_elu(core_context *context, core_tensor **out,
                            const core_tensor *self, double alpha, core_error *error);
core_status core_tensor_powf(core_context *context, core_tensor **out,
                             const core_tensor *self, double exponent, core_error *error);
core_status core_tensor_where_cond(core_context *context, core_tensor **out,
                                   const core_tensor *self, const core_tensor *on_true,
                                   const core_tensor *on_false, core_error *error);

/* --- reductions and products (reduce.c, matmul.c) --- */
core_status core_tensor_sum(core_context *context, core_tensor **out,
                            const core_tensor *self, const core_dim *dims, size_t ndims,
                            bool keepdim, core_error *error);
core_status core_tensor_mean(core_context *context, core_tensor **out,
                             const core_tensor *self, const core_dim *dims, size_t ndims,
                             bool keepdim, core_error *error);
core_status core_tensor_sum_all(core_context *context, core_tensor **out,
                                const core_tensor *self, core_error *error);
core_status core_tensor_mean_all(core_context *context, core_tensor **out,
                                 const core_tensor *self, core_error *error);
/* MIN, MAX, ARGMIN, ARGMAX over one dimension. */
core_status core_tensor_reduce(core_context *context, core_tensor **out, core_reduce op,
                               const core_tensor *self, core_dim dim, bool keepdim,
                               core_error *error);
core_status core_tensor_matmul(core_context *context, core_tensor **out,
                               const core_tensor *lhs, const core_tensor *rhs,
                               core_error *error);
core_status core_tensor_broadcast_matmul(core_context *context, core_tensor **out,
                                         const core_tensor *lhs, const core_tensor *rhs,
                                         core_error *error);

/* --- indexing and joining (index.c, cat.c) --- */
core_status core_tensor_index_select(core_context *context, core_tensor **out,
                                     const core_tensor *self, const core_tensor *ids,
                                     core_dim dim, core_error *error);
core_status core_tensor_gather(core_context *context, core_tensor **out,
                               const core_tensor *self, const core_tensor *ids,
                               core_dim dim, core_error *error);
core_status core_tensor_index_add(core_context *context, core_tensor **out,
                                  const core_tensor *self, const core_tensor *ids,
                                  const core_tensor *source, core_dim dim,
                                  core_error *error);
/* Out of place; `add` chooses scatter_add. */
core_status core_tensor_scatter(core_context *context, core_tensor **out,
                                const core_tensor *self, const core_tensor *ids,
                                const core_tensor *source, core_dim dim, bool add,
                                core_error *error);
core_status core_tensor_slice_scatter0(core_context *context, core_tensor **out,
                                       const core_tensor *self, const core_tensor *source,
                                       size_t start, core_error *error);
core_status core_tensor_slice_scatter(core_context *context, core_tensor **out,
                                      const core_tensor *self, const core_tensor *source,
                                      core_dim dim, size_t start, core_error *error);
core_status core_tensor_cat(core_context *context, core_tensor **out,
                            const core_tensor *const *args, size_t nargs, core_dim dim,
                            core_error *error);
core_status core_tensor_stack(core_context *context, core_tensor **out,
                              const core_tensor *const *args, size_t nargs, core_dim dim,
                              core_error *error);
core_status core_tensor_pad_with_zeros(core_context *context, core_tensor **out,
                                       const core_tensor *self, core_dim dim, size_t left,
                                       size_t right, core_error *error);

/* --- writers: they change the storage; id, op, layout and flags stay (write.c) --- */
core_status core_tensor_slice_set(core_context *context, const core_tensor *self,
                                  const core_tensor *source, core_dim dim, size_t offset,
                                  core_error *error);
core_status core_tensor_scatter_set(core_context *context, const core_tensor *self,
                                    const core_tensor *ids, const core_tensor *source,
                                    core_dim dim, bool add, core_error *error);
core_status core_tensor_const_set(core_context *context, const core_tensor *self,
                                  core_scalar value, core_error *error);
core_status core_var_set(core_context *context, const core_tensor *var,
                         const core_tensor *source, core_error *error);

/* A kernel of the prelude for inplace_op1..3 and apply_op1..3: `parity::ops::fill(3.0)`.
 * Rows are in custom.c; `operands` counts the tensors including the first. */
typedef struct core_kernel_row core_kernel_row;
typedef struct core_kernel {
    const core_kernel_row *row;
    double param;
} core_kernel;
core_status core_tensor_inplace_op(core_context *context, const core_tensor *self,
                                   const core_tensor *const *others, size_t nothers,
                                   const core_kernel *kernel, core_error *error);
/* track: false for the *_no_bwd methods. */
core_status core_tensor_apply_op(core_context *context, core_tensor **out,
                                 const core_tensor *self,
                                 const core_tensor *const *others, size_t nothers,
                                 const core_kernel *kernel, bool track,
                                 core_error *error);

/* --- variables (var.c) --- */
core_status core_var_zeros(core_context *context, core_tensor **out,
                           const core_shape *shape, core_dtype dtype, core_device *device,
                           core_error *error);
core_status core_var_ones(core_context *context, core_tensor **out,
                          const core_shape *shape, core_dtype dtype, core_device *device,
                          core_error *error);
core_status core_var_from_tensor(core_context *context, core_tensor **out,
                                 const core_tensor *tensor, core_error *error);

/* --- gradients (backward.c, gradstore.c) --- */
core_status core_tensor_backward(core_context *context, core_gradstore **out,
                                 const core_tensor *self, core_error *error);
void core_gradstore_free(core_gradstore *grads); /* NULL allowed */
/* Borrowed; NULL when there is none. */
const core_tensor *core_gradstore_get(const core_gradstore *grads, uint64_t id);
/* New reference or NULL. */
core_tensor *core_gradstore_remove(core_gradstore *grads, uint64_t id);
/* Takes the gradient; returns (new) what was there before, or NULL. */
core_tensor *core_gradstore_insert(core_gradstore *grads, uint64_t id,
                                   core_tensor *gradient);
size_t core_gradstore_count(const core_gradstore *grads);

/* --- locks (lock.c) --- */
/* A read guard as storage_and_layout() gives it: while it lives, every writer of the
 * storage would wait for ever and is reported as CORE_DEADLOCK. */
typedef struct core_storage_guard core_storage_guard;
core_status core_tensor_guard(core_context *context, core_storage_guard **out,
                              const core_tensor *self, core_error *error);
void core_storage_guard_free(core_storage_guard *guard); /* releases; NULL allowed */

/* --- text (text.c) --- */
core_status core_tensor_debug(core_context *context, core_text *out,
                              const core_tensor *tensor, core_error *error);
core_status core_tensor_display(core_context *context, core_text *out,
                                const core_tensor *tensor, core_error *error);

/* --- seeded faults --- */
typedef struct core_mutant {
    const char *name;  /* value of PARITY_MUTANT */
    const char *about; /* what is wrong then */
} core_mutant;
/* The faults of a build with -Dmutants=true, ended by a NULL name; empty otherwise. */
const core_mutant *core_mutants(void);

#ifdef __cplusplus
}
#endif
#endif
