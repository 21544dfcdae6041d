/* The forms of short texts, and the nearest known word. */
#include "harness/load/form.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool only(const char *text, const char *characters)
{
    return *text != '\0' && text[strspn(text, characters)] == '\0';
}

bool parity_is_name(const char *text)
{
    return only(text, "abcdefghijklmnopqrstuvwxyz0123456789_");
}

bool parity_is_label(const char *text)
{
    return only(text,
                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-");
}

/* Past the digits; NULL when there are none. */
static const char *digits(const char *text)
{
    size_t n = text != NULL ? strspn(text, "0123456789") : 0;
    return n > 0 ? text + n : NULL;
}

/* Past digits with dots between them. */
static const char *dotted(const char *text, int most)
{
    text = digits(text);
    for (int i = 0; i < most && text != NULL && *text == '.'; i++)
        text = digits(text + 1);
    return text;
}

static bool one_of(const char *text, const char *const *words)
{
    if (text == NULL)
        return false;
    for (; *words != NULL; words++)
        if (strcmp(text, *words) == 0)
            return true;
    return false;
}

bool parity_is_duration(const char *text)
{
    return one_of(dotted(text, 1), (const char *const[]){"", "ms", "s", "min", NULL});
}

bool parity_is_size(const char *text)
{
    return one_of(digits(text), (const char *const[]){"", "KiB", "MiB", "GiB", NULL});
}

/* Past a comparison, which may be absent. */
static const char *operator_end(const char *text)
{
    static const char *const operators[] = {"<=", ">=", "==", "!=", "<", ">", "="};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        size_t length = strlen(operators[i]);
        if (strncmp(text, operators[i], length) == 0)
            return text + length;
    }
    return text;
}

bool parity_is_version(const char *text)
{
    if (strncmp(text, "torch ", 6) == 0)
        text += 6;
    else if (strncmp(text, "candle ", 7) == 0)
        text += 7;
    for (;;) {
        text = operator_end(text);
        text = dotted(text + (*text == ' '), 100);
        if (text == NULL || *text != ',')
            return text != NULL && *text == '\0';
        text += 1 + (text[1] == ' ');
    }
}

/* Edits (insert, delete, replace, swap neighbours) between two words of at most WORD
 * bytes. */
enum { WORD = 32 };

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int distance(const char *a, size_t n, const char *b, size_t m)
{
    int d[WORD + 1][WORD + 1];
    for (size_t i = 0; i <= n; i++)
        d[i][0] = (int)i;
    for (size_t j = 0; j <= m; j++)
        d[0][j] = (int)j;
    for (size_t i = 1; i <= n; i++)
        for (size_t j = 1; j <= m; j++) {
            int change = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            d[i][j] = smaller(change, 1 + smaller(d[i - 1][j], d[i][j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = smaller(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[n][m];
}

const char *parity_suggest(parity_hint *out, const char *text, const char *const *words,
                           size_t count)
{
    char lower[WORD + 1];
    size_t n = strlen(text);
    *out->text = '\0';
    if (n > WORD)
        return out->text;
    for (size_t i = 0; i <= n; i++)
        lower[i] = (char)tolower((unsigned char)text[i]);
    const char *nearest = NULL;
    int best = n < 3 ? 2 : n < 6 ? 3 : 4;
    for (size_t i = 0; i < count; i++) {
        size_t m = strlen(words[i]);
        int d = m > WORD ? WORD : distance(lower, n, words[i], m);
        if (d < best && d < (int)m) {
            best = d;
            nearest = words[i];
        }
    }
    if (nearest != NULL)
        snprintf(out->text, sizeof out->text, ", did you mean `%s`?", nearest);
    return out->text;
}
