/* Options: one table, one row each. */
#include "harness/base/memory.h"
#include "harness/cli/cli.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum option_kind { FLAG, TEXT, LIST, COUNT, SECONDS } option_kind;

static const struct option {
    const char *name;
    const char *value; /* placeholder in help, NULL for a flag */
    option_kind kind;
    size_t offset;
    const char *about;
} table[] = {
#define AT(member) offsetof(cli_options, member)
    {"--column", "C", LIST, AT(columns),
     "only this column: core, torch@2.15.0, candle@0.11.0/cpu, …; may be repeated"},
    {"--report", "KIND[=FILE]", LIST, AT(reports),
     "render a report to standard output or a file; may be repeated"},
    {"--engine", "NAME:LANGUAGE=COMMAND", LIST, AT(engines),
     "add an engine: any command that speaks docs/protocol.md"},
    {"--torch", "TEXT", TEXT, AT(torch), "the PyTorch side of a snippet"},
    {"--candle", "TEXT", TEXT, AT(candle), "the candle side of a snippet"},
    {"--row", "TEXT", LIST, AT(rows),
     "what to observe: an expression of both languages, or TORCH | CANDLE; may be "
     "repeated"},
    {"--cases", "DIR", TEXT, AT(cases), "case files from here instead of cases/"},
    {"--lang", "en|zh", TEXT, AT(lang), "language of the sentences"},
    {"-o", "FILE", TEXT, AT(output), "write to this file"},
    {"-j", "N", COUNT, AT(jobs), "columns that run at the same time"},
    {"--repeat", "N", COUNT, AT(repeat),
     "run N times and name what is not the same each time"},
    {"--deadline", "SECONDS", SECONDS, AT(deadline), "time a case may take (default 2)"},
    {"--strict", NULL, FLAG, AT(strict), "a column that is absent makes the exit code 2"},
    {"--in-process", NULL, FLAG, AT(in_process),
     "run the core inside the harness, for debuggers and sanitizers"},
    {"--once", NULL, FLAG, AT(once), "do not wait for the file to change"},
    {"--check", NULL, FLAG, AT(check),
     "change nothing; exit 1 if something would change"},
    {"--force", NULL, FLAG, AT(force), "overwrite what was edited by hand"},
    {"--columns", NULL, FLAG, AT(list_columns), "list columns"},
    {"--reports", NULL, FLAG, AT(list_reports), "list reports"},
    {"--verbose", NULL, FLAG, AT(verbose), "say more"},
    {"--help", NULL, FLAG, AT(help), "this text"},
#undef AT
};
#define NOPTIONS (sizeof table / sizeof *table)

/* Whether `name` is one of the words of `words`. */
static bool takes(const char *words, const char *name)
{
    size_t length = strlen(name);
    for (const char *p = words; (p = strstr(p, name)); p += length)
        if ((p == words || p[-1] == ' ') && (p[length] == ' ' || p[length] == '\0'))
            return true;
    return strcmp(name, "--help") == 0;
}

static size_t distance(const char *a, const char *b)
{
    size_t row[64], na = strlen(a), nb = strlen(b);
    if (na >= 64 || nb >= 64)
        return 64;
    for (size_t j = 0; j <= nb; j++)
        row[j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[nb];
}

const char *cli_nearest(const char *word, const char *const *names)
{
    const char *best = NULL;
    size_t least = strlen(word) / 3 + 2;
    for (; *names; names++) {
        size_t d = distance(word, *names);
        if (d < least) {
            least = d;
            best = *names;
        }
    }
    return best;
}

static int unknown(const cli_command *command, const char *name, parity_error *error)
{
    const char *names[NOPTIONS + 1];
    size_t count = 0;
    for (size_t i = 0; i < NOPTIONS; i++)
        if (takes(command->options, table[i].name))
            names[count++] = table[i].name;
    names[count] = NULL;
    const char *near = cli_nearest(name, names);
    if (near)
        return parity_fail(error, "%s: unknown option %s; did you mean %s?",
                           command->name, name, near);
    return parity_fail(error, "%s: unknown option %s; see parity %s --help",
                       command->name, name, command->name);
}

static int store(cli_options *options, const struct option *option, const char *value,
                 parity_error *error)
{
    char *at = (char *)options + option->offset;
    char *end;
    switch (option->kind) {
    case FLAG:
        *(bool *)(void *)at = true;
        return 0;
    case TEXT:
        *(const char **)(void *)at = value;
        return 0;
    case LIST: {
        cli_list *list = (cli_list *)(void *)at;
        PARITY_GROW(list->items, list->count, list->capacity);
        list->items[list->count++] = value;
        return 0;
    }
    case COUNT: {
        errno = 0;
        long number = strtol(value, &end, 10);
        if (errno || end == value || *end || number < 1 || number > 10000)
            return parity_fail(error, "%s takes a number from 1 to 10000, not '%s'",
                               option->name, value);
        *(int *)(void *)at = (int)number;
        return 0;
    }
    case SECONDS: {
        double seconds = strtod(value, &end);
        if (end == value || *end || !(seconds > 0 && seconds <= 86400))
            return parity_fail(error, "%s takes seconds, not '%s'", option->name, value);
        *(double *)(void *)at = seconds;
        return 0;
    }
    }
    return 0;
}

/* One option at argv[*i]; its value may follow as the next argument, after =, or after
 * -j. */
static int parse_one(cli_options *options, const cli_command *command, int argc,
                     char **argv, int *i, parity_error *error)
{
    const char *arg = argv[*i];
    for (size_t k = 0; k < NOPTIONS; k++) {
        const struct option *option = &table[k];
        size_t length = strlen(option->name);
        if (strncmp(arg, option->name, length) != 0 ||
            !takes(command->options, option->name))
            continue;
        const char *rest = arg + length;
        bool exact = *rest == '\0';
        bool glued = *rest == '=' || (option->name[1] != '-' && *rest != '\0');
        if (!exact && !glued)
            continue;
        if (option->kind == FLAG)
            return exact ? store(options, option, NULL, error)
                         : parity_fail(error, "%s takes no value", option->name);
        if (glued)
            return store(options, option, *rest == '=' ? rest + 1 : rest, error);
        if (*i + 1 >= argc)
            return parity_fail(error, "%s needs a value: %s %s", option->name,
                               option->name, option->value);
        return store(options, option, argv[++*i], error);
    }
    return unknown(command, arg, error);
}

int cli_parse(cli_options *options, const cli_command *command, int argc, char **argv,
              parity_error *error)
{
    bool only_patterns = false;
    for (int i = 0; i < argc; i++) {
        if (!only_patterns && strcmp(argv[i], "--") == 0) {
            only_patterns = true;
        } else if (!only_patterns && argv[i][0] == '-' && argv[i][1]) {
            if (parse_one(options, command, argc, argv, &i, error))
                return -1;
        } else {
            cli_list *list = &options->patterns;
            PARITY_GROW(list->items, list->count, list->capacity);
            list->items[list->count++] = argv[i];
        }
    }
    if (options->lang && strcmp(options->lang, "en") != 0 &&
        strcmp(options->lang, "zh") != 0)
        return parity_fail(error, "--lang takes en or zh, not '%s'", options->lang);
    return 0;
}

void cli_options_free(cli_options *options)
{
    free(options->patterns.items);
    free(options->columns.items);
    free(options->reports.items);
    free(options->engines.items);
    free(options->rows.items);
    *options = (cli_options){0};
}

const char *cli_plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static void help_of_all(void)
{
    puts("Parity runs the same intent in PyTorch and in candle and says where they "
         "differ.\n");
    puts("usage: parity COMMAND [ARGUMENT...]\n");
    for (const cli_command *const *c = cli_commands; *c; c++)
        printf("  %-8s %s\n", (*c)->name, (*c)->about);
    puts("  test     Run the project's own tests (--quick: without sanitizers)\n"
         "  bench    Measure the core and the harness, against candle and PyTorch\n"
         "  setup    Only set up; tries again what could not be fetched");
    puts("\n`parity COMMAND --help` says more. Exit code: 0 all holds, 1 something is "
         "broken, "
         "2 could not\njudge, 3 wrong usage or a bad file.");
}

void cli_help(const cli_command *command)
{
    if (!command) {
        help_of_all();
        return;
    }
    printf("usage: parity %s %s\n%s.\n\n", command->name, command->arguments,
           command->about);
    for (size_t i = 0; i < NOPTIONS; i++) {
        if (!takes(command->options, table[i].name))
            continue;
        char left[64];
        snprintf(left, sizeof left, "%s %s", table[i].name,
                 table[i].value ? table[i].value : "");
        printf("  %-31s %s\n", left, table[i].about);
    }
    if (command->examples)
        printf("\n%s", command->examples);
}
