/* Seeded faults: a build with -Dmutants=true can make one of them at run time, so that
 * the tests show that they would see it. CORE_MUTANT(name) stands at its place in the
 * code and is a constant 0 in every other build. */
#ifndef PARITY_CORE_MUTANTS_H
#define PARITY_CORE_MUTANTS_H

#include <stdbool.h>

#define CORE_MUTANT_LIST(X)                                                              \
    X(narrow_offset, "narrow forgets the offset of its start")                           \
    X(contiguous_size_one, "the contiguity test looks at strides of size-1 dims")        \
    X(transpose_strides, "transpose swaps the dims and leaves the strides")              \
    X(copy_layout, "copy() drops strides and offset")                                    \
    X(copy_shares, "copy() shares the storage")                                          \
    X(detach_copies, "detach() copies the storage")                                      \
    X(clone_id, "clone() consumes an identifier")                                        \
    X(affine_order, "affine adds before it multiplies")                                  \
    X(affine_shortcut, "affine(1, 0) returns the tensor itself")                         \
    X(sub_swapped, "sub computes rhs - lhs")                                             \
    X(cast_wraps, "to_dtype from float to int wraps instead of saturating")              \
    X(to_dtype_copies, "to_dtype to the same dtype makes a new tensor")                  \
    X(to_device_copies, "to_device to the same device makes a new tensor")               \
    X(slice_set_rows, "slice_set writes one block too few")                              \
    X(slice_set_offset, "slice_set ignores the offset")                                  \
    X(slice_set_alias, "slice_set does not check for a shared storage")                  \
    X(slice_set_contiguous, "slice_set does not check contiguity")                       \
    X(var_set_alias, "Var::set does not check for a shared storage")                     \
    X(var_set_replaces, "Var::set forgets the last element")                             \
    X(var_from_tensor_aliases, "Var::from_tensor does not copy a plain tensor")          \
    X(grad_constants, "backward gives constants no gradient")                            \
    X(lock_reads, "a write lock does not wait for readers")                              \
    X(metal_no_wait, "Metal: memory is read before the work on it is done")              \
    X(metal_wrong_index, "Metal: two operands of a kernel change places")                \
    X(metal_no_offset, "Metal: operands are bound without their offset")                 \
    X(metal_pool_reuse, "Metal: pooled memory is given away while a copy() holds it")    \
    X(metal_over_release, "Metal: memory is released twice")                             \
    X(metal_no_barrier, "Metal: the threads of a reduction do not wait for each other")  \
    X(metal_past_end, "Metal: unary kernels read the element behind theirs")

#ifdef CORE_MUTANTS
enum core_mutant_index {
#define X(name, about) CORE_MUTANT_##name,
    CORE_MUTANT_LIST(X)
#undef X
};
bool core_mutant_on(enum core_mutant_index index);
#define CORE_MUTANT(name) core_mutant_on(CORE_MUTANT_##name)
#else
#define CORE_MUTANT(name) 0
#endif

#endif
