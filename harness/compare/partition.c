/* Memory relations: which observed values share a storage, and which are the same tensor.
 * The names of storages mean nothing between two engines; which values have the same one
 * does. */
#include "harness/base/memory.h"
#include "harness/compare/judge.h"

#include <stdlib.h>

typedef struct slot {
    uint32_t storage[2];
    uint32_t handle[2];
    size_t observe;
} slot;

typedef struct slots {
    slot *items;
    size_t count;
    size_t capacity;
} slots;

static void collect(slots *all, size_t observe, const parity_value *left,
                    const parity_value *right)
{
    if (!left || !right || left->kind != right->kind || left->nitems != right->nitems)
        return;
    for (size_t i = 0; i < left->nitems; i++)
        collect(all, observe, left->items[i], right->items[i]);
    if (left->kind != PARITY_VALUE_TENSOR)
        return;
    PARITY_GROW(all->items, all->count, all->capacity);
    all->items[all->count++] = (slot){{left->tensor->storage, right->tensor->storage},
                                      {left->tensor->handle, right->tensor->handle},
                                      observe};
}

static const uint32_t *identity(const slot *one, bool handle)
{
    return handle ? one->handle : one->storage;
}

/* The first slot with the same identity on that side; `index` itself when there is none.
 */
static size_t first_with(const slots *all, size_t index, int side, bool handle)
{
    uint32_t wanted = identity(&all->items[index], handle)[side];
    for (size_t i = 0; i < index; i++)
        if (identity(&all->items[i], handle)[0] && identity(&all->items[i], handle)[1] &&
            identity(&all->items[i], handle)[side] == wanted)
            return i;
    return index;
}

static bool row_has(const parity_template *text, size_t observe)
{
    for (size_t i = 0; i < text->npieces; i++)
        if (!text->pieces[i].literal && text->pieces[i].observe == observe)
            return true;
    return false;
}

static void add_owner(parity_buffer *out, const parity_case *test,
                      parity_language language, size_t observe)
{
    parity_buffer_printf(out, "{%s}", test->observe[language][observe].text);
    for (size_t i = 0; i < test->nrows; i++)
        if (row_has(&test->rows[i].text[language], observe)) {
            parity_buffer_printf(out, " of row %s", test->rows[i].id);
            return;
        }
    for (size_t i = 0; i < test->nsubjects; i++)
        if (test->subjects[i].was[language] == observe ||
            test->subjects[i].now[language] == observe) {
            parity_buffer_printf(out, " of subject %s", test->subjects[i].name);
            return;
        }
}

static char *tell(const parity_case *test, const slots *all, size_t index,
                  const size_t first[2], bool handle, const parity_side *sides[2])
{
    parity_buffer out = {0};
    parity_language language = sides[0]->language;
    parity_buffer_printf(&out, "{%s} ",
                         test->observe[language][all->items[index].observe].text);
    parity_buffer_text(&out, handle ? "is the same tensor as " : "shares memory with ");
    int teller = first[0] != index ? 0 : 1;
    add_owner(&out, test, language, all->items[first[teller]].observe);
    parity_buffer_printf(&out, " (%s)", sides[teller]->name);
    if (first[!teller] == index) {
        parity_buffer_printf(&out, ", but not in the other (%s)", sides[!teller]->name);
    } else {
        parity_buffer_text(&out, " against ");
        add_owner(&out, test, language, all->items[first[!teller]].observe);
        parity_buffer_printf(&out, " (%s)", sides[!teller]->name);
    }
    return parity_buffer_take(&out);
}

char **parity_partition(const parity_case *test, const parity_side *left,
                        const parity_side *right)
{
    parity_language language = left->language;
    size_t count = test->nobserve[language];
    const parity_side *sides[2] = {left, right};
    char **texts = parity_alloc((count + 1) * sizeof *texts);
    slots all = {0};
    for (size_t i = 0; i < count; i++)
        collect(&all, i, parity_side_outcome(left, i)->value,
                parity_side_outcome(right, i)->value);
    for (int handle = 0; handle < 2; handle++)
        for (size_t i = 0; i < all.count; i++) {
            const uint32_t *both = identity(&all.items[i], handle);
            char **text = &texts[all.items[i].observe];
            if (*text || !both[0] || !both[1])
                continue;
            size_t first[2] = {first_with(&all, i, 0, handle),
                               first_with(&all, i, 1, handle)};
            if (first[0] != first[1])
                *text = tell(test, &all, i, first, handle, sides);
        }
    free(all.items);
    return texts;
}
