/* parity doctor: what is here, what is missing, and how to get it. */
#include "harness/cli/session.h"

#include <stdio.h>
#include <sys/utsname.h>

static void print_column(const parity_column *column)
{
    printf("%s %s\n", column->absent ? "absent " : "present", column->id);
    if (column->absent)
        printf("        %s\n", column->absent);
    for (size_t i = 0; i < column->nprovenance; i++)
        printf("        %s: %s\n", column->provenance[i].name,
               column->provenance[i].text);
}

static int run(const cli_options *options)
{
    parity_error error = {0};
    session s;
    if (session_open(&s, options, &error) || session_columns(&s, &error)) {
        session_close(&s);
        return session_complain(&error);
    }
    struct utsname host;
    if (uname(&host) == 0)
        printf("parity %s on %s %s\n\n", PARITY_RELEASE, host.sysname, host.machine);
    for (const parity_engine *const *e = parity_engines; *e; e++) {
        printf("%s: %s\n", (*e)->name, (*e)->about);
        for (size_t i = 0; i < s.ncolumns; i++)
            if (s.columns[i].engine == *e) {
                fputs("  ", stdout);
                print_column(&s.columns[i]);
            }
    }
    printf(
        "\ncases   %s/cases\nbuild   %s\ncache   %s (parity doctor --clean removes it)\n",
        s.paths.root, s.paths.build, s.paths.cache);
    session_close(&s);
    return CLI_OK;
}

extern const cli_command cli_doctor;
const cli_command cli_doctor = {
    .name = "doctor",
    .arguments = "[--clean]",
    .about = "Engines, versions and devices; what is missing here and how to get it",
    .options = "--engine",
    .run = run,
};
