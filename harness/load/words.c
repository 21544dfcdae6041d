/* Sentences, stated ends, and departures of devices and versions. */
#include "harness/load/loader.h"

#include <ctype.h>
#include <string.h>

/* One text of a sentence: block scalars end in line feeds, which are no part of it. */
static const char *trimmed(parity_loader *loader, const parity_node *node)
{
    if (node == NULL)
        return NULL;
    parity_text text = parity_text_of(loader, node, PARITY_LANGUAGES);
    while (text.length > 0 && isspace((unsigned char)text.text[text.length - 1]))
        ((char *)text.text)[--text.length] = '\0';
    return text.text;
}

/* {en: …}, {text: sentence} or, where `ends:` suffices, neither. */
static void check_sentence(parity_loader *loader, const parity_node *node)
{
    const parity_node *inner = parity_node_get(node, "text");
    const parity_node *en = parity_node_get(node, "en");
    const parity_node *zh = parity_node_get(node, "zh");
    if (inner != NULL && (en != NULL || zh != NULL))
        parity_loader_problem(loader, en != NULL ? en : zh,
                              "en: and zh: belong into text: {en: …, zh: …} here");
    else if (inner == NULL && en == NULL && zh != NULL)
        parity_loader_problem(loader, zh, "the English sentence (en:) is missing");
    else if (inner == NULL && en == NULL && parity_node_get(node, "ends") == NULL)
        parity_loader_problem(loader, node, "a sentence is missing: text: why");
}

parity_sentence parity_sentence_of(parity_loader *loader, const parity_node *node)
{
    parity_sentence out = {0};
    node = parity_matrix_choose(loader, node);
    if (node != NULL && node->shape == PARITY_MAPPING) {
        check_sentence(loader, node);
        if (parity_node_get(node, "text") != NULL)
            node = parity_node_get(node, "text");
    }
    if (node == NULL)
        return out;
    out.pos = parity_loader_pos(loader, node);
    if (node->shape == PARITY_SCALAR) {
        out.en = trimmed(loader, node);
    } else {
        out.en = trimmed(loader, parity_node_get(node, "en"));
        out.zh = trimmed(loader, parity_node_get(node, "zh"));
    }
    return out;
}

/* The words of `ends:`; Python has neither a compiler that refuses nor a panic. */
static const struct end_word {
    const char *word;
    parity_outcome_kind kind;
    bool torch;
} end_words[] = {
    {"hang", PARITY_HANG, true},        {"panic", PARITY_PANIC, false},
    {"crash", PARITY_CRASH, true},      {"error", PARITY_ERROR, true},
    {"refused", PARITY_REFUSED, false},
};

static const struct end_word *find_word(const char *word)
{
    for (size_t i = 0; i < sizeof end_words / sizeof *end_words; i++)
        if (strcmp(end_words[i].word, word) == 0)
            return &end_words[i];
    return NULL;
}

/* An error code of rustc: E and four digits. */
static bool is_code(const char *text)
{
    return text[0] == 'E' && text[1] != '\0' &&
           text[1 + strspn(text + 1, "0123456789")] == '\0';
}

/* The one key of the mapping that says how it ends; NULL after a problem. */
static const parity_node *end_key(parity_loader *loader, const parity_node *node)
{
    const parity_node *found = NULL;
    for (size_t i = 0; i + 1 < node->nitems; i += 2) {
        const parity_node *key = node->items[i];
        if (find_word(key->text) == NULL && strcmp(key->text, "ends") != 0)
            continue;
        if (found != NULL) {
            parity_loader_problem(loader, key, "`%s` and `%s` exclude each other",
                                  found->text, key->text);
            return NULL;
        }
        found = key;
    }
    if (found == NULL)
        parity_loader_problem(
            loader, node,
            "does not say how it ends; name one of refused, error, panic, "
            "crash, or ends: with one of the words");
    return found;
}

static bool in_a_program(const parity_case *test, parity_language language,
                         const char *text)
{
    for (int l = 0; l < PARITY_LANGUAGES; l++) {
        bool asked = language == PARITY_LANGUAGES || (int)language == l;
        if (asked && test->program[l].text != NULL &&
            strstr(test->program[l].text, text) != NULL)
            return true;
    }
    return false;
}

static const struct end_word *end_mapping(parity_loader *loader, parity_ends *out,
                                          const parity_case *test,
                                          parity_language language,
                                          const parity_node *node)
{
    int reader = language == PARITY_LANGUAGES ? PARITY_CANDLE : (int)language;
    const parity_node *key = end_key(loader, node);
    const parity_node *at = parity_node_get(node, "at");
    out->at = parity_words_of(loader, at, reader);
    if (out->at != NULL && !in_a_program(test, language, out->at))
        parity_loader_problem(loader, at, "`%s` does not occur in the program", out->at);
    if (key == NULL)
        return NULL;
    const parity_node *value = parity_node_get(node, key->text);
    if (strcmp(key->text, "ends") == 0)
        return find_word(value->text);
    const char *text = parity_words_of(loader, value, reader);
    bool code = strcmp(key->text, "refused") == 0 && is_code(text);
    if (code && strlen(text) != 5)
        parity_loader_problem(loader, value,
                              "`%s` is no error code; they have four digits", text);
    out->type = code ? text : NULL;
    out->text = code ? NULL : text;
    return find_word(key->text);
}

void parity_ends_of(parity_loader *loader, parity_ends *out, const parity_case *test,
                    parity_language language, const parity_node *node)
{
    node = parity_matrix_choose(loader, node);
    if (node == NULL)
        return;
    out->pos = parity_loader_pos(loader, node);
    if (language != PARITY_LANGUAGES && test->program[language].text == NULL)
        parity_loader_problem(loader, node, "the case has no %s: program that could end",
                              parity_language_name(language));
    const struct end_word *word = node->shape == PARITY_SCALAR
                                      ? find_word(node->text)
                                      : end_mapping(loader, out, test, language, node);
    if (word == NULL)
        return;
    if (language == PARITY_TORCH && !word->torch)
        parity_loader_problem(
            loader, node,
            "a PyTorch program ends with error, hang or crash, never with %s",
            word->word);
    out->kind = word->kind;
}

static void one_departure(parity_loader *loader, parity_departure *out,
                          const parity_case *test, const parity_node *key,
                          const parity_node *node)
{
    const parity_node *ends = parity_node_get(node, "ends");
    out->key = parity_arena_strdup(loader->suite->arena, key->text);
    out->pos = parity_loader_pos(loader, key);
    out->sentence = parity_sentence_of(loader, node);
    if (ends != NULL) {
        out->has_ends = true;
        parity_ends_of(loader, &out->ends, test, PARITY_LANGUAGES, ends);
        out->has_ends = out->ends.kind != PARITY_VALUE;
    }
}

void parity_departures_of(parity_loader *loader, parity_departure **out, size_t *count,
                          const parity_case *test, const parity_node *node)
{
    if (node == NULL)
        return;
    *out = parity_arena_alloc(loader->suite->arena, node->nitems / 2 * sizeof **out);
    for (size_t i = 0; i + 1 < node->nitems; i += 2) {
        const parity_node *chosen = parity_matrix_choose(loader, node->items[i + 1]);
        if (chosen != NULL)
            one_departure(loader, &(*out)[(*count)++], test, node->items[i], chosen);
    }
}
