#include "oracles/libtorch/trace.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char *end_of_quotes(const char *at)
{
    for (at++; *at != '\0' && *at != '\n' && *at != '"'; at++)
        if (*at == '\\' && at[1] != '\0' && at[1] != '\n')
            at++;
    return *at == '"' ? at + 1 : at;
}

bool libtorch_word_next(libtorch_cursor *cursor, libtorch_word *word)
{
    while (*cursor->at == ' ')
        cursor->at++;
    const char *at = cursor->at;
    while (*at != '\0' && *at != '\n' && *at != ' ')
        at = *at == '"' ? end_of_quotes(at) : at + 1;
    *word = (libtorch_word){cursor->at, (size_t)(at - cursor->at)};
    cursor->at = at;
    return word->length > 0;
}

bool libtorch_line_next(libtorch_cursor *cursor)
{
    cursor->at += strcspn(cursor->at, "\n");
    if (*cursor->at == '\n')
        cursor->at++;
    cursor->line++;
    return *cursor->at != '\0';
}

bool libtorch_word_is(libtorch_word word, const char *text)
{
    return strlen(text) == word.length && memcmp(word.text, text, word.length) == 0;
}

/* strtoll needs an end, and a word has none. */
static bool digits(const char *text, size_t length, int64_t *out)
{
    char copy[24], *end;
    if (length == 0 || length >= sizeof copy || text[0] == '+' || text[0] == ' ')
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    errno = 0;
    long long value = strtoll(copy, &end, 10);
    *out = value;
    return *end == '\0' && errno == 0;
}

size_t libtorch_word_name(libtorch_word word, char letter)
{
    int64_t number;
    if (word.length < 2 || word.text[0] != letter ||
        !digits(word.text + 1, word.length - 1, &number) || number < 1)
        return 0;
    return (size_t)number;
}

bool libtorch_word_integer(libtorch_word word, int64_t *out)
{
    return digits(word.text, word.length, out);
}

bool libtorch_word_integers(libtorch_word word, int64_t *out, size_t *count, size_t most)
{
    *count = 0;
    if (word.length < 2 || word.text[0] != '[' || word.text[word.length - 1] != ']')
        return false;
    const char *at = word.text + 1, *end = word.text + word.length - 1;
    while (at < end) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        size_t length = (size_t)((comma ? comma : end) - at);
        if (*count == most || !digits(at, length, &out[*count]))
            return false;
        ++*count;
        at += length + 1;
        if (comma && at == end)
            return false;
    }
    return true;
}

char *libtorch_word_text(libtorch_word word)
{
    if (word.length < 2 || word.text[0] != '"')
        return NULL;
    json_t *json = json_loadb(word.text, word.length, JSON_DECODE_ANY, NULL);
    char *text = json_is_string(json) ? parity_strdup(json_string_value(json)) : NULL;
    json_decref(json);
    return text;
}
