/* A worker for the tests of the supervisor: its programs are lines such as `hang` or
 * `exit 3`, its observations words such as `pid`. */
#include "harness/run/worker.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int cases; /* that this process was asked, the one that runs included */

static void snooze(double seconds)
{
    struct timespec pause = {(time_t)seconds,
                             (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&pause, NULL);
}

static void append(const char *file, const char *text)
{
    int fd = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, text, strlen(text)) < 0)
        abort();
    close(fd);
}

static void hang(const parity_request *request, const char *argument)
{
    (void)argument;
    while (!parity_worker_cancelled(request))
        snooze(0.001);
}

static void deaf(const parity_request *request, const char *argument)
{
    (void)request;
    (void)argument;
    for (int i = 1; i < 32; i++)
        signal(i, SIG_IGN);
    for (;;)
        snooze(1);
}

static void sleeps(const parity_request *request, const char *argument)
{
    (void)request;
    snooze(atof(argument));
}

/* Sleeps only in the first process that comes by. */
static void sleeps_once(const parity_request *request, const char *argument)
{
    if (access(argument, F_OK) != 0) {
        append(argument, "slept\n");
        hang(request, "");
    }
}

static void exits(const parity_request *request, const char *argument)
{
    (void)request;
    _exit(atoi(argument));
}

static void raises(const parity_request *request, const char *argument)
{
    (void)request;
    signal(atoi(argument), SIG_DFL);
    raise(atoi(argument));
}

static void aborts(const parity_request *request, const char *argument)
{
    (void)request;
    (void)argument;
    signal(SIGABRT, SIG_DFL);
    abort();
}

/* Like a program that closes whatever it can: descriptors 0, 1 and 2 and some. */
static void closes(const parity_request *request, const char *argument)
{
    (void)request;
    for (int i = 0; i < atoi(argument); i++)
        close(i);
}

static void prints(const parity_request *request, const char *argument)
{
    (void)request;
    printf("%s\n", argument);
    fflush(stdout);
}

static void floods(const parity_request *request, const char *argument)
{
    (void)request;
    char chunk[1024];
    memset(chunk, 'e', sizeof chunk);
    for (int i = 0; i < atoi(argument); i++)
        if (write(STDERR_FILENO, chunk, sizeof chunk) < 0)
            abort();
}

/* Leaves processes behind that hold every descriptor and write their number to a file. */
static void forks(const parity_request *request, const char *argument)
{
    (void)request;
    for (int i = 0; i < 20; i++)
        if (fork() == 0) {
            char text[32];
            snprintf(text, sizeof text, "%d\n", (int)getpid());
            append(argument, text);
            for (;;)
                snooze(1);
        }
    snooze(0.2);
}

static void says_pid(const parity_request *request, const char *argument)
{
    char text[32];
    (void)request;
    snprintf(text, sizeof text, "%d\n", (int)getpid());
    append(argument, text);
}

static const struct {
    const char *name;
    void (*run)(const parity_request *request, const char *argument);
} commands[] = {
    {"hang", hang},    {"deaf", deaf},    {"sleep", sleeps}, {"sleep_once", sleeps_once},
    {"exit", exits},   {"raise", raises}, {"abort", aborts}, {"close", closes},
    {"print", prints}, {"flood", floods}, {"fork", forks},   {"pid_to", says_pid},
};

static void command(const parity_request *request, const char *line)
{
    size_t length = strcspn(line, " ");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strlen(commands[i].name) == length &&
            strncmp(commands[i].name, line, length) == 0)
            commands[i].run(request, line + length + (line[length] == ' '));
}

static void set_number(parity_outcome *out, parity_value_kind kind, long number)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%ld", number);
    out->value = parity_value_new(kind);
    out->value->text = parity_strdup(digits);
}

static void set_data(parity_outcome *out, const parity_data *data)
{
    parity_tensor *tensor = parity_alloc(sizeof *tensor);
    tensor->dtype = data->dtype;
    tensor->rank = data->rank;
    memcpy(tensor->shape, data->shape, sizeof tensor->shape);
    int64_t stride = 1;
    for (size_t i = data->rank; i-- > 0; stride *= data->shape[i])
        tensor->strides[i] = stride;
    tensor->bits = parity_alloc(data->nbytes + 1);
    memcpy(tensor->bits, data->bits, data->nbytes);
    tensor->nbytes = data->nbytes;
    tensor->storage = tensor->handle = 1;
    out->value = parity_value_new(PARITY_VALUE_TENSOR);
    out->value->tensor = tensor;
}

static void observe(parity_outcome *out, const parity_request *request,
                    const char *expression)
{
    out->kind = PARITY_VALUE;
    if (strcmp(expression, "pid") == 0) {
        set_number(out, PARITY_VALUE_INT, (long)getpid());
    } else if (strcmp(expression, "cases") == 0) {
        set_number(out, PARITY_VALUE_INT, cases);
    } else if (strcmp(expression, "id") == 0) {
        set_number(out, PARITY_VALUE_ID, 1);
    } else if (strcmp(expression, "data") == 0 && request->ndata) {
        set_data(out, &request->data[0]);
    } else {
        out->value = parity_value_new(PARITY_VALUE_TEXT);
        out->value->text =
            parity_strdup(getenv(expression) ? getenv(expression) : expression);
    }
}

static int run(void *context, const parity_request *request, parity_answer *answer)
{
    (void)context;
    cases++;
    char *program = parity_strdup(request->program), *rest = program, *line;
    for (int number = 1; (line = strsep(&rest, "\n")); number++) {
        parity_worker_at(request, (parity_pos){number, 1});
        command(request, line);
        if ((answer->cancelled = parity_worker_cancelled(request)))
            break;
    }
    free(program);
    for (size_t i = 0; i < request->nobserve; i++)
        observe(&answer->observed[i], request, request->observe[i]);
    return 0;
}

int main(int argc, char **argv)
{
    bool cancel = argc > 1 && strchr(argv[1], 'c') != NULL;
    bool fresh = argc > 1 && strchr(argv[1], 'f') != NULL;
    parity_worker_info info = {"scripted", NULL, cancel, fresh, NULL};
    return parity_worker_main(&info, run, NULL);
}
