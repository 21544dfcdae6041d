#include "oracles/libtorch/look.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

enum {
    BYTES_LIMIT_GIB =
        4,      /* of one tensor; more could not be hashed in the time of a case */
    SHOWN = 32, /* bytes that a digest spells out */
};

static const char *const dtype_names[PARITY_DTYPE_COUNT] = {
    [PARITY_BOOL8] = "bool",  [PARITY_U8] = "uint8",
    [PARITY_I8] = "int8",     [PARITY_U16] = "uint16",
    [PARITY_I16] = "int16",   [PARITY_U32] = "uint32",
    [PARITY_I32] = "int32",   [PARITY_U64] = "uint64",
    [PARITY_I64] = "int64",   [PARITY_BF16] = "bfloat16",
    [PARITY_F16] = "float16", [PARITY_F32] = "float32",
    [PARITY_F64] = "float64", [PARITY_F8E4M3] = "float8_e4m3fn",
};

const char *libtorch_dtype_name(parity_dtype dtype)
{
    return dtype_names[dtype];
}

int libtorch_look(parity_tensor *out, const shim_info *info, parity_error *reason)
{
    if (strcmp(info->layout, "strided") != 0)
        return parity_fail(reason, "a tensor of layout %s is not observed", info->layout);
    if (strcmp(info->device, "cpu") != 0)
        return parity_fail(reason, "a tensor on device %s is not observed", info->device);
    if (info->negative)
        return parity_fail(reason, "a tensor with the lazy negative bit is not observed; "
                                   "resolve_neg() first");
    size_t dtype = 0;
    while (dtype < PARITY_DTYPE_COUNT && strcmp(dtype_names[dtype], info->dtype) != 0)
        dtype++;
    if (dtype == PARITY_DTYPE_COUNT)
        return parity_fail(reason, "a tensor of dtype %s is not observed", info->dtype);
    if (!info->readable)
        return parity_fail(reason, "a tensor without memory of its own is not observed");
    if (info->rank > PARITY_MAX_RANK)
        return parity_fail(reason, "a tensor of %zu dimensions is not observed",
                           info->rank);
    out->dtype = (parity_dtype)dtype;
    out->rank = info->rank;
    memcpy(out->shape, info->sizes, info->rank * sizeof *info->sizes);
    memcpy(out->strides, info->strides, info->rank * sizeof *info->strides);
    out->offset = info->offset;
    return 0;
}

/* The elements of `tensor` in memory, and their number of bytes. */
static int place(libtorch_strided *array, int64_t *size, const parity_tensor *tensor,
                 const unsigned char *storage, int64_t bytes, parity_error *reason)
{
    int64_t item = (int64_t)parity_dtype_size(tensor->dtype);
    int64_t count = 1, start, end;
    for (size_t i = 0; i < tensor->rank; i++)
        if (__builtin_mul_overflow(count, tensor->shape[i], &count))
            count = INT64_MAX / item;
    if (count > ((int64_t)BYTES_LIMIT_GIB << 30) / item)
        return parity_fail(reason, "a tensor of more than %d GiB is not observed",
                           BYTES_LIMIT_GIB);
    *array = (libtorch_strided){NULL, (size_t)item, tensor->rank, tensor->shape,
                                tensor->strides};
    int64_t extent = libtorch_strided_extent(array);
    /* A storage can be resized under its tensors; reading would then leave it. */
    if (extent < 0 || __builtin_mul_overflow(tensor->offset, item, &start) ||
        __builtin_add_overflow(start, extent, &end) || (extent > 0 && end > bytes))
        return parity_fail(reason,
                           "the storage of the tensor is smaller than the tensor");
    if (extent > 0)
        array->first = storage + start;
    *size = count * item;
    return 0;
}

int libtorch_bits(parity_tensor *out, const unsigned char *storage, int64_t bytes,
                  parity_error *reason)
{
    libtorch_strided array;
    int64_t size;
    if (place(&array, &size, out, storage, bytes, reason) != 0)
        return -1;
    libtorch_strided_observe(out, &array);
    return 0;
}

int libtorch_digest(char text[LIBTORCH_DIGEST], const shim_info *info,
                    parity_error *reason)
{
    parity_tensor tensor = {0};
    libtorch_strided array;
    int64_t size;
    unsigned char bits[SHOWN];
    if (libtorch_look(&tensor, info, reason) != 0 ||
        place(&array, &size, &tensor, info->data, (int64_t)info->bytes, reason) != 0)
        return -1;
    if (size > SHOWN) {
        snprintf(text, LIBTORCH_DIGEST, "#%016llx",
                 (unsigned long long)libtorch_strided_hash(&array));
        return 0;
    }
    libtorch_strided_copy(bits, &array, 0, (size_t)size / array.item);
    strcpy(text, "=");
    for (int64_t i = 0; i < size; i++)
        snprintf(text + 1 + 2 * i, 3, "%02x", bits[i]);
    return 0;
}

uint64_t libtorch_storage_hash(const shim_info *info)
{
    return info->bytes > 0 ? XXH3_64bits(info->data, info->bytes) : 0;
}
