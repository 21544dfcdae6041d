/* sum, min, max, argmin, argmax: a threadgroup makes one result. Its threads take every
 * width-th element each, then halve among themselves. Of equal elements the first wins; a
 * NaN gives way to what comes after it. */
template <typename T>
static T lowest();

template <>
uint8_t lowest<uint8_t>()
{
    return 0;
}

template <>
uint32_t lowest<uint32_t>()
{
    return 0;
}

template <>
int64_t lowest<int64_t>()
{
    return -0x7fffffffffffffff - 1;
}

template <>
float lowest<float>()
{
    return -3.4028234663852886e38f;
}

template <typename T>
static T highest();

template <>
uint8_t highest<uint8_t>()
{
    return 0xff;
}

template <>
uint32_t highest<uint32_t>()
{
    return 0xffffffffu;
}

template <>
int64_t highest<int64_t>()
{
    return 0x7fffffffffffffff;
}

template <>
float highest<float>()
{
    return 3.4028234663852886e38f;
}

#define REDUCE(name, T, FIRST, EXPR)                                                     \
    kernel void name(constant metal_reduce_args &args [[buffer(0)]],                     \
                     device const T *in [[buffer(1)]], device T *out [[buffer(2)]],      \
                     threadgroup T *shared [[threadgroup(0)]],                           \
                     uint thread_index [[thread_position_in_threadgroup]],               \
                     uint result [[threadgroup_position_in_grid]])                       \
    {                                                                                    \
        T x = FIRST;                                                                     \
        for (uint i = thread_index; i < args.work; i += args.width) {                    \
            const T y = in[place(result * args.work + i, args.in)];                      \
            x = EXPR;                                                                    \
        }                                                                                \
        shared[thread_index] = x;                                                        \
        threadgroup_barrier(mem_flags::mem_threadgroup);                                 \
        for (uint half_width = args.width / 2; half_width > 0; half_width /= 2) {        \
            if (thread_index < half_width) {                                             \
                const T y = shared[thread_index + half_width];                           \
                x = shared[thread_index];                                                \
                shared[thread_index] = EXPR;                                             \
            }                                                                            \
            threadgroup_barrier(mem_flags::mem_threadgroup);                             \
        }                                                                                \
        if (thread_index == 0)                                                           \
            out[result] = shared[0];                                                     \
    }

/* An element with its index along the dim. */
template <typename T>
struct indexed {
    uint i;
    T value;
};

#define BETTER(a, b, OP) ((a).value OP(b).value || ((a).value == (b).value && (a).i < (b).i))

#define ARG_REDUCE(name, T, FIRST, OP)                                                   \
    kernel void name(constant metal_reduce_args &args [[buffer(0)]],                     \
                     device const T *in [[buffer(1)]],                                   \
                     device uint32_t *out [[buffer(2)]],                                 \
                     threadgroup indexed<T> *shared [[threadgroup(0)]],                  \
                     uint thread_index [[thread_position_in_threadgroup]],               \
                     uint result [[threadgroup_position_in_grid]])                       \
    {                                                                                    \
        indexed<T> x = {0, FIRST};                                                       \
        for (uint i = thread_index; i < args.work; i += args.width) {                    \
            const indexed<T> y = {i % args.last,                                         \
                                  in[place(result * args.work + i, args.in)]};           \
            x = BETTER(x, y, OP) ? x : y;                                                \
        }                                                                                \
        shared[thread_index] = x;                                                        \
        threadgroup_barrier(mem_flags::mem_threadgroup);                                 \
        for (uint half_width = args.width / 2; half_width > 0; half_width /= 2) {        \
            if (thread_index < half_width) {                                             \
                const indexed<T> y = shared[thread_index + half_width];                  \
                x = shared[thread_index];                                                \
                shared[thread_index] = BETTER(x, y, OP) ? x : y;                         \
            }                                                                            \
            threadgroup_barrier(mem_flags::mem_threadgroup);                             \
        }                                                                                \
        if (thread_index == 0)                                                           \
            out[result] = shared[0].i;                                                   \
    }

#define REDUCES(name, T, A)                                                              \
    REDUCE(sum_##name, T, T(0), T(A(x) + A(y)))                                          \
    REDUCE(min_##name, T, highest<T>(), y < x ? y : x)                                   \
    REDUCE(max_##name, T, lowest<T>(), y > x ? y : x)                                    \
    ARG_REDUCE(argmin_##name, T, highest<T>(), <)                                        \
    ARG_REDUCE(argmax_##name, T, lowest<T>(), >)
REDUCES(u8, uint8_t, uint32_t)
REDUCES(u32, uint32_t, uint32_t)
REDUCES(i64, int64_t, uint64_t)
REDUCES(f32, float, float)
