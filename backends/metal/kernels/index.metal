/* index_select, gather, scatter, scatter_add, index_add.
 *
 * The largest value of the index type stands for "none". Indexes are not checked, as in
 * candle; index_select alone takes the last element for one beyond the end. */
template <typename I>
static I none();

template <>
uint8_t none<uint8_t>()
{
    return 0xff;
}

template <>
uint32_t none<uint32_t>()
{
    return 0xffffffffu;
}

template <>
int64_t none<int64_t>()
{
    return 0x7fffffffffffffff;
}

template <typename I, typename T>
static void index_select(constant metal_index_args &args, device const T *in,
                         device const I *ids, device T *out, uint i)
{
    if (i >= args.count)
        return;
    const I id = ids[(i / args.right) % args.ids];
    if (id == none<I>()) {
        out[i] = T(0);
        return;
    }
    const I last = I(args.length - 1), at = id < last ? id : last;
    const uint left = i / args.right / args.ids;
    out[i] = in[place((left * args.length + uint(at)) * args.right + i % args.right, args.in)];
}

template <typename I, typename T>
static void gather(constant metal_index_args &args, device const T *in,
                   device const I *ids, device T *out, uint i)
{
    if (i >= args.count)
        return;
    const I id = ids[i];
    const uint left = i / args.right / args.ids;
    out[i] = id == none<I>()
                 ? T(0)
                 : in[(left * args.length + uint(id)) * args.right + i % args.right];
}

/* A thread owns a line along the dim, so that threads never write the same element. */
template <typename I, typename T>
static void scatter(constant metal_index_args &args, device const T *source,
                    device const I *ids, device T *out, uint i, bool add)
{
    if (i >= args.count)
        return;
    const uint left = i / args.right, right = i % args.right;
    for (uint j = 0; j < args.ids; j++) {
        const uint from = (left * args.ids + j) * args.right + right;
        if (ids[from] == none<I>())
            continue;
        const uint to = (left * args.length + uint(ids[from])) * args.right + right;
        out[to] = add ? T(out[to] + source[from]) : source[from];
    }
}

template <typename I, typename T>
static void index_add(constant metal_index_args &args, device const T *source,
                      device const I *ids, device T *out, uint i)
{
    if (i >= args.count)
        return;
    const uint left = i / args.right, right = i % args.right;
    for (uint j = 0; j < args.ids; j++) {
        if (ids[j] == none<I>())
            continue;
        const uint from = (left * args.ids + j) * args.right + right;
        const uint to = (left * args.length + uint(ids[j])) * args.right + right;
        out[to] = T(out[to] + source[from]);
    }
}

#define INDEXED(kind, I, T, CALL)                                                        \
    kernel void kind(constant metal_index_args &args [[buffer(0)]],                      \
                     device const T *in [[buffer(1)]],                                   \
                     device const I *ids [[buffer(2)]], device T *out [[buffer(3)]],     \
                     uint i [[thread_position_in_grid]])                                 \
    {                                                                                    \
        CALL;                                                                            \
    }
#define SELECTS(ids_name, I, name, T)                                                    \
    INDEXED(index_select_##ids_name##_##name, I, T, index_select(args, in, ids, out, i)) \
    INDEXED(gather_##ids_name##_##name, I, T, gather(args, in, ids, out, i))             \
    INDEXED(index_add_##ids_name##_##name, I, T, index_add(args, in, ids, out, i))
#define SCATTERS(ids_name, I, name, T)                                                   \
    INDEXED(scatter_##ids_name##_##name, I, T, scatter(args, in, ids, out, i, false))    \
    INDEXED(scatter_add_##ids_name##_##name, I, T, scatter(args, in, ids, out, i, true))
#define FOR_IDS(ids_name, I)                                                             \
    SELECTS(ids_name, I, u8, uint8_t)                                                    \
    SELECTS(ids_name, I, u32, uint32_t)                                                  \
    SELECTS(ids_name, I, i64, int64_t)                                                   \
    SELECTS(ids_name, I, f32, float)                                                     \
    SCATTERS(ids_name, I, f32, float)
FOR_IDS(u8, uint8_t)
FOR_IDS(u32, uint32_t)
FOR_IDS(i64, int64_t)
SCATTERS(u32, uint32_t, u32, uint32_t)
