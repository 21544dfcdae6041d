/* to_dtype. From floats it truncates and saturates; integers keep their low bits. */
#define CAST(name, T, U, EXPR)                                                           \
    kernel void cast_##name(constant metal_map_args &args [[buffer(0)]],                 \
                            device const T *in [[buffer(1)]],                            \
                            device U *out [[buffer(2)]],                                 \
                            uint i [[thread_position_in_grid]])                          \
    {                                                                                    \
        if (i >= args.count)                                                             \
            return;                                                                      \
        const T x = in[place(i, args.in)];                                               \
        out[i] = EXPR;                                                                   \
    }
CAST(u8_u32, uint8_t, uint32_t, uint32_t(x))
CAST(u8_i64, uint8_t, int64_t, int64_t(x))
CAST(u8_f32, uint8_t, float, float(x))
CAST(u32_u8, uint32_t, uint8_t, uint8_t(x))
CAST(u32_i64, uint32_t, int64_t, int64_t(x))
CAST(u32_f32, uint32_t, float, float(x))
CAST(i64_u8, int64_t, uint8_t, uint8_t(x))
CAST(i64_u32, int64_t, uint32_t, uint32_t(x))
CAST(i64_f32, int64_t, float, float(x))
CAST(f32_u8, float, uint8_t, element<uint8_t>(x))
CAST(f32_u32, float, uint32_t, element<uint32_t>(x))
CAST(f32_i64, float, int64_t, element<int64_t>(x))
