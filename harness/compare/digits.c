#include "harness/compare/digits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reads_back(const char *text, double number, bool single)
{
    return single ? strtof(text, NULL) == (float)number : strtod(text, NULL) == number;
}

/* 1.2e3 → 1.3e3, 9.9e3 → 1.00e4: the next decimal of that length away from zero. */
static void bump(char *text)
{
    char *end = strchr(text, 'e');
    char *last = end - 1;
    while (last >= text && (*last == '9' || *last == '.')) {
        if (*last == '9')
            *last = '0';
        last--;
    }
    if (last >= text && *last != '-') {
        ++*last;
        return;
    }
    int exponent = atoi(end + 1) + 1;
    text[*text == '-'] = '1';
    snprintf(end, 13, "e%d", exponent);
}

/* Just above a power of two the numbers lie twice as far apart as just below it, so the
 * nearest short decimal may be too low while the next one reads back: 2^-44
 * is 5.684341886080802e-14. */
parity_digits parity_digits_shortest(double number, bool single)
{
    char text[48];
    int most = single ? 9 : 17;
    for (int count = 1; count <= most; count++) {
        snprintf(text, sizeof text, "%.*e", count - 1, number);
        if (reads_back(text, number, single))
            break;
        bump(text);
        if (reads_back(text, number, single))
            break;
    }
    parity_digits result = {.negative = text[0] == '-'};
    const char *p = text;
    for (; *p && *p != 'e'; p++)
        if (*p >= '0' && *p <= '9')
            result.digits[result.count++] = *p;
    result.exponent = atoi(p + 1);
    while (result.count > 1 && result.digits[result.count - 1] == '0')
        result.count--;
    result.digits[result.count] = '\0';
    return result;
}
