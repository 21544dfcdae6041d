/* parity: finds the command and runs it. Started by the launcher, which sets everything
 * up. */
#include "harness/cli/cli.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

extern const cli_command cli_run, cli_show, cli_try, cli_list_command, cli_check,
    cli_doctor, cli_bless, cli_docs, cli_find, cli_watch, cli_record, cli_import;

const cli_command *const cli_commands[] = {
    &cli_run,    &cli_show,  &cli_try,  &cli_list_command, &cli_check,
    &cli_doctor, &cli_bless, &cli_docs, &cli_record,       &cli_import,
    &cli_find,   &cli_watch, NULL};

static const cli_command *find(const char *name)
{
    for (const cli_command *const *c = cli_commands; *c; c++)
        if (strcmp((*c)->name, name) == 0)
            return *c;
    return NULL;
}

static int no_such_command(const char *name)
{
    const char *names[32];
    size_t count = 0;
    for (const cli_command *const *c = cli_commands; *c && count < 31; c++)
        names[count++] = (*c)->name;
    names[count] = NULL;
    const char *near = cli_nearest(name, names);
    fprintf(stderr, "parity: there is no command '%s'; ", name);
    if (near)
        fprintf(stderr, "did you mean '%s'?\n", near);
    else
        fprintf(stderr, "see parity --help\n");
    return CLI_USAGE;
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN); /* a worker's closed pipe is an outcome, not our end */
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        const cli_command *command = argc > 2 ? find(argv[2]) : NULL;
        cli_help(command);
        return argc < 2 ? CLI_USAGE : CLI_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("parity " PARITY_RELEASE);
        return CLI_OK;
    }
    const cli_command *command = find(argv[1]);
    if (!command)
        return no_such_command(argv[1]);
    cli_options options = {0};
    parity_error error = {0};
    int code;
    if (cli_parse(&options, command, argc - 2, argv + 2, &error)) {
        fprintf(stderr, "parity: %s\n", error.message);
        code = CLI_USAGE;
    } else if (options.help) {
        cli_help(command);
        code = CLI_OK;
    } else {
        code = command->run(&options);
    }
    cli_options_free(&options);
    /* A report that could not be written whole must not look like success. */
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "parity: standard output could not be written\n");
        return code == CLI_OK ? CLI_UNJUDGED : code;
    }
    return code;
}
