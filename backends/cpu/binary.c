/* add, sub, mul, div, maximum, minimum (op.rs bin_op!). Integers wrap; their division
 * truncates and panics where Rust's does; maximum and minimum keep the left operand
 * unless the comparison holds, so that a NaN on the left stays and one on the right is
 * ignored. */
#include "backends/cpu/kernels.h"

/* The three loops that the compiler vectorises, and the general one. */
#define LOOPS(T, EXPR)                                                                   \
    T *restrict y = out;                                                                 \
    const T *p = a, *q = b;                                                              \
    if (sa == 1 && sb == 1) {                                                            \
        for (size_t i = 0; i < n; i++) {                                                 \
            const T l = p[i], r = q[i];                                                  \
            y[i] = EXPR;                                                                 \
        }                                                                                \
    } else if (sa == 1 && sb == 0) {                                                     \
        const T r = q[0];                                                                \
        for (size_t i = 0; i < n; i++) {                                                 \
            const T l = p[i];                                                            \
            y[i] = EXPR;                                                                 \
        }                                                                                \
    } else {                                                                             \
        for (size_t i = 0; i < n; i++) {                                                 \
            const T l = p[i * sa], r = q[i * sb];                                        \
            y[i] = EXPR;                                                                 \
        }                                                                                \
    }                                                                                    \
    return NULL;

#define BLOCK(name, s, T, EXPR)                                                          \
    static const char *name##_##s(void *restrict out, const void *a, size_t sa,          \
                                  const void *b, size_t sb, size_t n)                    \
    {                                                                                    \
        LOOPS(T, EXPR)                                                                   \
    }

#define ARITHMETIC(dtype, s, T, A)                                                       \
    BLOCK(add, s, T, (T)((A)l + (A)r))                                                   \
    BLOCK(sub, s, T, CORE_MUTANT(sub_swapped) ? (T)((A)r - (A)l) : (T)((A)l - (A)r))     \
    BLOCK(mul, s, T, (T)((A)l * (A)r))                                                   \
    BLOCK(maximum, s, T, l < r ? r : l)                                                  \
    BLOCK(minimum, s, T, l > r ? r : l)
CORE_FOR_DTYPES(ARITHMETIC)

#define DIV_FLOAT(dtype, s, T, A) BLOCK(div, s, T, l / r)
CORE_FOR_FLOATS(DIV_FLOAT)

/* (T)-1 < 0 tells signed types; the most negative value has no other bit than its sign.
 */
#define DIV_INT(dtype, s, T, A)                                                          \
    static const char *div_##s(void *restrict out, const void *a, size_t sa,             \
                               const void *b, size_t sb, size_t n)                       \
    {                                                                                    \
        T *restrict y = out;                                                             \
        const T *p = a, *q = b;                                                          \
        for (size_t i = 0; i < n; i++) {                                                 \
            const T l = p[i * sa], r = q[i * sb];                                        \
            if (r == 0)                                                                  \
                return "attempt to divide by zero";                                      \
            if ((T)-1 < 0 && r == (T)-1) {                                               \
                if (l != 0 && l == (T)(0 - (A)l))                                        \
                    return "attempt to divide with overflow";                            \
                y[i] = (T)(0 - (A)l);                                                    \
            } else {                                                                     \
                y[i] = (T)(l / r);                                                       \
            }                                                                            \
        }                                                                                \
        return NULL;                                                                     \
    }
CORE_FOR_INTS(DIV_INT)

#define ROW(dtype, s, T, A)                                                              \
    [dtype] = {[CORE_ADD] = add_##s,         [CORE_SUB] = sub_##s,                       \
               [CORE_MUL] = mul_##s,         [CORE_DIV] = div_##s,                       \
               [CORE_MAXIMUM] = maximum_##s, [CORE_MINIMUM] = minimum_##s},
static core_block2 *const blocks[CORE_DTYPE_COUNT][CORE_BINARY_COUNT] = {
    CORE_FOR_DTYPES(ROW)};

core_status core_cpu_binary(core_storage *out, core_binary op, core_view lhs,
                            core_view rhs, core_error *error)
{
    return core_cpu_map2(out, lhs, rhs, blocks[out->dtype][op], error);
}
