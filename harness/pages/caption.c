/* The line under a region that says where its text is from. */
#include "harness/load/form.h"
#include "harness/pages/view.h"

#include <stdlib.h>
#include <string.h>

static const struct words {
    const char *lang, *open, *comma, *close, *between, *recorded;
} languages[] = {
    {"en", " (", ", ", ")", "; ", "recorded"},
    {"zh", "（", "，", "）", "；", "记录"},
};

static const char *provenance_of(const parity_column *column, const char *name)
{
    for (size_t i = 0; i < column->nprovenance; i++)
        if (strcmp(column->provenance[i].name, name) == 0)
            return column->provenance[i].text;
    /* A compiler calls its platform a target. */
    return strcmp(name, "platform") == 0 ? provenance_of(column, "target") : NULL;
}

static bool known_word(const parity_view *view, const char *word)
{
    bool known = strcmp(word, "version") == 0 || strcmp(word, "device") == 0 ||
                 strcmp(word, "platform") == 0;
    for (size_t c = 0; c < view->result.ncolumns && !known; c++)
        known = provenance_of(&view->result.columns[c], word) != NULL;
    return known;
}

static int no_such_word(const parity_view *view, const parity_page *page,
                        const parity_word *word, parity_error *error)
{
    const char **names = NULL;
    size_t count = 0, capacity = 0;
    static const char *const always[] = {"version", "device", "platform"};
    for (size_t i = 0; i < 3; i++) {
        PARITY_GROW(names, count, capacity);
        names[count++] = always[i];
    }
    for (size_t c = 0; c < view->result.ncolumns; c++)
        for (size_t i = 0; i < view->result.columns[c].nprovenance; i++) {
            PARITY_GROW(names, count, capacity);
            names[count++] = view->result.columns[c].provenance[i].name;
        }
    parity_hint hint;
    parity_fail_at(error, page->file, word->pos, "nothing is known as `%s`%s", word->text,
                   parity_suggest(&hint, word->text, names, count));
    free(names);
    return -1;
}

static void add_name(parity_buffer *out, const parity_column *column, bool version)
{
    const parity_engine *engine = column->engine;
    bool pytorch = engine->judge && engine->language == PARITY_TORCH;
    parity_buffer_text(out, pytorch ? "PyTorch" : engine->name);
    if (version && column->version)
        parity_buffer_printf(out, " %s", column->version);
}

static bool asks(const parity_words *words, const char *name)
{
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->items[i].text, name) == 0)
            return true;
    return false;
}

static void add_column(parity_buffer *out, const struct words *w,
                       const parity_column *column, const parity_words *words)
{
    size_t facts = 0;
    add_name(out, column, asks(words, "version"));
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->items[i].text;
        const char *text = strcmp(word, "device") == 0    ? column->device
                           : strcmp(word, "version") == 0 ? NULL
                                                          : provenance_of(column, word);
        bool plain = strcmp(word, "device") == 0 || strcmp(word, "platform") == 0;
        if (text)
            parity_buffer_printf(out, "%s%s%s%s", facts++ ? w->comma : w->open,
                                 plain ? "" : word, plain ? "" : " ", text);
    }
    if (column->recorded)
        parity_buffer_printf(out, "%s%s", facts++ ? w->comma : w->open, w->recorded);
    parity_buffer_text(out, facts ? w->close : "");
}

int parity_caption(char **out, const parity_view *view, const parity_page *page,
                   const parity_region *region, parity_error *error)
{
    const parity_words *words = &region->value[PARITY_KEY_CAPTION];
    const parity_words *lang = &region->value[PARITY_KEY_LANG];
    const struct words *w = &languages[lang->count && lang->items[0].text[0] == 'z'];
    *out = NULL;
    for (size_t i = 0; i < words->count; i++)
        if (!known_word(view, words->items[i].text))
            return no_such_word(view, page, &words->items[i], error);
    if (!words->count)
        return 0;
    parity_buffer text = {0};
    for (size_t c = 0; c < view->result.ncolumns; c++) {
        parity_buffer_text(&text, c ? w->between : "");
        add_column(&text, w, &view->result.columns[c], words);
    }
    *out = parity_buffer_take(&text);
    return 0;
}
