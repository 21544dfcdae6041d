#include "harness/cli/session.h"
#include "harness/base/memory.h"
#include "harness/compare/compare.h"
#include "harness/run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int session_complain(const parity_error *error)
{
    if (error->file[0] && !error->pos.line)
        fprintf(stderr, "%s: %s\n", error->file, error->message);
    else if (error->file[0])
        fprintf(stderr, "%s:%d:%d: %s\n", error->file, error->pos.line, error->pos.column,
                error->message);
    else
        fprintf(stderr, "parity: %s\n", error->message);
    return CLI_USAGE;
}

int session_open(session *s, const cli_options *options, parity_error *error)
{
    *s = (session){.options = options, .started = now()};
    s->arena = parity_arena_new();
    s->paths.root = getenv("PARITY_ROOT");
    s->paths.build = getenv("PARITY_BUILD");
    s->paths.cache = getenv("PARITY_CACHE");
    s->paths.python = getenv("PARITY_PYTHON_USED");
    s->paths.crates = getenv("PARITY_CRATES");
    if (!s->paths.root || !s->paths.build || !s->paths.cache)
        return parity_fail(
            error, "start it through the launcher ./parity in the top folder of the "
                   "checkout (it sets PARITY_ROOT, PARITY_BUILD and PARITY_CACHE)");
    return 0;
}

static bool ends_in_yaml(const char *argument)
{
    size_t length = strlen(argument);
    return length > 5 && strcmp(argument + length - 5, ".yaml") == 0;
}

/* A positional argument that names a file rather than a case of the tree. */
static bool is_file(const char *argument)
{
    struct stat st;
    return ends_in_yaml(argument) && stat(argument, &st) == 0 && S_ISREG(st.st_mode);
}

/* Whether a file argument lies in the tree that is loaded anyway. */
static bool in_tree(const session *s, const char *file)
{
    for (size_t i = 0; i < s->suite.ncases; i++)
        if (parity_case_matches(&s->suite.cases[i], file))
            return true;
    return false;
}

static void load_extra(session *s)
{
    for (size_t i = 0; i < s->options->patterns.count; i++) {
        const char *file = s->options->patterns.items[i];
        if (!is_file(file) || in_tree(s, file))
            continue;
        const char *slash = strrchr(file, '/');
        const char *base = slash ? slash + 1 : file;
        char *id = parity_arena_strndup(s->arena, base, strlen(base) - 5);
        size_t first = s->suite.ncases;
        parity_load_file(&s->suite, file, id, NULL, 0);
        for (size_t k = first; k < s->suite.ncases; k++)
            s->suite.cases[k].apart = true;
    }
}

static bool selected(const session *s, const parity_case *test, bool *used)
{
    const cli_list *patterns = &s->options->patterns;
    bool any = patterns->count == 0;
    for (size_t i = 0; i < patterns->count; i++)
        if (parity_case_matches(test, patterns->items[i])) {
            used[i] = true;
            any = true;
        }
    return any;
}

static void print_problems(const parity_suite *suite)
{
    parity_buffer out = {0};
    for (size_t i = 0; i < suite->nproblems; i++)
        parity_problem_print(&out, &suite->problems[i]);
    if (out.length)
        fputs(out.data, stderr);
    parity_buffer_free(&out);
}

static const char *nearest_id(const session *s, const char *pattern)
{
    const char **names = parity_alloc((s->suite.ncases + 1) * sizeof *names);
    for (size_t i = 0; i < s->suite.ncases; i++)
        names[i] = s->suite.cases[i].id;
    const char *near = cli_nearest(pattern, names);
    free(names);
    return near;
}

/* Whether there are cases in a folder of this name. */
static bool is_folder(const session *s, const char *pattern)
{
    size_t length = strlen(pattern);
    for (size_t i = 0; i < s->suite.ncases; i++)
        if (strncmp(s->suite.cases[i].id, pattern, length) == 0 &&
            s->suite.cases[i].id[length] == '/')
            return true;
    return false;
}

static int unmatched(const session *s, const char *pattern)
{
    /* A file with a problem gave no case; its problem has been printed. */
    for (size_t i = 0; i < s->suite.nproblems; i++)
        if (strstr(s->suite.problems[i].file, pattern))
            return CLI_USAGE;
    struct stat st;
    if (stat(pattern, &st) == 0 && S_ISDIR(st.st_mode)) {
        fprintf(stderr,
                "parity: no case matches '%s'; a folder of cases is given to --cases\n",
                pattern);
        return CLI_USAGE;
    }
    if (ends_in_yaml(pattern)) {
        fprintf(stderr, "parity: there is no file '%s'\n", pattern);
        return CLI_USAGE;
    }
    const char *near = nearest_id(s, pattern);
    fprintf(stderr, "parity: no case matches '%s'; ", pattern);
    if (is_folder(s, pattern))
        fprintf(stderr, "those in the folder are '%s/*'\n", pattern);
    else if (near)
        fprintf(stderr, "did you mean '%s'?\n", near);
    else
        fprintf(stderr, "parity list shows all of them\n");
    return CLI_USAGE;
}

int session_select(session *s)
{
    parity_buffer folder = {0};
    parity_buffer_printf(&folder, "%s/cases", s->paths.root);
    parity_load_tree(&s->suite, s->options->cases ? s->options->cases : folder.data);
    parity_buffer_free(&folder);
    load_extra(s);
    print_problems(&s->suite);
    const cli_list *patterns = &s->options->patterns;
    bool *used = parity_alloc(patterns->count + 1);
    s->cases = parity_arena_alloc(s->arena, (s->suite.ncases + 1) * sizeof *s->cases);
    for (size_t i = 0; i < s->suite.ncases; i++)
        if (selected(s, &s->suite.cases[i], used))
            s->cases[s->ncases++] = &s->suite.cases[i];
    int code = 0;
    for (size_t i = 0; i < patterns->count && !code; i++)
        if (!used[i])
            code = unmatched(s, patterns->items[i]);
    free(used);
    if (!code && s->ncases == 0) {
        fprintf(stderr, "parity: there is no case to run\n");
        code = CLI_USAGE;
    }
    return code;
}

int session_select_text(session *s, const char *name, const char *text, size_t length)
{
    s->snippet = true;
    parity_load_file(&s->suite, name, "snippet", text, length);
    print_problems(&s->suite);
    s->cases = parity_arena_alloc(s->arena, (s->suite.ncases + 1) * sizeof *s->cases);
    for (size_t i = 0; i < s->suite.ncases; i++)
        s->cases[s->ncases++] = &s->suite.cases[i];
    return s->ncases ? 0 : CLI_USAGE;
}

static int no_such_column(const session *s, const char *word, parity_error *error)
{
    parity_buffer known = {0};
    for (size_t i = 0; i < s->ncolumns; i++)
        parity_buffer_printf(&known, "%s%s", i ? ", " : "", s->columns[i].id);
    parity_fail(error, "there is no column '%s'; the columns here are %s", word,
                known.data ? known.data : "none");
    parity_buffer_free(&known);
    return -1;
}

static int keep_named(session *s, parity_error *error)
{
    const cli_list *words = &s->options->columns;
    bool *keep = parity_alloc(s->ncolumns + 1);
    for (size_t w = 0; w < words->count; w++) {
        bool found = false;
        for (size_t i = 0; i < s->ncolumns; i++)
            if (parity_column_matches(&s->columns[i], words->items[w]))
                found = keep[i] = true;
        if (!found) {
            no_such_column(s, words->items[w], error);
            free(keep);
            return -1;
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < s->ncolumns; i++)
        if (!words->count || keep[i])
            s->columns[kept++] = s->columns[i];
    s->ncolumns = kept;
    free(keep);
    return 0;
}

static int add_external(session *s, size_t *capacity, parity_error *error)
{
    const cli_list *specs = &s->options->engines;
    for (size_t i = 0; i < specs->count; i++) {
        PARITY_GROW(s->columns, s->ncolumns, *capacity);
        if (parity_column_external(&s->columns[s->ncolumns], specs->items[i], s->arena,
                                   error))
            return -1;
        s->ncolumns++;
        s->nexternal++;
    }
    return 0;
}

int session_columns(session *s, parity_error *error)
{
    size_t capacity = 0;
    for (const parity_engine *const *e = parity_engines; *e; e++) {
        parity_column *found = NULL;
        size_t count = 0;
        if ((*e)->columns(&found, &count, &s->paths, s->arena, error))
            return -1;
        for (size_t i = 0; i < count; i++) {
            PARITY_GROW(s->columns, s->ncolumns, capacity);
            s->columns[s->ncolumns++] = found[i];
        }
        free(found);
    }
    if (add_external(s, &capacity, error) || keep_named(s, error))
        return -1;
    s->nlive = s->ncolumns;
    return 0;
}

/* One line on a terminal that is overwritten; nothing elsewhere. */
static void progress(void *context, const parity_column *column, size_t done,
                     size_t total)
{
    (void)context;
    fprintf(stderr, "\r\033[K%s: %zu of %zu", column->id, done, total);
    if (done == total)
        fprintf(stderr, "\r\033[K");
    fflush(stderr);
}

static void notice(void *context, const parity_column *column, const char *text)
{
    (void)context;
    fprintf(stderr, "%s: %s\n", column->id, text);
}

int session_run(session *s, parity_error *error)
{
    parity_run_options options = {
        .jobs = (size_t)s->options->jobs,
        .deadline = s->options->deadline,
        .in_process = s->options->in_process,
        .progress = isatty(STDERR_FILENO) ? progress : NULL,
        .notice = notice,
        .interrupted = &s->interrupted,
    };
    s->runs = parity_alloc(s->ncases * s->nlive * sizeof *s->runs);
    return parity_run_cases(s->runs, s->cases, s->ncases, s->columns, s->nlive, &s->paths,
                            &options, error);
}

static void free_runs(session *s)
{
    if (s->runs)
        for (size_t i = 0; i < s->ncases * s->nlive; i++)
            parity_run_clear(&s->runs[i]);
    free(s->runs);
}

void session_close(session *s)
{
    for (size_t i = 0; i < s->result.ncases; i++) {
        parity_judge_clear(&s->result.cases[i]);
        free(s->result.cases[i]
                 .runs); /* what they hold is the session's or the record's */
    }
    free(s->result.cases);
    free_runs(s);
    for (size_t i = 0; i < s->nrecords; i++)
        parity_record_free(&s->records[i].file);
    free(s->records);
    free(s->columns);
    free(s->named);
    parity_suite_free(&s->suite);
    parity_arena_free(s->arena);
    *s = (session){0};
}
