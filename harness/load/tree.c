/* Walks cases/ for case files. */
#include "harness/base/memory.h"
#include "harness/load/source.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Folders below each other; more is a loop or a mistake. */
enum { FOLDERS = 16 };

#define NAMING "rename it: a case id has letters, digits and _ . - only"

typedef struct walker {
    parity_suite *suite;
    dev_t device[FOLDERS]; /* of the folders that are open, to find loops of links */
    ino_t node[FOLDERS];
} walker;

static bool ends_in(const char *text, const char *end)
{
    size_t n = strlen(text);
    size_t m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

static char *join(const char *folder, const char *name)
{
    parity_buffer path = {0};
    parity_buffer_printf(&path, "%s%s%s", folder, *folder != '\0' ? "/" : "", name);
    return parity_buffer_take(&path);
}

static bool good_name(const char *name)
{
    return name[strspn(
               name,
               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")] ==
           '\0';
}

/* Whether the file begins as records and traces do: others may be called a.out, too. */
static bool is_ours(const char *path)
{
    char head[sizeof "parity record "] = "";
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    size_t got = fread(head, 1, sizeof head - 1, file);
    fclose(file);
    return got > 0 && (strncmp(head, "parity record ", 14) == 0 ||
                       strncmp(head, "parity trace ", 13) == 0);
}

/* A record or trace whose case is gone, or has another name now. */
static void check_owner(walker *w, const char *path, const char *name)
{
    size_t length = strlen(path) - strlen(strrchr(path, '.'));
    size_t stem = strlen(name) - strlen(strrchr(name, '.'));
    char *owner = parity_alloc(length + sizeof ".yaml");
    memcpy(owner, path, length);
    memcpy(owner + length, ".yaml", sizeof ".yaml");
    if (access(owner, F_OK) != 0 && is_ours(path))
        parity_problem_file(w->suite, path,
                            "has no %.*s.yaml beside it; rename it with its case, or "
                            "remove it",
                            (int)stem, name);
    free(owner);
}

static void walk(walker *w, const char *path, const char *id, int depth);

/* One entry of a folder; `id` is the folder's. */
static void visit(walker *w, const char *folder, const char *id, const char *name,
                  int depth)
{
    bool yaml = ends_in(name, ".yaml");
    char *path = join(folder, name);
    char *below = join(id, name);
    struct stat st;
    bool found = stat(path, &st) == 0;
    if (*name == '.' || (depth == 0 && strcmp(name, "selftest") == 0)) {
        /* Hidden files are editors' and systems'; selftest holds cases that must fail. */
    } else if (found && S_ISDIR(st.st_mode) && !good_name(name)) {
        parity_problem_file(w->suite, path, NAMING);
    } else if (found && S_ISDIR(st.st_mode) && !yaml) {
        walk(w, path, below, depth + 1);
    } else if (ends_in(name, ".yml")) {
        parity_problem_file(w->suite, path, "is not read; rename it to .yaml");
    } else if (yaml && !good_name(name)) {
        parity_problem_file(w->suite, path, NAMING);
    } else if (yaml) {
        below[strlen(below) - strlen(".yaml")] = '\0';
        parity_load_file(w->suite, path, below, NULL, 0);
    } else if (found && (ends_in(name, ".out") || ends_in(name, ".trace"))) {
        check_owner(w, path, name);
    } else if (!found) {
        parity_problem_file(w->suite, path, "cannot be read: %s", strerror(errno));
    }
    free(path);
    free(below);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool is_loop(walker *w, const char *path, int depth)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return false;
    for (int i = 0; i < depth; i++)
        if (w->device[i] == st.st_dev && w->node[i] == st.st_ino)
            return true;
    w->device[depth] = st.st_dev;
    w->node[depth] = st.st_ino;
    return false;
}

static void walk(walker *w, const char *path, const char *id, int depth)
{
    if (depth == FOLDERS) {
        parity_problem_file(w->suite, path, "folders are nested deeper than %d levels",
                            FOLDERS);
        return;
    }
    if (is_loop(w, path, depth)) {
        parity_problem_file(w->suite, path,
                            "is a link to a folder that holds it; remove it");
        return;
    }
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, NULL, by_name);
    if (count < 0)
        parity_problem_file(w->suite, path, "cannot be read: %s", strerror(errno));
    for (int i = 0; i < count; i++) {
        visit(w, path, id, entries[i]->d_name, depth);
        free(entries[i]);
    }
    free(entries);
}

static int by_id(const void *a, const void *b)
{
    return strcmp(((const parity_case *)a)->id, ((const parity_case *)b)->id);
}

/* The folder as it is shortest to name from where the user stands. */
static char *shortest(const char *folder)
{
    char *here = getcwd(NULL, 0);
    char *there = realpath(folder, NULL);
    size_t n = here != NULL ? strlen(here) : 0;
    bool below = here != NULL && there != NULL && strncmp(here, there, n) == 0 &&
                 there[n] == '/' && there[n + 1] != '\0';
    char *out = parity_strdup(below ? there + n + 1 : folder);
    free(here);
    free(there);
    return out;
}

void parity_load_tree(parity_suite *suite, const char *folder)
{
    if (suite->arena == NULL)
        suite->arena = parity_arena_new();
    walker w = {.suite = suite};
    char *path = shortest(folder);
    walk(&w, path, "", 0);
    free(path);
    if (suite->ncases > 1)
        qsort(suite->cases, suite->ncases, sizeof *suite->cases, by_id);
}
