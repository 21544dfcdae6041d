/* parity import: take a portable record into the records beside the cases, all of it or
 * nothing. */
#include "harness/cli/blocks.h"
#include "harness/cli/bundle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Why this block cannot be taken, or NULL. */
static const char *problem(const session *s, const parity_recorded *block)
{
    const parity_case *test = record_case(s, block->case_id);
    const parity_engine *engine = record_judge(block->column);
    if (!engine)
        return "its column belongs to no judge of this Parity";
    if (!test)
        return "there is no such case here";
    if (block->text_hash != test->text_hash[engine->language] ||
        block->language != engine->language)
        return "it was made from other case text: record again from this checkout";
    return NULL;
}

static size_t count_problems(const session *s, const parity_record_file *bundle,
                             const char *path)
{
    enum { SHOWN = 10 };
    size_t count = 0;
    for (size_t i = 0; i < bundle->nblocks; i++) {
        const parity_recorded *block = &bundle->blocks[i];
        const char *why = problem(s, block);
        if (why && count++ < SHOWN)
            fprintf(stderr, "%s: %s of %s: %s\n", path, block->case_id, block->column,
                    why);
    }
    if (count > SHOWN)
        fprintf(stderr, "and %zu more\n", count - SHOWN);
    return count;
}

/* The blocks of the bundle for the cases of one file. */
static int import_file(const session *s, const parity_record_file *bundle,
                       const char *file, bool only_check, parity_error *error)
{
    record_blocks all = {0};
    for (size_t i = 0; i < bundle->nblocks; i++)
        if (strcmp(record_case(s, bundle->blocks[i].case_id)->file, file) == 0)
            record_blocks_add(&all, &bundle->blocks[i]);
    int status = all.count ? record_blocks_write(&all, s, file, only_check, error) : 0;
    record_blocks_free(&all);
    return status;
}

static int import(const session *s, const parity_record_file *bundle, const char *path)
{
    parity_error error = {0};
    size_t changed = 0;
    if (count_problems(s, bundle, path)) {
        fprintf(stderr, "parity: nothing was imported from %s\n", path);
        return CLI_USAGE;
    }
    for (size_t i = 0; i < s->suite.ncases; i++) {
        const char *file = s->suite.cases[i].file;
        if (i > 0 && strcmp(file, s->suite.cases[i - 1].file) == 0)
            continue;
        int status = import_file(s, bundle, file, s->options->check, &error);
        if (status < 0)
            return session_complain(&error);
        changed += (size_t)status;
    }
    printf("%s: %zu outcome%s, %zu record%s %s\n", path, bundle->nblocks,
           cli_plural(bundle->nblocks), changed, cli_plural(changed),
           s->options->check ? "would change" : "changed");
    return s->options->check && changed ? CLI_BROKEN : CLI_OK;
}

static int run(const cli_options *options)
{
    parity_error error = {0};
    parity_record_file bundle = {0};
    session s = {0};
    cli_options all = *options;
    all.patterns = (cli_list){0}; /* the file is no pattern of cases */
    if (options->patterns.count != 1) {
        fprintf(stderr, "parity: import takes one file\n");
        return CLI_USAGE;
    }
    const char *path = options->patterns.items[0];
    if (bundle_read(&bundle, path, &error))
        return session_complain(&error);
    int code =
        session_open(&s, &all, &error) ? session_complain(&error) : session_select(&s);
    if (code == CLI_OK)
        code = import(&s, &bundle, path);
    session_close(&s);
    parity_record_free(&bundle);
    return code;
}

extern const cli_command cli_import;
const cli_command cli_import = {
    .name = "import",
    .arguments = "FILE",
    .about = "Take what `parity record` wrote on another machine into the records; "
             "refused if it does not fit these cases",
    .options = "--cases --check",
    .examples = "parity import candle-0.11.0-metal.parity\n",
    .run = run,
};
