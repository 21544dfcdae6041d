/* One tensor out of a safetensors file: eight bytes with the length of a JSON header, the
 * header (name → dtype, shape, data_offsets), the bytes.
 * https://github.com/huggingface/safetensors */
#include "harness/load/elements.h"
#include "harness/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADER_LIMIT ((uint64_t)16 << 20)

static const struct {
    const char *name;
    parity_dtype dtype;
} dtypes[] = {
    {"BOOL", PARITY_BOOL8}, {"U8", PARITY_U8},          {"I8", PARITY_I8},
    {"U16", PARITY_U16},    {"I16", PARITY_I16},        {"U32", PARITY_U32},
    {"I32", PARITY_I32},    {"U64", PARITY_U64},        {"I64", PARITY_I64},
    {"BF16", PARITY_BF16},  {"F16", PARITY_F16},        {"F32", PARITY_F32},
    {"F64", PARITY_F64},    {"F8_E4M3", PARITY_F8E4M3},
};

static int dtype_of(parity_dtype *out, const json_t *name, parity_error *error)
{
    const char *text = json_is_string(name) ? json_string_value(name) : "";
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
        if (strcmp(dtypes[i].name, text) == 0) {
            *out = dtypes[i].dtype;
            return 0;
        }
    return parity_fail(error, "has a dtype `%.40s`, which Parity does not know", text);
}

/* Fills count bytes from a place of the file. */
static int read_at(int fd, void *bytes, size_t count, uint64_t offset,
                   parity_error *error)
{
    size_t done = 0;
    while (done < count) {
        ssize_t n = pread(fd, (char *)bytes + done, count - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return parity_fail(error, "cannot be read: %s", strerror(errno));
        if (n == 0)
            return parity_fail(error, "ends too early; it is cut or no safetensors file");
        done += (size_t)n;
    }
    return 0;
}

static int read_header(json_t **out, uint64_t *data, int fd, parity_error *error)
{
    unsigned char prefix[8];
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return parity_fail(error, "is not a regular file");
    if (read_at(fd, prefix, sizeof prefix, 0, error) != 0)
        return -1;
    uint64_t length = 0;
    for (int i = 7; i >= 0; i--)
        length = length << 8 | prefix[i];
    if (length > HEADER_LIMIT || length > (uint64_t)st.st_size - 8)
        return parity_fail(error, "has no safetensors header");
    char *text = parity_alloc((size_t)length + 1);
    int code = read_at(fd, text, (size_t)length, 8, error);
    json_error_t why;
    *out =
        code == 0 ? json_loadb(text, (size_t)length, JSON_REJECT_DUPLICATES, &why) : NULL;
    free(text);
    *data = 8 + length;
    if (code == 0 && !json_is_object(*out))
        code = parity_fail(error, "has no safetensors header");
    return code;
}

/* Dtype, shape and place of the tensor; the size must be that of the shape. */
static int read_entry(parity_stored *out, uint64_t *begin, const json_t *entry,
                      parity_error *error)
{
    const json_t *shape = json_object_get(entry, "shape");
    const json_t *offsets = json_object_get(entry, "data_offsets");
    if (dtype_of(&out->dtype, json_object_get(entry, "dtype"), error) != 0)
        return -1;
    if (!json_is_array(shape) || json_array_size(shape) > 32 ||
        json_array_size(offsets) != 2)
        return parity_fail(error, "has a broken entry for the tensor");
    uint64_t bytes = parity_dtype_size(out->dtype);
    out->rank = json_array_size(shape);
    for (size_t i = 0; i < out->rank; i++) {
        json_int_t n = json_integer_value(json_array_get(shape, i));
        if (n < 0 || !json_is_integer(json_array_get(shape, i)) ||
            __builtin_mul_overflow(bytes, (uint64_t)n, &bytes))
            return parity_fail(error, "has a broken shape for the tensor");
        out->shape[i] = n;
    }
    json_int_t from = json_integer_value(json_array_get(offsets, 0));
    json_int_t to = json_integer_value(json_array_get(offsets, 1));
    if (from < 0 || to < from || (uint64_t)(to - from) != bytes)
        return parity_fail(error, "gives the tensor another size than its shape has");
    *begin = (uint64_t)from;
    out->nbytes = (size_t)bytes;
    return 0;
}

static int read_tensor(parity_stored *out, int fd, const char *tensor, size_t limit,
                       parity_error *error)
{
    json_t *header = NULL;
    uint64_t data = 0;
    uint64_t begin = 0;
    int code = read_header(&header, &data, fd, error);
    const json_t *entry = code == 0 ? json_object_get(header, tensor) : NULL;
    if (code == 0 && (entry == NULL || strcmp(tensor, "__metadata__") == 0))
        code = parity_fail(error, "has no tensor `%.100s`", tensor);
    if (code == 0)
        code = read_entry(out, &begin, entry, error);
    if (code == 0 && out->nbytes > limit)
        code = parity_fail(
            error, "tensor `%.100s` takes %zu bytes; at most %zu are allowed here",
            tensor, out->nbytes, limit);
    if (code == 0) {
        out->bits = parity_alloc(out->nbytes + 1);
        code = read_at(fd, out->bits, out->nbytes, data + begin, error);
    }
    json_decref(header);
    return code;
}

int parity_safetensors_read(parity_stored *out, const char *path, const char *tensor,
                            size_t limit, parity_error *error)
{
    *out = (parity_stored){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return parity_fail(error, "cannot be opened: %s", strerror(errno));
    int code = read_tensor(out, fd, tensor, limit, error);
    close(fd);
    if (code != 0) {
        free(out->bits);
        out->bits = NULL;
    }
    return code;
}
