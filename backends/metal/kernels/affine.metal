/* affine, powf, elu. They calculate in f32, whatever the element is; affine rounds once. */
template <typename T>
static void affine(constant metal_map_args &args, device const T *in, device T *out, uint i)
{
    if (i < args.count)
        out[i] = element<T>(fma(float(in[place(i, args.in)]), args.a, args.b));
}

#define AFFINE(name, T)                                                                  \
    kernel void affine_##name(constant metal_map_args &args [[buffer(0)]],               \
                              device const T *in [[buffer(1)]],                          \
                              device T *out [[buffer(2)]],                               \
                              uint i [[thread_position_in_grid]])                        \
    {                                                                                    \
        affine(args, in, out, i);                                                        \
    }
AFFINE(u8, uint8_t)
AFFINE(u32, uint32_t)
AFFINE(i64, int64_t)
AFFINE(f32, float)

kernel void powf_f32(constant metal_map_args &args [[buffer(0)]],
                     device const float *in [[buffer(1)]],
                     device float *out [[buffer(2)]],
                     uint i [[thread_position_in_grid]])
{
    if (i < args.count)
        out[i] = pow(in[place(i, args.in)], args.a);
}

kernel void elu_f32(constant metal_map_args &args [[buffer(0)]],
                    device const float *in [[buffer(1)]],
                    device float *out [[buffer(2)]],
                    uint i [[thread_position_in_grid]])
{
    if (i >= args.count)
        return;
    const float x = in[place(i, args.in)];
    out[i] = x > 0.0f ? x : args.a * (exp(x) - 1.0f);
}
