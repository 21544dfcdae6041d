#include "harness/compare/departure.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char soft[] = "-soft";

static bool is_end(char c)
{
    return c == '\0' || c == '+' || c == ',' || isspace((unsigned char)c);
}

static int sign_of(long number)
{
    return (number > 0) - (number < 0);
}

/* Suffixes: none is greater than any ("0.11.0" > "0.11.0-rc1"), else by bytes. */
static int compare_suffix(const char *left, const char *right)
{
    if (is_end(*left) || is_end(*right))
        return is_end(*left) - is_end(*right);
    while (!is_end(*left) && *left == *right)
        left++, right++;
    if (is_end(*left) || is_end(*right))
        return is_end(*right) - is_end(*left);
    return sign_of((unsigned char)*left - (unsigned char)*right);
}

int parity_version_compare(const char *left, const char *right)
{
    for (;;) {
        bool l = isdigit((unsigned char)*left), r = isdigit((unsigned char)*right);
        if (!l || !r) {
            if (l == r)
                return compare_suffix(left, right);
            return l ? 1 : -1;
        }
        char *next[2];
        long numbers[2] = {strtol(left, &next[0], 10), strtol(right, &next[1], 10)};
        if (numbers[0] != numbers[1])
            return sign_of(numbers[0] - numbers[1]);
        bool more[2] = {next[0][0] == '.', next[1][0] == '.'};
        if (!more[0] && !more[1])
            return compare_suffix(next[0], next[1]);
        if (more[0] != more[1])
            return more[0] - more[1];
        left = next[0] + 1;
        right = next[1] + 1;
    }
}

static const char *skip_space(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

static bool holds(const char *operator, size_t length, int order)
{
    static const struct {
        const char *text;
        bool less, equal, greater;
    } operators[] = {
        {"<", true, false, false}, {"<=", true, true, false}, {">", false, false, true},
        {">=", false, true, true}, {"=", false, true, false}, {"==", false, true, false},
        {"", false, true, false},  {"!=", true, false, true},
    };
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (strlen(operators[i].text) == length &&
            strncmp(operators[i].text, operator, length) == 0)
            return order < 0    ? operators[i].less
                   : order == 0 ? operators[i].equal
                                : operators[i].greater;
    return false;
}

/* Reads a leading name. False: the key speaks of another engine and language. */
static bool skip_name(const char **key, const parity_column *column)
{
    size_t length = 0;
    const char *language = parity_language_name(column->engine->language);
    while (isalpha((unsigned char)(*key)[length]))
        length++;
    const char *name = *key;
    *key = skip_space(name + length);
    return length == 0 ||
           (strlen(language) == length && strncmp(language, name, length) == 0) ||
           (strlen(column->engine->name) == length &&
            strncmp(column->engine->name, name, length) == 0);
}

bool parity_version_matches(const char *key, const parity_column *column)
{
    if (!column->version)
        return false;
    key = skip_space(key);
    if (!skip_name(&key, column))
        return false;
    for (;;) {
        size_t length = strspn(key, "<>=!");
        const char *version = skip_space(key + length);
        if (!isdigit((unsigned char)*version) ||
            !holds(key, length, parity_version_compare(column->version, version)))
            return false;
        while (!is_end(*version) || *version == '+')
            version++;
        key = skip_space(version);
        if (*key != ',')
            return *key == '\0';
        key = skip_space(key + 1);
    }
}

static size_t device_length(const char *device)
{
    size_t length = strlen(device), suffix = sizeof soft - 1;
    return length > suffix && strcmp(device + length - suffix, soft) == 0
               ? length - suffix
               : length;
}

bool parity_same_device(const char *left, const char *right)
{
    size_t length = device_length(left);
    return length == device_length(right) && strncmp(left, right, length) == 0;
}

const parity_departure *parity_device_departure(const parity_departure *departures,
                                                size_t count, const parity_column *column)
{
    for (size_t i = 0; i < count; i++)
        if (parity_same_device(departures[i].key, column->device))
            return &departures[i];
    return NULL;
}

const parity_departure *parity_version_departure(const parity_departure *departures,
                                                 size_t count,
                                                 const parity_column *column)
{
    for (size_t i = 0; i < count; i++)
        if (parity_version_matches(departures[i].key, column))
            return &departures[i];
    return NULL;
}
