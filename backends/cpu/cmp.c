/* eq, ne, le, ge, lt, gt: u8 results. */
#include "backends/cpu/kernels.h"

#define BLOCK(name, s, T, OP)                                                            \
    static const char *name##_##s(void *restrict out, const void *a, size_t sa,          \
                                  const void *b, size_t sb, size_t n)                    \
    {                                                                                    \
        uint8_t *restrict y = out;                                                       \
        const T *p = a, *q = b;                                                          \
        if (sa == 1 && sb == 1)                                                          \
            for (size_t i = 0; i < n; i++)                                               \
                y[i] = p[i] OP q[i];                                                     \
        else                                                                             \
            for (size_t i = 0; i < n; i++)                                               \
                y[i] = p[i * sa] OP q[i * sb];                                           \
        return NULL;                                                                     \
    }
#define COMPARE(dtype, s, T, A)                                                          \
    BLOCK(eq, s, T, ==)                                                                  \
    BLOCK(ne, s, T, !=)                                                                  \
    BLOCK(le, s, T, <=)                                                                  \
    BLOCK(ge, s, T, >=)                                                                  \
    BLOCK(lt, s, T, <)                                                                   \
    BLOCK(gt, s, T, >)
CORE_FOR_DTYPES(COMPARE)

#define ROW(dtype, s, T, A)                                                              \
    [dtype] = {[CORE_EQ] = eq_##s, [CORE_NE] = ne_##s, [CORE_LE] = le_##s,               \
               [CORE_GE] = ge_##s, [CORE_LT] = lt_##s, [CORE_GT] = gt_##s},
static core_block2 *const blocks[CORE_DTYPE_COUNT][CORE_CMP_COUNT] = {
    CORE_FOR_DTYPES(ROW)};

core_status core_cpu_cmp(core_storage *out, core_cmp op, core_view lhs, core_view rhs,
                         core_error *error)
{
    return core_cpu_map2(out, lhs, rhs, blocks[lhs.storage->dtype][op], error);
}
