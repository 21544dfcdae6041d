/* What the files of kernels share; this text stands before each of them. */
#include <metal_stdlib>
using namespace metal;

/* Where element i of a view is, from its first. */
static uint place(uint i, constant metal_view &view)
{
    if (view.rank == 0)
        return i;
    uint at = 0;
    for (uint d = view.rank; d-- > 0;) {
        at += (i % view.dims[d]) * view.strides[d];
        i /= view.dims[d];
    }
    return at;
}

/* A float as an element: integers truncate and saturate, NaN is 0. */
template <typename T>
static T element(float v);

template <>
float element<float>(float v)
{
    return v;
}

template <>
uint8_t element<uint8_t>(float v)
{
    return v >= 255.0f ? uint8_t(255) : v > 0.0f ? uint8_t(v) : uint8_t(0);
}

template <>
uint32_t element<uint32_t>(float v)
{
    return v >= 4294967296.0f ? 0xffffffffu : v > 0.0f ? uint32_t(v) : 0u;
}

template <>
int64_t element<int64_t>(float v)
{
    if (v >= 9223372036854775808.0f)
        return 0x7fffffffffffffff;
    if (v <= -9223372036854775808.0f)
        return -0x7fffffffffffffff - 1;
    return v == v ? int64_t(v) : int64_t(0);
}
