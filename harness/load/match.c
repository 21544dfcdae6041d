/* Patterns of the command line. */
#include "harness/load/load.h"

#include <stdlib.h>
#include <string.h>

/* * stands for any characters, / among them, and ? for one. */
static bool glob(const char *pattern, const char *text)
{
    const char *star = NULL;
    const char *retry = NULL;
    while (*text != '\0') {
        if (*pattern == '*') {
            star = pattern++;
            retry = text;
        } else if (*pattern == '?' || *pattern == *text) {
            pattern++;
            text++;
        } else if (star != NULL) {
            pattern = star + 1;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

/* Whether one path is the other or ends in it at a slash. */
static bool same_file(const char *a, const char *b)
{
    while (strncmp(a, "./", 2) == 0)
        a += 2;
    while (strncmp(b, "./", 2) == 0)
        b += 2;
    size_t n = strlen(a);
    size_t m = strlen(b);
    const char *shorter = n < m ? a : b;
    const char *longer = n < m ? b : a;
    size_t over = n < m ? m - n : n - m;
    return strcmp(longer + over, shorter) == 0 && (over == 0 || longer[over - 1] == '/');
}

bool parity_case_matches(const parity_case *test, const char *pattern)
{
    if (pattern == NULL || glob(pattern, test->id))
        return true;
    size_t length = strlen(pattern);
    if (length > 5 && strcmp(pattern + length - 5, ".yaml") == 0)
        return same_file(pattern, test->file);
    const char *bracket = strchr(test->id, '[');
    if (bracket == NULL)
        return false;
    char *base = parity_strndup(test->id, (size_t)(bracket - test->id));
    bool matches = glob(pattern, base);
    free(base);
    return matches;
}
