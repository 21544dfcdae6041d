/* The command line: commands, their options, and what they have in common. */
#ifndef PARITY_CLI_CLI_H
#define PARITY_CLI_CLI_H

#include "harness/base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Exit codes; the meaning of 0, 1 and 2 is that of parity_exit_code. */
enum { CLI_OK = 0, CLI_BROKEN = 1, CLI_UNJUDGED = 2, CLI_USAGE = 3 };

typedef struct cli_list {
    const char **items;
    size_t count;
    size_t capacity;
} cli_list;

/* What was typed. One struct for all commands: a command reads the members of its
 * options. */
typedef struct cli_options {
    cli_list patterns; /* positional arguments */
    cli_list columns;
    cli_list reports;
    cli_list engines;
    cli_list rows;
    const char *lang;
    const char *cases;
    const char *torch;
    const char *candle;
    const char *output;
    int jobs;
    int repeat;
    double deadline;
    bool strict;
    bool in_process;
    bool once;
    bool verbose;
    bool check;
    bool force;
    bool list_columns;
    bool list_reports;
    bool help;
} cli_options;

typedef struct cli_command {
    const char *name;
    const char *arguments; /* of the usage line */
    const char *about;     /* one line */
    const char *options;   /* names of the options it takes, separated by spaces */
    const char *examples;  /* lines for its help, or NULL */
    int (*run)(const cli_options *options);
} cli_command;

extern const cli_command
    *const cli_commands[]; /* NULL-terminated, in the order of help */

/* Parses argv after the command's name. On failure the message says what and what to do.
 */
int cli_parse(cli_options *options, const cli_command *command, int argc, char **argv,
              parity_error *error);
void cli_options_free(cli_options *options);
void cli_help(const cli_command *command); /* NULL: of the whole program */

/* "s" unless `count` is one. */
const char *cli_plural(size_t count);

/* The name in `names` (NULL-terminated) nearest to `word`, or NULL when none is near. */
const char *cli_nearest(const char *word, const char *const *names);

#endif
