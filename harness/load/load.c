/* Files and trees of files to suites. */
#include "harness/load/loader.h"

#include <stdlib.h>
#include <string.h>

void parity_loader_problem(parity_loader *loader, const parity_node *at,
                           const char *format, ...)
{
    va_list args;
    va_start(args, format);
    parity_problem_addv(loader->suite, &loader->source, at->start, format, args);
    va_end(args);
}

parity_pos parity_loader_pos(parity_loader *loader, const parity_node *node)
{
    return parity_source_pos(&loader->source, node->start);
}

static void build_all(parity_loader *loader)
{
    parity_suite *suite = loader->suite;
    size_t cases = suite->ncases;
    size_t problems = suite->nproblems;
    size_t bytes = parity_arena_bytes(suite->arena);
    parity_matrix_read(loader, parity_node_get(loader->root, "matrix"));
    if (suite->nproblems != problems)
        return;
    do {
        parity_case_of(loader);
        if (parity_arena_bytes(suite->arena) - bytes > PARITY_EXPANDED_LIMIT) {
            parity_loader_problem(
                loader, loader->root,
                "the cases of this file take more than 256 MiB; split the file");
            break;
        }
    } while (parity_matrix_next(loader));
    parity_matrix_finish(loader);
    if (suite->nproblems != problems)
        suite->ncases = cases;
}

static void load_text(parity_suite *suite, const char *file, const char *id,
                      const char *text, size_t length)
{
    parity_loader loader = {.suite = suite, .id = id, .nodes = parity_arena_new()};
    if (length > PARITY_FILE_LIMIT) {
        parity_problem_file(suite, file, "is larger than 1 MiB");
    } else {
        parity_source_open(&loader.source, file, text, length);
        loader.root = parity_node_read(suite, &loader.source, loader.nodes);
        if (loader.root != NULL &&
            parity_form_check(suite, &loader.source, &parity_form_case, loader.root))
            build_all(&loader);
        parity_source_close(&loader.source);
    }
    parity_arena_free(loader.nodes);
}

void parity_load_file(parity_suite *suite, const char *file, const char *id,
                      const char *text, size_t length)
{
    if (suite->arena == NULL)
        suite->arena = parity_arena_new();
    char *read = NULL;
    parity_error error;
    if (text == NULL && parity_file_read(&read, &length, file, &error) != 0)
        parity_problem_file(suite, file, "%s", error.message);
    else
        load_text(suite, file, id, text != NULL ? text : read, length);
    free(read);
}

void parity_suite_free(parity_suite *suite)
{
    for (size_t i = 0; i < suite->nproblems; i++) {
        free(suite->problems[i].file);
        free(suite->problems[i].message);
        free(suite->problems[i].line);
    }
    free(suite->problems);
    free(suite->cases);
    parity_arena_free(suite->arena);
    *suite = (parity_suite){0};
}
