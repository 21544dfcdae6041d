#include "harness/run/testing/fixture.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_WORDS = 16 };

/* A row whose worker is a list of words. */
typedef struct row {
    parity_engine engine;
    const char *argv[MAX_WORDS];
} row;

static int worker_of(parity_worker *worker, const parity_column *column,
                     const parity_paths *paths, parity_arena *arena, parity_error *error)
{
    (void)paths;
    (void)arena;
    (void)error;
    worker->argv = ((row *)column->engine)->argv;
    return 0;
}

const char *parity_fixture_program(parity_fixture *fixture, const char *name)
{
    static const char *const programs[] = {"harness/run/testing/parity-test-worker",
                                           "harness/run/faulty/parity-faulty"};
    const char *build = getenv("PARITY_BUILD");
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        if (strcmp(strrchr(programs[i], '/') + 1, name) != 0)
            continue;
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", build ? build : ".", programs[i]);
        return parity_arena_strdup(fixture->arena, path);
    }
    return parity_arena_strdup(fixture->arena, name);
}

void parity_fixture_open(parity_fixture *fixture, const char *const *command)
{
    memset(fixture, 0, sizeof *fixture);
    fixture->arena = parity_arena_new();
    row *made = parity_arena_alloc(fixture->arena, sizeof *made);
    made->engine.name = "fixture";
    made->engine.language = PARITY_TORCH;
    made->engine.worker = worker_of;
    for (size_t i = 0; command[i] && i + 1 < MAX_WORDS; i++)
        made->argv[i] = parity_fixture_program(fixture, command[i]);
    fixture->column =
        (parity_column){.engine = &made->engine, .id = "fixture/cpu", .device = "cpu"};
    fixture->options.deadline = 0.3;
    fixture->options.startup = 20;
}

parity_case *parity_fixture_add(parity_fixture *fixture, const char *id,
                                const char *program, const char *observe)
{
    PARITY_GROW(fixture->cases, fixture->ncases, fixture->capacity);
    parity_case *test = &fixture->cases[fixture->ncases++];
    memset(test, 0, sizeof *test);
    test->id = parity_arena_strdup(fixture->arena, id);
    test->program[PARITY_TORCH].text = parity_arena_strdup(fixture->arena, program);
    char *words = parity_arena_strdup(fixture->arena, observe), *word;
    test->observe[PARITY_TORCH] =
        parity_arena_alloc(fixture->arena, (strlen(observe) + 1) * sizeof(parity_expr));
    while ((word = strsep(&words, " ")))
        if (*word)
            test->observe[PARITY_TORCH][test->nobserve[PARITY_TORCH]++].text = word;
    return test;
}

void parity_fixture_run(parity_fixture *fixture)
{
    parity_error error;
    fixture->list = parity_alloc((fixture->ncases + 1) * sizeof *fixture->list);
    fixture->runs = parity_alloc((fixture->ncases + 1) * sizeof *fixture->runs);
    for (size_t i = 0; i < fixture->ncases; i++)
        fixture->list[i] = &fixture->cases[i];
    if (parity_run_cases(fixture->runs, fixture->list, fixture->ncases, &fixture->column,
                         1, NULL, &fixture->options, &error) != 0) {
        fprintf(stderr, "%s\n", error.message);
        abort();
    }
}

parity_run *parity_fixture_find(parity_fixture *fixture, const char *id)
{
    for (size_t i = 0; i < fixture->ncases; i++)
        if (strcmp(fixture->cases[i].id, id) == 0)
            return &fixture->runs[i];
    fprintf(stderr, "no case %s\n", id);
    abort();
}

const char *parity_fixture_text(parity_fixture *fixture, const char *id)
{
    const parity_run *run = parity_fixture_find(fixture, id);
    parity_buffer text = {0};
    parity_buffer_printf(&text, "%s%s", run->protocol_broken ? "broken " : "",
                         parity_outcome_name(run->end.kind));
    if (run->end.text)
        parity_buffer_printf(&text, ": %s", run->end.text);
    for (size_t i = 0; run->end.kind == PARITY_VALUE && i < run->nobserved; i++) {
        const parity_value *value = run->observed[i].value;
        parity_buffer_printf(&text, "%s%s", i ? " " : ": ",
                             value && value->text ? value->text : "?");
    }
    const char *made = parity_arena_strdup(fixture->arena, text.data);
    parity_buffer_free(&text);
    return made;
}

const char *parity_fixture_file(parity_fixture *fixture)
{
    char path[] = "/tmp/parity-fixture-XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0)
        abort();
    close(fd);
    unlink(path);
    return parity_arena_strdup(fixture->arena, path);
}

char *parity_fixture_read(const char *file)
{
    parity_buffer text = {0};
    char chunk[4096];
    size_t count;
    FILE *stream = fopen(file, "re");
    while (stream && (count = fread(chunk, 1, sizeof chunk, stream)) > 0)
        parity_buffer_add(&text, chunk, count);
    if (stream)
        fclose(stream);
    return parity_buffer_take(&text);
}

void parity_fixture_close(parity_fixture *fixture)
{
    for (size_t i = 0; fixture->runs && i < fixture->ncases; i++)
        parity_run_clear(&fixture->runs[i]);
    free(fixture->runs);
    free(fixture->list);
    free(fixture->cases);
    parity_arena_free(fixture->arena);
    memset(fixture, 0, sizeof *fixture);
}

void parity_fixture_expect(parity_fixture *fixture, const char *id, const char *text)
{
    const char *found = parity_fixture_text(fixture, id);
    size_t length = strlen(text);
    bool open = length > 3 && strcmp(text + length - 3, "...") == 0;
    bool same = open ? strncmp(found, text, length - 3) == 0 : strcmp(found, text) == 0;
    ck_assert_msg(same, "%s: %s, not %s", id, found, text);
}

void parity_fixture_sleep(double seconds)
{
    struct timespec pause = {(time_t)seconds,
                             (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&pause, NULL);
}

bool parity_fixture_alive(int pid)
{
    char path[64], state = 'X';
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *stat = fopen(path, "re");
    if (!stat)
        return false;
    if (fscanf(stat, "%*d (%*[^)]) %c", &state) != 1)
        state = 'X';
    fclose(stat);
    return state != 'Z' && state != 'X';
}
