/* out = in * mul + add, two roundings; mul and add are converted to the element type
 * first, so for integers they lose their fraction and saturate (cpu_backend/mod.rs struct
 * Affine). */
#include "backends/cpu/kernels.h"

typedef struct affine_params {
    double mul;
    double add;
} affine_params;

#define AFFINE(dtype, s, T, A)                                                           \
    static void affine_##s(void *restrict out, const void *in, size_t n, size_t stride,  \
                           const void *params)                                           \
    {                                                                                    \
        const affine_params *p = params;                                                 \
        const A mul = (A)core_##s##_from_f64(p->mul),                                    \
                add = (A)core_##s##_from_f64(p->add);                                    \
        T *restrict y = out;                                                             \
        const T *x = in;                                                                 \
        if (CORE_MUTANT(affine_order))                                                   \
            for (size_t i = 0; i < n; i++)                                               \
                y[i] = (T)(((A)x[i * stride] + add) * mul);                              \
        else if (stride == 1)                                                            \
            for (size_t i = 0; i < n; i++)                                               \
                y[i] = (T)((A)x[i] * mul + add);                                         \
        else                                                                             \
            for (size_t i = 0; i < n; i++)                                               \
                y[i] = (T)((A)x[i * stride] * mul + add);                                \
    }
CORE_FOR_DTYPES(AFFINE)

#define ROW(dtype, s, T, A) [dtype] = affine_##s,
static core_block1 *const blocks[CORE_DTYPE_COUNT] = {CORE_FOR_DTYPES(ROW)};

core_status core_cpu_affine(core_storage *out, core_view in, double mul, double add,
                            core_error *error)
{
    return core_cpu_map1(out, in, blocks[out->dtype], &(affine_params){mul, add}, error);
}
