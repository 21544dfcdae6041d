#include "harness/run/run.h"

#include "harness/base/memory.h"
#include "harness/run/lane.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double default_startup = 120;

static atomic_int signalled; /* a signal handler can only reach what is global */

typedef struct supervisor {
    parity_lane *lanes;
    size_t nlanes;
    atomic_size_t next; /* lane that no thread has taken yet */
    parity_run_options options;
    pthread_mutex_t lock; /* one call of progress or notice at a time */
} supervisor;

static void on_signal(int number)
{
    (void)number;
    atomic_store(&signalled, 1);
}

static void progress(void *context, const parity_column *column, size_t done,
                     size_t total)
{
    supervisor *s = context;
    pthread_mutex_lock(&s->lock);
    s->options.progress(s->options.context, column, done, total);
    pthread_mutex_unlock(&s->lock);
}

static void notice(void *context, const parity_column *column, const char *text)
{
    supervisor *s = context;
    pthread_mutex_lock(&s->lock);
    s->options.notice(s->options.context, column, text);
    pthread_mutex_unlock(&s->lock);
}

static void *run_lanes(void *context)
{
    supervisor *s = context;
    size_t i;
    while ((i = atomic_fetch_add(&s->next, 1)) < s->nlanes)
        parity_lane_run(&s->lanes[i]);
    return NULL;
}

/* Threads inherit the mask: signals go to the thread that called us, and a worker that is
 * gone is an error of write, not SIGPIPE. */
static void mask_signals(sigset_t *before)
{
    sigset_t masked;
    sigemptyset(&masked);
    sigaddset(&masked, SIGINT);
    sigaddset(&masked, SIGTERM);
    sigaddset(&masked, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &masked, before);
}

static int run_threads(supervisor *s, parity_error *error)
{
    size_t wanted = s->options.jobs < s->nlanes ? s->options.jobs : s->nlanes;
    pthread_t *threads = parity_alloc((wanted + 1) * sizeof *threads);
    size_t started = 0;
    sigset_t before;
    mask_signals(&before);
    while (started < wanted && pthread_create(&threads[started], NULL, run_lanes, s) == 0)
        started++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    return started > 0 || wanted == 0 ? 0 : parity_fail(error, "cannot start a thread");
}

/* Signals that end a run, unless they were ignored before; SIGCHLD must not be ignored,
 * or there is nothing to wait for. */
static const int handled[] = {SIGINT, SIGTERM, SIGCHLD};
enum { NHANDLED = sizeof handled / sizeof *handled };

/* Runs may overlap, on threads of their own: the first installs, the last restores. */
static struct {
    pthread_mutex_t lock;
    size_t runs;
    struct sigaction before[NHANDLED];
} handlers = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void handle_signals(void)
{
    pthread_mutex_lock(&handlers.lock);
    bool first = handlers.runs++ == 0;
    if (first)
        atomic_store(&signalled, 0);
    for (int i = 0; first && i < NHANDLED; i++) {
        struct sigaction action = {.sa_flags = (int)SA_RESETHAND};
        sigemptyset(&action.sa_mask);
        action.sa_handler = handled[i] == SIGCHLD ? SIG_DFL : on_signal;
        sigaction(handled[i], NULL, &handlers.before[i]);
        if (handled[i] == SIGCHLD || handlers.before[i].sa_handler != SIG_IGN)
            sigaction(handled[i], &action, NULL);
    }
    pthread_mutex_unlock(&handlers.lock);
}

static void restore_signals(void)
{
    pthread_mutex_lock(&handlers.lock);
    bool last = --handlers.runs == 0;
    for (int i = 0; last && i < NHANDLED; i++)
        sigaction(handled[i], &handlers.before[i], NULL);
    pthread_mutex_unlock(&handlers.lock);
}

static void fill_in(parity_run_options *options, const parity_run_options *given)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (given)
        *options = *given;
    if (options->jobs == 0)
        options->jobs = cores > 2 ? (size_t)cores : 2;
    if (!(options->deadline > 0))
        options->deadline = PARITY_DEADLINE;
    if (!(options->startup > 0))
        options->startup = default_startup;
}

int parity_run_cases(parity_run *runs, const parity_case *const *cases, size_t ncases,
                     const parity_column *columns, size_t ncolumns,
                     const parity_paths *paths, const parity_run_options *options,
                     parity_error *error)
{
    supervisor s = {.lock = PTHREAD_MUTEX_INITIALIZER};
    fill_in(&s.options, options);
    s.lanes = parity_alloc((ncolumns + 1) * sizeof *s.lanes);
    for (size_t i = 0; i < ncolumns; i++) {
        if (columns[i].recorded)
            continue;
        s.lanes[s.nlanes++] = (parity_lane){
            .column = &columns[i],
            .paths = paths,
            .options = &s.options,
            .cases = cases,
            .ncases = ncases,
            .runs = runs + i,
            .stride = ncolumns,
            .stop = &signalled,
            .progress = s.options.progress ? progress : NULL,
            .notice = s.options.notice ? notice : NULL,
            .context = &s,
        };
    }
    handle_signals();
    int status = run_threads(&s, error);
    restore_signals();
    if (s.options.interrupted)
        *s.options.interrupted = atomic_load(&signalled) != 0;
    free(s.lanes);
    return status;
}

void parity_run_clear(parity_run *run)
{
    parity_outcome_clear(&run->end);
    for (size_t i = 0; i < run->nobserved; i++)
        parity_outcome_clear(&run->observed[i]);
    free(run->observed);
    free(run->diagnostics);
    free(run->calls);
    free(run->notes);
    memset(run, 0, sizeof *run);
}
