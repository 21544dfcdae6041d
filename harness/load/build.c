/* A checked tree and a combination of the matrix to one case. */
#include "harness/base/bounds.h"
#include "harness/load/loader.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const parity_node *get(const parity_node *node, const char *key)
{
    return parity_node_get(node, key);
}

static const parity_node *get_language(const parity_node *node, parity_language language)
{
    return parity_node_get(node, parity_language_name(language));
}

static void build_programs(parity_loader *loader, parity_case *test)
{
    for (int l = 0; l < PARITY_LANGUAGES; l++) {
        const parity_node *node = get_language(loader->root, (parity_language)l);
        if (node == NULL)
            continue;
        parity_program_of(loader, &test->program[l], (parity_language)l, node);
    }
    if (test->program[PARITY_TORCH].text == NULL &&
        test->program[PARITY_CANDLE].text == NULL)
        parity_loader_problem(loader, loader->root,
                              "the case needs a program: torch: or candle:");
}

/* How many observations of a template have this name (NULL: have none). */
static size_t count_name(const parity_template *t, const parity_observed *observed,
                         const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < t->npieces; i++) {
        if (t->pieces[i].literal != NULL)
            continue;
        const char *other = observed->items[t->pieces[i].observe].name;
        count += name == NULL ? other == NULL : other != NULL && strcmp(name, other) == 0;
    }
    return count;
}

static void check_names(parity_loader *loader, const parity_row *row,
                        const parity_node *node, const parity_observed *observed, int l)
{
    const parity_template *mine = &row->text[l];
    const parity_template *other = &row->text[1 - l];
    for (size_t i = 0; i < mine->npieces; i++) {
        if (mine->pieces[i].literal != NULL)
            continue;
        const parity_expr *expr = &observed[l].items[mine->pieces[i].observe];
        if (expr->name == NULL)
            continue;
        if (count_name(mine, &observed[l], expr->name) > 1)
            parity_loader_problem(loader, node, "the name `%s` stands here twice",
                                  expr->name);
        if (other->pieces != NULL && count_name(other, &observed[1 - l], expr->name) == 0)
            parity_loader_problem(
                loader, node, "`{%s=…}` has no partner of that name in %s:", expr->name,
                parity_language_name((parity_language)(1 - l)));
    }
}

/* Observations pair by name, the others by position: both templates need the same. */
static void check_pairs(parity_loader *loader, const parity_row *row,
                        const parity_node *node, const parity_observed *observed)
{
    size_t unnamed[PARITY_LANGUAGES];
    bool both = true;
    for (int l = 0; l < PARITY_LANGUAGES; l++) {
        const parity_node *text = get_language(node, (parity_language)l);
        both &= text != NULL;
        unnamed[l] = count_name(&row->text[l], &observed[l], NULL);
        if (text != NULL)
            check_names(loader, row, text, observed, l);
    }
    if (both && unnamed[0] != unnamed[1])
        parity_loader_problem(
            loader, get_language(node, PARITY_CANDLE),
            "torch: and candle: pair by position, but have %zu and %zu "
            "expressions without a name; name those that belong together "
            "({name=…})",
            unnamed[0], unnamed[1]);
}

static size_t find_subject(const parity_case *test, const char *name)
{
    for (size_t i = 0; i < test->nsubjects; i++)
        if (strcmp(test->subjects[i].name, name) == 0)
            return i;
    return PARITY_NONE;
}

/* `of:` names a subject that each language of the row has, for one observation. */
static void check_of(parity_loader *loader, const parity_case *test,
                     const parity_row *row, const parity_node *node)
{
    const parity_node *subjects = get(loader->root, "subjects");
    const parity_node *of = get(node, "of");
    if (row->of == PARITY_NONE) {
        const char *names[PARITY_KEY_LIMIT];
        for (size_t i = 0; i < test->nsubjects; i++)
            names[i] = test->subjects[i].name;
        parity_hint hint;
        parity_loader_problem(loader, of, "`%s` names no subject%s", of->text,
                              parity_suggest(&hint, of->text, names, test->nsubjects));
        return;
    }
    for (int l = 0; l < PARITY_LANGUAGES; l++) {
        const char *language = parity_language_name((parity_language)l);
        const parity_template *text = &row->text[l];
        size_t count = 0;
        for (size_t i = 0; i < text->npieces; i++)
            count += text->pieces[i].literal == NULL;
        if (text->pieces != NULL && get(get(subjects, of->text), language) == NULL)
            parity_loader_problem(loader, of,
                                  "the subject `%s` has no %s: side, so this row has "
                                  "no fate there",
                                  of->text, language);
        if (text->pieces != NULL && count != 1)
            parity_loader_problem(loader, get(node, language),
                                  "a row with of: has one expression; this has %zu",
                                  count);
    }
}

/* `bound:` names a row of the table of bounds. */
static const char *bound_of(parity_loader *loader, const parity_node *node)
{
    const char *names[PARITY_KEY_LIMIT];
    size_t count = 0;
    if (node == NULL)
        return NULL;
    const parity_bound *bound = parity_bound_find(node->text);
    if (bound != NULL)
        return bound->name;
    for (bound = parity_bounds; bound->name != NULL; bound++)
        names[count++] = bound->name;
    parity_hint hint;
    parity_loader_problem(loader, node, "`%s` names no bound%s", node->text,
                          parity_suggest(&hint, node->text, names, count));
    return NULL;
}

static void build_row(parity_loader *loader, parity_case *test, parity_row *row,
                      const parity_node *node, parity_observed *observed)
{
    bool both = true;
    bool any = false;
    row->id = parity_arena_strdup(loader->suite->arena, get(node, "id")->text);
    row->pos = parity_loader_pos(loader, node);
    for (int l = 0; l < PARITY_LANGUAGES; l++) {
        const parity_node *text = get_language(node, (parity_language)l);
        any |= text != NULL;
        both &= text != NULL;
        if (text != NULL && test->program[l].text == NULL)
            parity_loader_problem(loader, text, "the case has no %s: program to observe",
                                  parity_language_name((parity_language)l));
        parity_template_of(loader, &row->text[l], &observed[l], (parity_language)l, text);
    }
    if (!any)
        parity_loader_problem(loader, node, "row `%s` needs torch: or candle:", row->id);
    check_pairs(loader, row, node, observed);
    row->of = PARITY_NONE;
    if (get(node, "of") != NULL) {
        row->of = find_subject(test, get(node, "of")->text);
        check_of(loader, test, row, node);
    }
    row->bound = bound_of(loader, get(node, "bound"));
    row->finding = parity_sentence_of(loader, get(node, "finding"));
    if (get(node, "finding") != NULL && !both)
        parity_loader_problem(
            loader, get(node, "finding"),
            "a finding compares the languages; this row needs both torch: and "
            "candle:");
    parity_departures_of(loader, &row->devices, &row->ndevices, test,
                         get(node, "devices"));
    parity_departures_of(loader, &row->versions, &row->nversions, test,
                         get(node, "versions"));
}

static void build_rows(parity_loader *loader, parity_case *test,
                       parity_observed *observed)
{
    const parity_node *list = get(loader->root, "rows");
    size_t count = list != NULL ? list->nitems : 0;
    if (count > PARITY_KEY_LIMIT) {
        parity_loader_problem(loader, list, "a case has at most %d rows",
                              PARITY_KEY_LIMIT);
        return;
    }
    test->rows = parity_arena_alloc(loader->suite->arena, count * sizeof *test->rows);
    for (size_t i = 0; i < count; i++) {
        const parity_node *id = get(list->items[i], "id");
        for (size_t j = 0; j < i; j++)
            if (strcmp(test->rows[j].id, id->text) == 0)
                parity_loader_problem(loader, id,
                                      "row id `%s` stands here for the second time; "
                                      "the first is in line %d",
                                      id->text, test->rows[j].pos.line);
        build_row(loader, test, &test->rows[i], list->items[i], observed);
        test->nrows++;
    }
}

static size_t observe_node(parity_loader *loader, parity_observed *observed, int language,
                           const parity_node *node)
{
    parity_text text = parity_text_of(loader, node, language);
    parity_expr expr = {.text = text.text, .decimals = -1};
    expr.pos = parity_source_pos(&loader->source, parity_text_offset(&text, 0));
    return parity_observe(observed, expr);
}

static void build_subjects(parity_loader *loader, parity_case *test)
{
    const parity_node *map = get(loader->root, "subjects");
    size_t count = map != NULL ? map->nitems / 2 : 0;
    test->subjects =
        parity_arena_alloc(loader->suite->arena, count * sizeof *test->subjects);
    test->nsubjects = count;
    for (size_t i = 0; i < count; i++) {
        parity_subject *subject = &test->subjects[i];
        const parity_node *node = map->items[2 * i + 1];
        subject->name =
            parity_arena_strdup(loader->suite->arena, map->items[2 * i]->text);
        subject->pos = parity_loader_pos(loader, map->items[2 * i]);
        subject->label = parity_sentence_of(loader, get(node, "label"));
        subject->write = parity_sentence_of(loader, get(node, "write"));
        for (int l = 0; l < PARITY_LANGUAGES; l++)
            subject->was[l] = subject->now[l] = PARITY_NONE;
    }
}

/* Observations of subjects come after those of all rows. */
static void observe_subjects(parity_loader *loader, parity_case *test,
                             parity_observed *observed)
{
    const parity_node *map = get(loader->root, "subjects");
    for (size_t i = 0; i < test->nsubjects; i++) {
        bool any = false;
        for (int l = 0; l < PARITY_LANGUAGES; l++) {
            const parity_node *side =
                get_language(map->items[2 * i + 1], (parity_language)l);
            if (side == NULL)
                continue;
            any = true;
            if (test->program[l].text == NULL)
                parity_loader_problem(loader, side,
                                      "the case has no %s: program to observe",
                                      parity_language_name((parity_language)l));
            test->subjects[i].was[l] =
                observe_node(loader, &observed[l], l, get(side, "was"));
            test->subjects[i].now[l] =
                observe_node(loader, &observed[l], l, get(side, "now"));
        }
        if (!any)
            parity_loader_problem(
                loader, map->items[2 * i],
                "subject `%s` needs torch: or candle:", test->subjects[i].name);
    }
}

static void build_evidence(parity_loader *loader, const parity_case *test,
                           parity_intent *intent, const parity_node *list)
{
    const char *ids[PARITY_KEY_LIMIT];
    for (size_t i = 0; i < test->nrows; i++)
        ids[i] = test->rows[i].id;
    if (list->nitems == 0)
        parity_loader_problem(loader, list,
                              "an intent needs at least one row as evidence");
    intent->evidence =
        parity_arena_alloc(loader->suite->arena, list->nitems * sizeof *intent->evidence);
    for (size_t i = 0; i < list->nitems; i++) {
        const char *text = list->items[i]->text;
        bool known = false;
        for (size_t j = 0; j < test->nrows; j++)
            known |= strcmp(ids[j], text) == 0;
        parity_hint hint;
        if (!known)
            parity_loader_problem(loader, list->items[i], "`%s` is no row id%s", text,
                                  parity_suggest(&hint, text, ids, test->nrows));
        intent->evidence[intent->nevidence++] =
            parity_arena_strdup(loader->suite->arena, text);
    }
}

static void build_intents(parity_loader *loader, parity_case *test)
{
    const parity_node *list = get(loader->root, "intents");
    size_t count = list != NULL ? list->nitems : 0;
    test->intents =
        parity_arena_alloc(loader->suite->arena, count * sizeof *test->intents);
    for (size_t i = 0; i < count; i++) {
        parity_intent *intent = &test->intents[test->nintents++];
        const parity_node *node = list->items[i];
        intent->pos = parity_loader_pos(loader, node);
        intent->effect = parity_sentence_of(loader, get(node, "effect"));
        intent->note = parity_sentence_of(loader, get(node, "note"));
        for (int l = 0; l < PARITY_LANGUAGES; l++)
            intent->text[l] =
                parity_words_of(loader, get_language(node, (parity_language)l), l);
        if (intent->text[PARITY_TORCH] == NULL && intent->text[PARITY_CANDLE] == NULL)
            parity_loader_problem(loader, node, "an intent needs torch: or candle:");
        build_evidence(loader, test, intent, get(node, "evidence"));
    }
}

/* The number before a unit, times what the unit stands for; the forms are checked. */
static double scaled(const char *text, const char *const *units, const double *factors)
{
    char *end = NULL;
    double number = strtod(text, &end);
    for (size_t i = 0; units[i] != NULL; i++)
        if (strcmp(end, units[i]) == 0)
            return number * factors[i];
    return number;
}

static void build_limits(parity_loader *loader, parity_case *test)
{
    const parity_node *timeout = get(loader->root, "timeout");
    const parity_node *memory = get(loader->root, "memory");
    const parity_node *fresh = get(loader->root, "fresh");
    if (timeout != NULL) {
        test->timeout =
            scaled(timeout->text, (const char *const[]){"ms", "s", "min", NULL},
                   (const double[]){1e-3, 1, 60});
        if (!(test->timeout > 0 && test->timeout <= 3600))
            parity_loader_problem(loader, timeout,
                                  "a timeout is more than 0 and at most 60 minutes");
    }
    if (memory != NULL) {
        double bytes =
            scaled(memory->text, (const char *const[]){"KiB", "MiB", "GiB", NULL},
                   (const double[]){1024, 1048576, 1073741824});
        if (!(bytes >= 1048576 && bytes <= 1099511627776.0))
            parity_loader_problem(loader, memory,
                                  "memory is at least 1MiB and at most 1024GiB");
        else
            test->memory = (uint64_t)bytes;
    }
    test->fresh = fresh != NULL && strcmp(fresh->text, "true") == 0;
    test->skip = parity_sentence_of(loader, get(loader->root, "skip")).en;
}

static void hash_text(XXH3_state_t *state, const char *text)
{
    XXH3_64bits_update(state, text, strlen(text) + 1);
}

/* Everything an engine is given, texts with their NUL so that none runs into the next. */
static uint64_t hash_language(const parity_case *test, int l)
{
    if (test->program[l].text == NULL)
        return 0;
    XXH3_state_t *state = XXH3_createState();
    XXH3_64bits_reset(state);
    hash_text(state, test->program[l].text);
    for (size_t i = 0; i < test->nobserve[l]; i++)
        hash_text(state, test->observe[l][i].text);
    parity_buffer rest = {0};
    for (size_t i = 0; i < test->ndata; i++) {
        const parity_data *data = &test->data[i];
        parity_buffer_printf(&rest, "%s %s", data->name, parity_dtype_name(data->dtype));
        for (size_t j = 0; j < data->rank; j++)
            parity_buffer_printf(&rest, " %lld", (long long)data->shape[j]);
        parity_buffer_char(&rest, '\n');
        if (data->bits != NULL)
            parity_buffer_add(&rest, data->bits, data->nbytes);
    }
    parity_buffer_printf(&rest, "memory %llu fresh %d", (unsigned long long)test->memory,
                         test->fresh);
    XXH3_64bits_update(state, rest.data, rest.length);
    uint64_t hash = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    parity_buffer_free(&rest);
    return hash;
}

static void build_verdicts(parity_loader *loader, parity_case *test)
{
    const parity_node *ends = get(loader->root, "ends");
    const parity_node *finding = get(loader->root, "finding");
    for (int l = 0; l < PARITY_LANGUAGES; l++)
        parity_ends_of(loader, &test->ends[l], test, (parity_language)l,
                       get_language(ends, (parity_language)l));
    test->finding = parity_sentence_of(loader, finding);
    if (finding != NULL &&
        (test->program[0].text == NULL || test->program[1].text == NULL))
        parity_loader_problem(loader, finding,
                              "a finding compares the languages; the case needs "
                              "both torch: and candle:");
    parity_departures_of(loader, &test->devices, &test->ndevices, test,
                         get(loader->root, "devices"));
    parity_departures_of(loader, &test->versions, &test->nversions, test,
                         get(loader->root, "versions"));
}

static void keep_observed(parity_loader *loader, parity_case *test,
                          parity_observed *observed)
{
    for (int l = 0; l < PARITY_LANGUAGES; l++) {
        size_t bytes = observed[l].count * sizeof *observed[l].items;
        test->observe[l] = parity_arena_alloc(loader->suite->arena, bytes);
        if (bytes > 0)
            memcpy(test->observe[l], observed[l].items, bytes);
        test->nobserve[l] = observed[l].count;
        free(observed[l].items);
        test->text_hash[l] = hash_language(test, l);
    }
}

void parity_case_of(parity_loader *loader)
{
    parity_suite *suite = loader->suite;
    parity_case test = {0};
    parity_observed observed[PARITY_LANGUAGES] = {{0}};
    parity_buffer id = {0};
    parity_buffer_text(&id, loader->id);
    parity_matrix_suffix(loader, &id);
    test.id = parity_arena_strdup(suite->arena, id.data);
    parity_buffer_free(&id);
    test.file = parity_arena_strdup(suite->arena, loader->source.file);
    test.title = parity_sentence_of(loader, get(loader->root, "title"));
    test.about = parity_sentence_of(loader, get(loader->root, "about"));
    build_programs(loader, &test);
    parity_data_of(loader, &test, get(loader->root, "data"));
    build_subjects(loader, &test);
    build_rows(loader, &test, observed);
    observe_subjects(loader, &test, observed);
    build_verdicts(loader, &test);
    build_intents(loader, &test);
    build_limits(loader, &test);
    keep_observed(loader, &test, observed);
    PARITY_GROW(suite->cases, suite->ncases, suite->cases_capacity);
    suite->cases[suite->ncases++] = test;
}
