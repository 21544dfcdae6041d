/* parity try: one's own snippet. The core and candle answer first, PyTorch when it is
 * ready. */
#include "harness/base/system.h"
#include "harness/cli/lanes.h"
#include "harness/cli/output.h"
#include "harness/cli/session.h"
#include "harness/cli/snippet.h"
#include "harness/compare/compare.h"
#include "harness/compare/departure.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int select_snippet(session *s, const cli_options *options)
{
    parity_buffer text = {0};
    snippet_case(&text, options->torch, options->candle, &options->rows);
    int code = session_select_text(s, "snippet.yaml", text.data, text.length);
    parity_buffer_free(&text);
    return code;
}

/* A snippet asks about the libraries: no calls of it are recorded to be replayed, and a
 * model of a device says nothing about them. With --column they can be asked for. */
static void leave_out_models(session *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->ncolumns; i++)
        if (!s->columns[i].engine->replays &&
            !(s->columns[i].device && parity_stand_in_device(s->columns[i].device)))
            s->columns[kept++] = s->columns[i];
    s->ncolumns = s->nlive = kept;
}

static int try_columns(session *s, parity_error *error)
{
    if (session_columns(s, error))
        return -1;
    if (!s->options->columns.count)
        leave_out_models(s);
    return 0;
}

/* What the answer cannot say of itself. */
static void print_hints(const session *s)
{
    const char *candle = s->options->candle;
    bool snippet = candle || s->options->torch;
    if (candle && strstr(candle, "fn main("))
        printf("hint: a snippet is the body of `fn main`; nothing calls the one in it\n");
    if (candle && (strstr(candle, "::rand") || strstr(candle, ".rand")))
        printf("hint: candle draws random numbers without a seed, so their values differ "
               "in every run\n");
    if (snippet && s->result.ncases == 1 && s->result.cases[0].nverdicts == 0)
        printf("hint: nothing was compared; give both --torch and --candle\n");
}

static int once(const cli_options *options)
{
    parity_error error = {0};
    session s;
    int code;
    if (session_open(&s, options, &error) || try_columns(&s, &error))
        code = session_complain(&error);
    else if ((code = options->patterns.count ? session_select(&s)
                                             : select_snippet(&s, options)) != 0)
        ;
    else if (lanes_run(&s, NULL, lanes_print, &error) || session_judge(&s, &error) ||
             output_render(stdout, "relations", options, &s.result, &error))
        code = session_complain(&error);
    else {
        print_hints(&s);
        code = parity_exit_code(&s.result, s.named, false);
    }
    session_close(&s);
    return code;
}

/* Waits until the file is another one or was written again. */
static void wait_for_change(const char *file, struct timespec *seen)
{
    struct stat st;
    const struct timespec pause = {0, 100 * 1000 * 1000};
    for (;;) {
        const bool there = stat(file, &st) == 0;
        const struct timespec now = there ? parity_written(&st) : *seen;
        if (now.tv_sec != seen->tv_sec || now.tv_nsec != seen->tv_nsec) {
            *seen = now;
            return;
        }
        nanosleep(&pause, NULL);
    }
}

static bool is_blank(const char *text)
{
    return text && text[strspn(text, " \t\r\n")] == '\0';
}

static int run(const cli_options *options)
{
    if (!options->patterns.count && !options->torch && !options->candle) {
        fprintf(stderr,
                "parity: try what? parity try FILE.yaml, or parity try --torch '…' "
                "--candle '…'\n");
        return CLI_USAGE;
    }
    bool snippet = options->torch || options->candle;
    if (options->patterns.count > 1 || (options->patterns.count && snippet)) {
        fprintf(stderr, "parity: try takes one file, or a snippet\n");
        return CLI_USAGE;
    }
    if (is_blank(options->torch) || is_blank(options->candle)) {
        fprintf(stderr, "parity: the text behind %s is empty\n",
                is_blank(options->torch) ? "--torch" : "--candle");
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
