/* add, sub, mul, div, maximum, minimum, and the comparisons, whose results are u8. */
#define PAIR(name, T, U, EXPR)                                                           \
    kernel void name(constant metal_pair_args &args [[buffer(0)]],                       \
                     device const T *lhs [[buffer(1)]],                                  \
                     device const T *rhs [[buffer(2)]], device U *out [[buffer(3)]],     \
                     uint i [[thread_position_in_grid]])                                 \
    {                                                                                    \
        if (i >= args.count)                                                             \
            return;                                                                      \
        const T x = lhs[place(i, args.lhs)], y = rhs[place(i, args.rhs)];                \
        out[i] = U(EXPR);                                                                \
    }

/* Integers wrap, which signed ones may only do as unsigned. */
#define PAIRS(name, T, A)                                                                \
    PAIR(badd_##name, T, T, A(x) + A(y))                                                 \
    PAIR(bsub_##name, T, T, A(x) - A(y))                                                 \
    PAIR(bmul_##name, T, T, A(x) * A(y))                                                 \
    PAIR(bdiv_##name, T, T, x / y)                                                       \
    PAIR(bmaximum_##name, T, T, x > y ? x : y)                                           \
    PAIR(bminimum_##name, T, T, x < y ? x : y)                                           \
    PAIR(eq_##name, T, uint8_t, x == y)                                                  \
    PAIR(ne_##name, T, uint8_t, x != y)                                                  \
    PAIR(le_##name, T, uint8_t, x <= y)                                                  \
    PAIR(ge_##name, T, uint8_t, x >= y)                                                  \
    PAIR(lt_##name, T, uint8_t, x < y)                                                   \
    PAIR(gt_##name, T, uint8_t, x > y)
PAIRS(u8, uint8_t, uint32_t)
PAIRS(u32, uint32_t, uint32_t)
PAIRS(i64, int64_t, uint64_t)
PAIRS(f32, float, float)
