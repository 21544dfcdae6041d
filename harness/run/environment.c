#include "harness/run/process.h"

#include "harness/base/memory.h"

#include <stdlib.h>
#include <string.h>

extern char **environ;

/* One thread, one locale, one time zone, one hash seed: what a case prints depends on
 * nothing else. */
static const char *const fixed[] = {
    "LANG=C.UTF-8",
    "LC_ALL=C.UTF-8",
    "TZ=UTC",
    "RUST_BACKTRACE=0",
    "RUST_LIB_BACKTRACE=0",
    "RAYON_NUM_THREADS=1",
    "OMP_NUM_THREADS=1",
    "MKL_NUM_THREADS=1",
    "OPENBLAS_NUM_THREADS=1",
    "PYTHONHASHSEED=0",
    "PYTHONDONTWRITEBYTECODE=1",
};

/* What passes through from our own environment; a name that ends in _ stands for all that
 * begin so. */
static const char *const passed[] = {
    "PATH",         "HOME",         "TMPDIR",       "PARITY_",
    "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS",
};

static size_t name_length(const char *setting)
{
    return strcspn(setting, "=");
}

static bool passes(const char *setting)
{
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) {
        size_t length = strlen(passed[i]);
        bool prefix = passed[i][length - 1] == '_';
        if (strncmp(setting, passed[i], length) == 0 &&
            (prefix || setting[length] == '='))
            return true;
    }
    return false;
}

static void set(char **environment, size_t *count, const char *setting)
{
    size_t length = name_length(setting);
    size_t at = 0;
    while (at < *count && !(strncmp(environment[at], setting, length) == 0 &&
                            environment[at][length] == '='))
        at++;
    if (at == *count)
        (*count)++;
    else
        free(environment[at]);
    environment[at] = parity_strdup(setting);
}

char **parity_environment(const char *const *extra)
{
    size_t count = 0, capacity = sizeof fixed / sizeof *fixed + 1;
    for (char **own = environ; *own; own++)
        capacity += passes(*own);
    for (const char *const *one = extra; one && *one; one++)
        capacity++;
    char **environment = parity_alloc(capacity * sizeof *environment);
    for (char **own = environ; *own; own++)
        if (passes(*own))
            set(environment, &count, *own);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        set(environment, &count, fixed[i]);
    for (const char *const *one = extra; one && *one; one++)
        set(environment, &count, *one);
    return environment;
}

void parity_environment_free(char **environment)
{
    for (char **one = environment; one && *one; one++)
        free(*one);
    free(environment);
}
