/* parity record: run one judge here, for the records of other machines. */
#include "harness/cli/blocks.h"
#include "harness/cli/bundle.h"
#include "harness/cli/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* candle@0.11.0/metal: candle-0.11.0-metal.parity */
static char *file_name(const cli_options *options)
{
    parity_buffer name = {0};
    if (options->output) {
        parity_buffer_text(&name, options->output);
        return parity_buffer_take(&name);
    }
    for (const char *p = options->columns.items[0]; *p; p++)
        parity_buffer_char(&name, *p == '@' || *p == '/' ? '-' : *p);
    parity_buffer_text(&name, ".parity");
    return parity_buffer_take(&name);
}

static int write_bundle(const session *s, record_blocks *all, parity_error *error)
{
    parity_buffer body = {0}, text = {0};
    char *path = file_name(s->options);
    record_blocks_print(&body, all);
    bundle_print(&text, body.data, body.length);
    int status = output_write(path, text.data, text.length, error);
    if (!status)
        printf("%s: %zu of %zu cases. In the other checkout: ./parity import %s\n", path,
               all->count, s->ncases, path);
    free(path);
    parity_buffer_free(&body);
    parity_buffer_free(&text);
    return status;
}

static int record(const session *s)
{
    parity_error error = {0};
    record_blocks all = {0};
    for (size_t i = 0; i < s->ncases; i++)
        for (size_t c = 0; c < s->nlive; c++) {
            const parity_run *run = &s->runs[i * s->nlive + c];
            if (record_worth(&s->columns[c], run))
                record_blocks_add_run(&all, s->cases[i], &s->columns[c], run);
        }
    int code = CLI_OK;
    if (!all.count) {
        fprintf(stderr, "parity: none of the cases has an outcome in this column\n");
        code = CLI_UNJUDGED;
    } else if (write_bundle(s, &all, &error)) {
        code = session_complain(&error);
    }
    record_blocks_free(&all);
    return code;
}

/* Every column that was named can be recorded here. */
static int check_columns(const session *s)
{
    for (size_t c = 0; c < s->nlive; c++) {
        const parity_column *column = &s->columns[c];
        if (!column->engine->judge) {
            fprintf(stderr, "parity: %s is no judge, so its outcomes are not recorded\n",
                    column->id);
            return CLI_USAGE;
        }
        if (column->absent) {
            fprintf(stderr, "parity: %s is absent: %s\n", column->id, column->absent);
            return CLI_UNJUDGED;
        }
    }
    return CLI_OK;
}

static int run(const cli_options *options)
{
    parity_error error = {0};
    session s = {0};
    int code = CLI_OK;
    if (!options->columns.count) {
        fprintf(stderr, "parity: which column? parity record --column "
                        "candle@0.11.0/metal; parity list --columns shows all\n");
        return CLI_USAGE;
    }
    if (session_open(&s, options, &error) || session_columns(&s, &error))
        code = session_complain(&error);
    else if ((code = check_columns(&s)) == CLI_OK && (code = session_select(&s)) == 0)
        code = session_run(&s, &error) ? session_complain(&error) : record(&s);
    session_close(&s);
    return code;
}

extern const cli_command cli_record;
const cli_command cli_record = {
    .name = "record",
    .arguments = "[CASE|GLOB ...] --column C [-o FILE]",
    .about = "Run a judge on this machine and write what it said to a file that `parity "
             "import` takes elsewhere",
    .options = "--cases --column --deadline -j -o",
    .examples = "parity record --column candle@0.11.0/metal   on a Mac; writes "
                "candle-0.11.0-metal.parity\n"
                "parity record 'copy/*' --column candle -o copy.parity\n",
    .run = run,
};
