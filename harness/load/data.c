/* data: tensors that both programs find bound. */
#include "harness/load/elements.h"
#include "harness/load/loader.h"

#include <stdlib.h>
#include <string.h>

typedef struct datum {
    parity_loader *loader;
    parity_data *out;
    const parity_node *node;
    bool sized;  /* the shape is known */
    size_t left; /* bytes that data may still take */
} datum;

static const char *words(datum *d, const parity_node *node)
{
    return parity_words_of(d->loader, node, PARITY_LANGUAGES);
}

static bool read_dtype(datum *d)
{
    const parity_node *node = parity_node_get(d->node, "dtype");
    const char *names[PARITY_DTYPE_COUNT];
    if (node == NULL) {
        parity_loader_problem(d->loader, d->node, "tensor `%s` needs a dtype",
                              d->out->name);
        return false;
    }
    const char *text = words(d, node);
    if (parity_dtype_from_name(&d->out->dtype, text))
        return true;
    for (int i = 0; i < PARITY_DTYPE_COUNT; i++)
        names[i] = parity_dtype_name((parity_dtype)i);
    parity_hint hint;
    parity_loader_problem(d->loader, node, "`%s` is no dtype%s", text,
                          parity_suggest(&hint, text, names, PARITY_DTYPE_COUNT));
    return false;
}

static bool read_shape(datum *d)
{
    const parity_node *node = parity_node_get(d->node, "shape");
    if (node == NULL)
        return true;
    if (node->nitems > PARITY_MAX_RANK) {
        parity_loader_problem(d->loader, node, "a tensor has at most %d dimensions",
                              PARITY_MAX_RANK);
        return false;
    }
    for (size_t i = 0; i < node->nitems; i++) {
        const char *text = words(d, node->items[i]);
        size_t digits = strspn(text, "0123456789");
        if (digits == 0 || digits > 12 || text[digits] != '\0') {
            parity_loader_problem(d->loader, node->items[i],
                                  "`%s` is no size; it must be a whole number", text);
            return false;
        }
        d->out->shape[i] = strtoll(text, NULL, 10);
    }
    d->out->rank = node->nitems;
    d->sized = true;
    return true;
}

/* Bytes of the shape, or a problem when they are too many. */
static bool measure(datum *d, const parity_node *at)
{
    size_t bytes = parity_dtype_size(d->out->dtype);
    bool fits = true;
    for (size_t i = 0; i < d->out->rank; i++)
        fits &= !__builtin_mul_overflow(bytes, (size_t)d->out->shape[i], &bytes);
    if (fits && bytes <= d->left) {
        d->out->nbytes = bytes;
        return true;
    }
    parity_loader_problem(d->loader, at,
                          "the tensors of a case may take %zu MiB together",
                          PARITY_DATA_LIMIT >> 20);
    return false;
}

static size_t count_values(const parity_node *node)
{
    size_t count = node->shape == PARITY_SCALAR;
    for (size_t i = 0; i < node->nitems; i++)
        count += count_values(node->items[i]);
    return count;
}

/* The shape of nested lists, from their first items. */
static void infer_shape(datum *d, const parity_node *node)
{
    for (d->out->rank = 0; node->shape == PARITY_SEQUENCE; node = node->items[0]) {
        d->out->shape[d->out->rank++] = (int64_t)node->nitems;
        if (node->nitems == 0)
            return;
    }
}

/* Whether the lists are nested as the shape says, from dimension `at` on. */
static bool regular(datum *d, const parity_node *node, size_t at)
{
    bool leaf = at == d->out->rank;
    if (leaf != (node->shape == PARITY_SCALAR) ||
        (!leaf && (int64_t)node->nitems != d->out->shape[at])) {
        parity_loader_problem(d->loader, node,
                              "the nested lists are not all of one shape");
        return false;
    }
    for (size_t i = 0; i < node->nitems; i++)
        if (!regular(d, node->items[i], at + 1))
            return false;
    return true;
}

static bool store_values(datum *d, const parity_node *node, unsigned char **to)
{
    for (size_t i = 0; i < node->nitems; i++)
        if (!store_values(d, node->items[i], to))
            return false;
    if (node->shape == PARITY_SEQUENCE)
        return true;
    parity_error error;
    if (parity_element_from_text(d->out->dtype, words(d, node), *to, &error) != 0) {
        parity_loader_problem(d->loader, node, "%s", error.message);
        return false;
    }
    *to += parity_dtype_size(d->out->dtype);
    return true;
}

static void from_values(datum *d, const parity_node *values)
{
    bool flat = d->sized;
    for (size_t i = 0; i < values->nitems; i++)
        flat &= values->items[i]->shape == PARITY_SCALAR;
    if (!d->sized)
        infer_shape(d, values);
    if (!flat && !regular(d, values, 0))
        return;
    size_t count = count_values(values);
    if (!measure(d, values))
        return;
    if (count * parity_dtype_size(d->out->dtype) != d->out->nbytes) {
        parity_loader_problem(d->loader, values,
                              "%zu values, but the shape has %zu elements", count,
                              d->out->nbytes / parity_dtype_size(d->out->dtype));
        return;
    }
    unsigned char *bits = parity_arena_alloc(d->loader->suite->arena, d->out->nbytes + 1);
    d->out->bits = bits;
    store_values(d, values, &bits);
}

static void from_pattern(datum *d, const parity_node *pattern)
{
    if (!d->sized) {
        parity_loader_problem(d->loader, d->node, "tensor `%s` needs a shape",
                              d->out->name);
        return;
    }
    if (!measure(d, parity_node_get(d->node, "shape")))
        return;
    const char *name = words(d, pattern);
    void *bits = parity_arena_alloc(d->loader->suite->arena, d->out->nbytes + 1);
    size_t count = d->out->nbytes / parity_dtype_size(d->out->dtype);
    parity_error error;
    d->out->bits = bits;
    if (parity_pattern_fill(d->out->dtype, name, bits, count, &error) != 0)
        parity_loader_problem(d->loader, pattern, "%s", error.message);
}

static bool inside_folder(const char *path)
{
    if (*path == '/' || *path == '\0')
        return false;
    for (const char *at = path; at != NULL; at = strchr(at, '/')) {
        at += *at == '/';
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || at[2] == '\0'))
            return false;
    }
    return true;
}

/* A tensor of a file; dtype and shape, when given, must be those of the file. */
static void from_file(datum *d, const parity_node *file)
{
    const parity_node *tensor = parity_node_get(d->node, "tensor");
    const char *name = words(d, file);
    if (tensor == NULL || !inside_folder(name)) {
        if (tensor == NULL)
            parity_loader_problem(d->loader, d->node,
                                  "file: needs tensor:, its name in the file");
        else
            parity_loader_problem(d->loader, file,
                                  "`%s` must lie below the case file's folder", name);
        return;
    }
    const char *slash = strrchr(d->loader->source.file, '/');
    int folder = slash != NULL ? (int)(slash - d->loader->source.file) + 1 : 0;
    parity_buffer path = {0};
    parity_buffer_printf(&path, "%.*s%s", folder, d->loader->source.file, name);
    parity_stored stored;
    parity_error error;
    if (parity_safetensors_read(&stored, path.data, words(d, tensor), d->left, &error) !=
        0) {
        parity_loader_problem(d->loader, file, "%s %s", path.data, error.message);
    } else {
        d->out->dtype = stored.dtype;
        d->out->rank = stored.rank;
        memcpy(d->out->shape, stored.shape, sizeof stored.shape);
        d->out->nbytes = stored.nbytes;
        d->out->bits = parity_arena_alloc(d->loader->suite->arena, stored.nbytes + 1);
        memcpy((void *)(uintptr_t)d->out->bits, stored.bits, stored.nbytes);
        free(stored.bits);
    }
    parity_buffer_free(&path);
}

static void read_datum(datum *d)
{
    const parity_node *values = parity_node_get(d->node, "values");
    const parity_node *pattern = parity_node_get(d->node, "pattern");
    const parity_node *file = parity_node_get(d->node, "file");
    const parity_node *dtype = parity_node_get(d->node, "dtype");
    const parity_node *shape = parity_node_get(d->node, "shape");
    if ((values != NULL) + (pattern != NULL) + (file != NULL) != 1)
        parity_loader_problem(d->loader, d->node,
                              "tensor `%s` needs one of pattern:, values: and "
                              "file:",
                              d->out->name);
    else if (file != NULL && (dtype != NULL || shape != NULL))
        parity_loader_problem(d->loader, dtype != NULL ? dtype : shape,
                              "the file gives dtype and shape; leave them away");
    else if (file == NULL && parity_node_get(d->node, "tensor") != NULL)
        parity_loader_problem(d->loader, parity_node_get(d->node, "tensor"),
                              "tensor: goes with file:");
    else if (file != NULL)
        from_file(d, file);
    else if (read_dtype(d) && read_shape(d)) {
        if (values != NULL)
            from_values(d, values);
        else
            from_pattern(d, pattern);
    }
}

void parity_data_of(parity_loader *loader, parity_case *test, const parity_node *node)
{
    size_t count = node != NULL ? node->nitems / 2 : 0;
    size_t left = PARITY_DATA_LIMIT;
    test->data = parity_arena_alloc(loader->suite->arena, count * sizeof *test->data);
    for (size_t i = 0; i < count; i++) {
        const parity_node *name = node->items[2 * i];
        parity_data *out = &test->data[test->ndata++];
        out->name = parity_arena_strdup(loader->suite->arena, name->text);
        out->pos = parity_loader_pos(loader, name);
        if (name->text[0] >= '0' && name->text[0] <= '9')
            parity_loader_problem(loader, name, "`%s` is no name of a variable",
                                  name->text);
        datum d = {
            .loader = loader, .out = out, .node = node->items[2 * i + 1], .left = left};
        read_datum(&d);
        left -= out->bits != NULL ? out->nbytes : 0;
    }
}
