/* parity try: one's own snippet. The core and candle answer first, PyTorch when it is
 * ready. */
#include "harness/base/memory.h"
#include "harness/cli/output.h"
#include "harness/cli/session.h"
#include "harness/cli/snippet.h"
#include "harness/compare/render.h"
#include "harness/run/run.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* One column's run on a thread of its own; the column prints as soon as it has answered.
 */
typedef struct lane {
    session *s;
    size_t column;
    pthread_t thread;
    pthread_mutex_t *print;
    int status;
    parity_error error;
} lane;

static void print_lines(const parity_case *test, const parity_column *column,
                        const parity_run *run)
{
    parity_language language = column->engine->language;
    if (run->end.kind != PARITY_VALUE) {
        printf("  %s%s%s%s%s\n", parity_outcome_name(run->end.kind),
               run->end.type ? " " : "", run->end.type ? run->end.type : "",
               run->end.text ? ": " : "", run->end.text ? run->end.text : "");
        if (run->end.detail)
            printf("%s\n", run->end.detail);
        return;
    }
    for (size_t r = 0; r < test->nrows; r++) {
        if (!test->rows[r].text[language].pieces)
            continue;
        parity_buffer line = {0};
        parity_render_row(&line, test, r, language, run);
        printf("  %s\n", line.data ? line.data : "");
        parity_buffer_free(&line);
    }
}

static void *run_lane(void *argument)
{
    lane *l = argument;
    session *s = l->s;
    parity_run_options options = {.jobs = 1, .deadline = s->options->deadline};
    parity_run *runs = parity_alloc(s->ncases * sizeof *runs);
    l->status = parity_run_cases(runs, s->cases, s->ncases, &s->columns[l->column], 1,
                                 &s->paths, &options, &l->error);
    pthread_mutex_lock(l->print);
    for (size_t i = 0; i < s->ncases; i++) {
        s->runs[i * s->nlive + l->column] = runs[i];
        if (l->status ||
            !s->cases[i]->program[s->columns[l->column].engine->language].text)
            continue;
        printf("%s%s%s\n", s->columns[l->column].id, s->ncases > 1 ? " " : "",
               s->ncases > 1 ? s->cases[i]->id : "");
        print_lines(s->cases[i], &s->columns[l->column], &runs[i]);
    }
    fflush(stdout);
    pthread_mutex_unlock(l->print);
    free(runs);
    return NULL;
}

static int run_lanes(session *s, parity_error *error)
{
    pthread_mutex_t print = PTHREAD_MUTEX_INITIALIZER;
    lane *lanes = parity_alloc(s->nlive * sizeof *lanes);
    s->runs = parity_alloc(s->ncases * s->nlive * sizeof *s->runs);
    int status = 0;
    size_t started = 0;
    for (; started < s->nlive && !status; started++) {
        lanes[started] = (lane){.s = s, .column = started, .print = &print};
        if (pthread_create(&lanes[started].thread, NULL, run_lane, &lanes[started]) != 0)
            status =
                parity_fail(error, "no thread could be started: %s", strerror(errno));
    }
    for (size_t i = 0; i < started - (status ? 1 : 0); i++) {
        pthread_join(lanes[i].thread, NULL);
        if (lanes[i].status && !status) {
            status = -1;
            *error = lanes[i].error;
        }
    }
    free(lanes);
    return status;
}

static int select_snippet(session *s, const cli_options *options)
{
    parity_buffer text = {0};
    snippet_case(&text, options->torch, options->candle, &options->rows);
    int code = session_select_text(s, "snippet.yaml", text.data, text.length);
    parity_buffer_free(&text);
    return code;
}

static int once(const cli_options *options)
{
    parity_error error = {0};
    session s;
    int code;
    if (session_open(&s, options, &error) || session_columns(&s, &error))
        code = session_complain(&error);
    else if ((code = options->patterns.count ? session_select(&s)
                                             : select_snippet(&s, options)) != 0)
        ;
    else if (run_lanes(&s, &error) || session_judge(&s, &error) ||
             output_render(stdout, "relations", options, &s.result, &error))
        code = session_complain(&error);
    session_close(&s);
    return code;
}

/* Waits until the file is another one or was written again. */
static void wait_for_change(const char *file, struct timespec *seen)
{
    struct stat st;
    const struct timespec pause = {0, 100 * 1000 * 1000};
    for (;;) {
        if (stat(file, &st) == 0 &&
            (st.st_mtim.tv_sec != seen->tv_sec || st.st_mtim.tv_nsec != seen->tv_nsec)) {
            *seen = st.st_mtim;
            return;
        }
        nanosleep(&pause, NULL);
    }
}

static int run(const cli_options *options)
{
    if (!options->patterns.count && !options->torch && !options->candle) {
        fprintf(stderr,
                "parity: try what? parity try FILE.yaml, or parity try --torch '…' "
                "--candle '…'\n");
        return CLI_USAGE;
    }
    if (options->patterns.count > 1) {
        fprintf(stderr, "parity: try takes one file\n");
        return CLI_USAGE;
    }
    const char *file = options->patterns.count ? options->patterns.items[0] : NULL;
    bool stay = file && !options->once && isatty(STDOUT_FILENO) && isatty(STDIN_FILENO);
    if (!stay)
        return once(options);
    struct timespec seen = {0};
    for (;;) {
        wait_for_change(file, &seen);
        once(options);
        printf("\nwaiting for %s to change; Ctrl-C ends\n", file);
        fflush(stdout);
    }
}

extern const cli_command cli_try;
const cli_command cli_try = {
    .name = "try",
    .arguments = "[FILE.yaml | --torch TEXT --candle TEXT [--row EXPR ...]]",
    .about =
        "Try a snippet of your own; on a terminal a file is run again when it is saved",
    .options =
        "--torch --candle --row --column --engine --lang --deadline --cases --once",
    .examples =
        "parity try --torch 'torch.ones(2) * 2' --candle '(Tensor::ones(2, DType::F32, "
        "&dev)? * 2.0)?'\n"
        "parity try --candle 'let x = Tensor::arange(0f32, 6f32, &dev)?; x.reshape((2, "
        "3))?'\n"
        "parity try my.yaml\n",
    .run = run,
};
