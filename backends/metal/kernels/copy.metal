/* Copies and fills: only the size of an element matters. */
#define COPIES(bits, T)                                                                  \
    kernel void copy_##bits(constant metal_map_args &args [[buffer(0)]],                 \
                            device const T *in [[buffer(1)]],                            \
                            device T *out [[buffer(2)]],                                 \
                            uint i [[thread_position_in_grid]])                          \
    {                                                                                    \
        if (i < args.count)                                                              \
            out[i] = in[place(i, args.in)];                                              \
    }                                                                                    \
    kernel void copy2d_##bits(constant metal_copy2d_args &args [[buffer(0)]],            \
                              device const T *in [[buffer(1)]],                          \
                              device T *out [[buffer(2)]],                               \
                              uint i [[thread_position_in_grid]])                        \
    {                                                                                    \
        if (i >= args.rows * args.cols)                                                  \
            return;                                                                      \
        const uint row = i / args.cols, col = i % args.cols;                             \
        out[row * args.out_stride + col] = in[row * args.in_stride + col];               \
    }                                                                                    \
    kernel void fill_##bits(constant metal_fill_args &args [[buffer(0)]],                \
                            device T *out [[buffer(1)]],                                 \
                            uint i [[thread_position_in_grid]])                          \
    {                                                                                    \
        if (i < args.count)                                                              \
            out[place(i, args.out)] = T(args.low | uint64_t(args.high) << 32);           \
    }
COPIES(8, uint8_t)
COPIES(16, uint16_t)
COPIES(32, uint32_t)
COPIES(64, uint64_t)
