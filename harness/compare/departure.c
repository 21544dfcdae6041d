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

/* Reads one number and the dot behind it; a number that is missing is 0. */
static long next_number(const char **version)
{
    if (!isdigit((unsigned char)**version))
        return 0;
    char *end;
    long number = strtol(*version, &end, 10);
    *version = *end == '.' && isdigit((unsigned char)end[1]) ? end + 1 : end;
    return number;
}

int parity_version_compare(const char *left, const char *right)
{
    while (isdigit((unsigned char)*left) || isdigit((unsigned char)*right)) {
        long l = next_number(&left), r = next_number(&right);
        if (l != r)
            return sign_of(l - r);
    }
    return compare_suffix(left, right);
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

size_t parity_device_length(const char *device)
{
    size_t length = strlen(device), suffix = sizeof soft - 1;
    return length > suffix && strcmp(device + length - suffix, soft) == 0
               ? length - suffix
               : length;
}

bool parity_stand_in_device(const char *device)
{
    return parity_device_length(device) < strlen(device);
}

bool parity_same_device(const char *left, const char *right)
{
    size_t length = parity_device_length(left);
    return length == parity_device_length(right) && strncmp(left, right, length) == 0;
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
