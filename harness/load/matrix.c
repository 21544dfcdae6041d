/* matrix: names with lists of values, the combinations, and when: */
#include "harness/load/loader.h"

#include <string.h>

/* A label and its texts: `f32`, or `f32: {torch: torch.float32, candle: DType::F32}`. */
static void read_variant(parity_loader *loader, parity_axis *axis,
                         const parity_node *label, const parity_node *item)
{
    size_t i = axis->count++;
    axis->labels[i] = label;
    for (int l = 0; l < PARITY_LANGUAGES; l++)
        axis->texts[l][i] =
            item->shape == PARITY_SCALAR
                ? item
                : parity_node_get(item, parity_language_name((parity_language)l));
    for (size_t j = 0; j < i; j++)
        if (strcmp(axis->labels[j]->text, label->text) == 0)
            parity_loader_problem(loader, label, "%s has `%s` twice", axis->name,
                                  label->text);
}

/* A list has values that are their own labels; a mapping gives each label its text. */
static size_t count_variants(const parity_node *node)
{
    return node->shape == PARITY_SEQUENCE ? node->nitems : node->nitems / 2;
}

static void read_axis(parity_loader *loader, const parity_node *name,
                      const parity_node *node)
{
    parity_axis *axis = &loader->axes[loader->naxes++];
    size_t bytes = node->nitems * sizeof(parity_node *);
    axis->name = name->text;
    axis->labels = parity_arena_alloc(loader->nodes, bytes);
    for (int l = 0; l < PARITY_LANGUAGES; l++)
        axis->texts[l] = parity_arena_alloc(loader->nodes, bytes);
    if (node->shape == PARITY_SEQUENCE)
        for (size_t i = 0; i < node->nitems; i++)
            read_variant(loader, axis, node->items[i], node->items[i]);
    else
        for (size_t i = 0; i + 1 < node->nitems; i += 2)
            read_variant(loader, axis, node->items[i], node->items[i + 1]);
}

void parity_matrix_read(parity_loader *loader, const parity_node *matrix)
{
    if (matrix == NULL)
        return;
    size_t cases = 1;
    for (size_t i = 0; i + 1 < matrix->nitems; i += 2) {
        const parity_node *list = matrix->items[i + 1];
        size_t count = count_variants(list);
        if (count == 0) {
            parity_loader_problem(loader, list,
                                  "`%s` has no values, so there would be no case",
                                  matrix->items[i]->text);
            return;
        }
        if (i / 2 == PARITY_MATRIX_LIMIT) {
            parity_loader_problem(loader, matrix->items[i],
                                  "a matrix has at most %d names", PARITY_MATRIX_LIMIT);
            return;
        }
        cases = list->nitems > PARITY_CASES_LIMIT ? PARITY_CASES_LIMIT + 1
                                                  : cases * list->nitems;
        if (cases > PARITY_CASES_LIMIT) {
            parity_loader_problem(loader, matrix->items[i],
                                  "the matrix makes more than %d cases; split the file",
                                  PARITY_CASES_LIMIT);
            return;
        }
        read_axis(loader, matrix->items[i], list);
    }
}

bool parity_matrix_next(parity_loader *loader)
{
    for (size_t i = loader->naxes; i-- > 0;) {
        parity_axis *axis = &loader->axes[i];
        if (++axis->chosen < axis->count)
            return true;
        axis->chosen = 0;
    }
    return false;
}

void parity_matrix_suffix(const parity_loader *loader, parity_buffer *out)
{
    for (size_t i = 0; i < loader->naxes; i++) {
        const parity_axis *axis = &loader->axes[i];
        parity_buffer_char(out, i == 0 ? '[' : ',');
        parity_buffer_text(out, axis->labels[axis->chosen]->text);
    }
    if (loader->naxes > 0)
        parity_buffer_char(out, ']');
}

/* Whether `label` is the axis' present value; reports a label that the axis does not
 * have. */
static bool fits_label(parity_loader *loader, const parity_axis *axis,
                       const parity_node *label)
{
    if (strcmp(axis->labels[axis->chosen]->text, label->text) == 0)
        return true;
    const char *known[PARITY_CASES_LIMIT];
    for (size_t i = 0; i < axis->count; i++) {
        known[i] = axis->labels[i]->text;
        if (strcmp(known[i], label->text) == 0)
            return false;
    }
    parity_hint hint;
    parity_loader_problem(loader, label, "`%s` is no value of %s%s", label->text,
                          axis->name,
                          parity_suggest(&hint, label->text, known, axis->count));
    return false;
}

static parity_axis *find_axis(parity_loader *loader, const parity_node *name)
{
    const char *known[PARITY_MATRIX_LIMIT];
    for (size_t i = 0; i < loader->naxes; i++) {
        known[i] = loader->axes[i].name;
        if (strcmp(known[i], name->text) == 0)
            return &loader->axes[i];
    }
    parity_hint hint;
    parity_loader_problem(loader, name, "`%s` is no name of the matrix%s", name->text,
                          parity_suggest(&hint, name->text, known, loader->naxes));
    return NULL;
}

bool parity_matrix_fits(parity_loader *loader, const parity_node *when)
{
    bool fits = true;
    for (size_t i = 0; when != NULL && i + 1 < when->nitems; i += 2) {
        parity_axis *axis = find_axis(loader, when->items[i]);
        if (axis == NULL)
            return false;
        axis->used = true;
        const parity_node *labels = when->items[i + 1];
        bool any = false;
        if (labels->shape == PARITY_SCALAR)
            any = fits_label(loader, axis, labels);
        else
            for (size_t j = 0; j < labels->nitems; j++)
                any |= fits_label(loader, axis, labels->items[j]);
        fits &= any;
    }
    return fits;
}

const parity_node *parity_matrix_choose(parity_loader *loader, const parity_node *node)
{
    if (node == NULL)
        return NULL;
    if (node->shape != PARITY_SEQUENCE)
        return parity_matrix_fits(loader, parity_node_get(node, "when")) ? node : NULL;
    if (node->nitems == 0)
        parity_loader_problem(loader, node, "is an empty list; leave the key away");
    const parity_node *chosen = NULL;
    for (size_t i = 0; i < node->nitems; i++) {
        const parity_node *when = parity_node_get(node->items[i], "when");
        if (when == NULL && i + 1 < node->nitems)
            parity_loader_problem(
                loader, node->items[i],
                "has no when:, so nothing after it is ever taken; put it last");
        if (parity_matrix_fits(loader, when) && chosen == NULL)
            chosen = node->items[i];
    }
    return chosen;
}

void parity_matrix_finish(parity_loader *loader)
{
    const parity_node *matrix = parity_node_get(loader->root, "matrix");
    for (size_t i = 0; i < loader->naxes; i++)
        if (!loader->axes[i].used)
            parity_loader_problem(
                loader, matrix->items[2 * i],
                "nothing uses ${%s}, so all its cases would be the same",
                loader->axes[i].name);
}
