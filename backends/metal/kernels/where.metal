/* where_cond: a predicate that is not zero chooses the first. */
#define WHERE(name, P, T)                                                                \
    kernel void where_##name(constant metal_where_args &args [[buffer(0)]],              \
                             device const P *pred [[buffer(1)]],                         \
                             device const T *on_true [[buffer(2)]],                      \
                             device const T *on_false [[buffer(3)]],                     \
                             device T *out [[buffer(4)]],                                \
                             uint i [[thread_position_in_grid]])                         \
    {                                                                                    \
        if (i >= args.count)                                                             \
            return;                                                                      \
        const T yes = on_true[place(i, args.on_true)];                                   \
        const T no = on_false[place(i, args.on_false)];                                  \
        out[i] = pred[place(i, args.pred)] != 0 ? yes : no;                              \
    }
WHERE(u8_u8, uint8_t, uint8_t)
WHERE(u8_u32, uint8_t, uint32_t)
WHERE(u8_i64, uint8_t, int64_t)
WHERE(u8_f32, uint8_t, float)
WHERE(u32_f32, uint32_t, float)
