/* parity watch: a case is saved, and its verdict is there. What the edit did not touch
 * does not run again: outcomes are kept by the hash of what an engine is given. */
#include "harness/base/memory.h"
#include "harness/cli/files.h"
#include "harness/cli/lanes.h"
#include "harness/cli/output.h"
#include "harness/run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* One outcome of an earlier save. */
typedef struct kept {
    char *case_id;
    char *column;
    uint64_t text_hash;
    parity_run run;
} kept;

typedef struct watcher {
    const cli_options *options;
    kept *kept;
    size_t count;
    size_t capacity;
} watcher;

static uint64_t hash_of(const session *s, size_t place)
{
    const parity_column *column = &s->columns[place % s->nlive];
    return s->cases[place / s->nlive]->text_hash[column->engine->language];
}

static kept *find_kept(const watcher *w, const session *s, size_t place)
{
    const char *id = s->cases[place / s->nlive]->id;
    const char *column = s->columns[place % s->nlive].id;
    for (size_t i = 0; i < w->count; i++)
        if (strcmp(w->kept[i].case_id, id) == 0 && strcmp(w->kept[i].column, column) == 0)
            return &w->kept[i];
    return NULL;
}

/* What was recorded of a judge for this very text, or NULL. It stands in until the text
 * changes, so that nobody waits for PyTorch to start while editing the other program. */
static const parity_run *recorded(const session *s, const parity_record_file *records,
                                  size_t place)
{
    const parity_column *column = &s->columns[place % s->nlive];
    for (size_t b = 0; b < records->nblocks && !column->absent; b++)
        if (strcmp(records->blocks[b].case_id, s->cases[place / s->nlive]->id) == 0 &&
            strcmp(records->blocks[b].column, column->id) == 0 &&
            records->blocks[b].text_hash == hash_of(s, place))
            return &records->blocks[b].run;
    return NULL;
}

/* Moves what is known into the runs of the session. `borrowed` ones belong to the record.
 */
static void take_known(watcher *w, session *s, const parity_record_file *records,
                       bool *have, bool *borrowed)
{
    for (size_t place = 0; place < s->ncases * s->nlive; place++) {
        kept *old = find_kept(w, s, place);
        const parity_run *said = recorded(s, records, place);
        if (old && old->run.ran && old->text_hash == hash_of(s, place)) {
            s->runs[place] = old->run;
            old->run = (parity_run){0};
            have[place] = true;
        } else if (said) {
            s->runs[place] = *said;
            have[place] = borrowed[place] = true;
        }
    }
}

static void keep(watcher *w, session *s, size_t place)
{
    const parity_run *run = &s->runs[place];
    if (!run->ran || run->protocol_broken || run->end.kind == PARITY_ABSENT)
        return;
    kept *k = find_kept(w, s, place);
    if (!k) {
        PARITY_GROW(w->kept, w->count, w->capacity);
        k = &w->kept[w->count++];
        *k = (kept){.case_id = parity_strdup(s->cases[place / s->nlive]->id),
                    .column = parity_strdup(s->columns[place % s->nlive].id)};
    }
    parity_run_clear(&k->run);
    k->text_hash = hash_of(s, place);
    k->run = *run;
    s->runs[place] = (parity_run){0};
}

static void tell(const session *s, size_t column, double seconds)
{
    size_t ran = 0, through = 0;
    if (s->ncases == 1) {
        lanes_print(s, column, seconds);
    } else {
        for (size_t i = 0; i < s->ncases; i++) {
            const parity_run *run = &s->runs[i * s->nlive + column];
            ran += run->end.kind != PARITY_ABSENT;
            through += run->end.kind == PARITY_VALUE;
        }
        printf("%s: %zu of %zu programs ran through\n", s->columns[column].id, through,
               ran);
    }
    if (!s->columns[column].absent)
        printf("  (%s after %.2f s)\n", s->columns[column].id, seconds);
    fflush(stdout);
}

static void print_verdict(const parity_result *result)
{
    size_t of[PARITY_NOT_JUDGED + 1] = {0}, broken = 0;
    for (size_t i = 0; i < result->ncases; i++)
        for (size_t v = 0; v < result->cases[i].nverdicts; v++) {
            parity_state state = result->cases[i].verdicts[v].state;
            of[state]++;
            broken += parity_state_broken(state);
        }
    printf("%zu agree, %zu finding%s, %zu broken, %zu not judged; %.2f s\n",
           of[PARITY_AGREE], of[PARITY_FINDING], of[PARITY_FINDING] == 1 ? "" : "s",
           broken, of[PARITY_NOT_JUDGED], result->seconds);
}

static int judge(watcher *w, session *s, const parity_record_file *records,
                 parity_error *error)
{
    size_t places = s->ncases * s->nlive;
    bool *have = parity_alloc(places + 1), *borrowed = parity_alloc(places + 1);
    s->runs = parity_alloc((places + 1) * sizeof *s->runs);
    take_known(w, s, records, have, borrowed);
    int status = lanes_run(s, have, tell, error);
    if (!status)
        status = session_judge(s, error);
    if (!status)
        status = output_render(stdout, "relations", s->options, &s->result, error);
    if (!status)
        print_verdict(&s->result);
    for (size_t place = 0; place < places; place++) {
        if (borrowed[place])
            s->runs[place] = (parity_run){0};
        else
            keep(w, s, place);
    }
    free(have);
    free(borrowed);
    return status;
}

/* Returns whether a signal ended the run. */
static bool look_at(watcher *w, const case_file *file)
{
    const char *pattern = file->path;
    cli_options one = *w->options;
    one.patterns = (cli_list){&pattern, 1, 1};
    parity_error error = {0};
    parity_record_file records = {0};
    char *path = parity_record_path(file->path);
    session s;
    printf("\n%s\n", file->id);
    fflush(stdout);
    bool opened = !session_open(&s, &one, &error) && !session_columns(&s, &error);
    if (!opened || parity_record_read(&records, path, &error))
        session_complain(&error);
    else if (session_select(&s) == 0 && judge(w, &s, &records, &error))
        session_complain(&error);
    bool interrupted = s.interrupted;
    session_close(&s);
    parity_record_free(&records);
    free(path);
    fflush(stdout);
    return interrupted;
}

static void watch(watcher *w, const char *folder)
{
    const struct timespec pause = {0, 20 * 1000 * 1000};
    case_files seen = {0};
    bool interrupted = false;
    case_files_list(&seen, folder, &w->options->patterns);
    printf("watching %zu case file%s; save one to see its verdict, Ctrl-C ends\n",
           seen.count, cli_plural(seen.count));
    fflush(stdout);
    while (!interrupted) {
        case_files now = {0};
        nanosleep(&pause, NULL);
        case_files_list(&now, folder, &w->options->patterns);
        for (size_t i = 0; i < now.count && !interrupted; i++)
            /* An editor that writes in place empties the file first. */
            if (now.items[i].size && case_file_changed(&seen, &now.items[i]))
                interrupted = look_at(w, &now.items[i]);
        case_files_free(&seen);
        seen = now;
    }
    case_files_free(&seen);
}

static int run(const cli_options *options)
{
    watcher w = {.options = options};
    parity_error error = {0};
    parity_buffer folder = {0};
    session s;
    bool opened = !session_open(&s, options, &error);
    if (opened && options->cases)
        parity_buffer_text(&folder, options->cases);
    else if (opened)
        parity_buffer_printf(&folder, "%s/cases", s.paths.root);
    session_close(&s);
    if (!opened)
        return session_complain(&error);
    watch(&w, folder.data);
    for (size_t i = 0; i < w.count; i++) {
        free(w.kept[i].case_id);
        free(w.kept[i].column);
        parity_run_clear(&w.kept[i].run);
    }
    free(w.kept);
    parity_buffer_free(&folder);
    return CLI_UNJUDGED; /* only an interruption ends it while something runs */
}

extern const cli_command cli_watch;
const cli_command cli_watch = {
    .name = "watch",
    .arguments = "[CASE|GLOB|FILE.yaml ...]",
    .about = "Save a case, see its verdict; only what the edit touches runs again",
    .options = "--column --cases --engine --lang --deadline",
    .examples = "parity watch               everything below cases/\n"
                "parity watch 'copy/*'      one theme\n",
    .run = run,
};
