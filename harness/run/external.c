#include "harness/run/run.h"

#include "harness/run/client.h"

#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

static const double startup = 120;

/* The row of one command. It begins with the row that a column points to. */
typedef struct external {
    parity_engine engine;
    const char *command;
} external;

/* A plain command is started without a shell, whose exit code would hide how it died. */
static bool plain_words(parity_worker *worker, const char *command, parity_arena *arena)
{
    wordexp_t words;
    if (wordexp(command, &words, WRDE_NOCMD) != 0)
        return false;
    bool plain = words.we_wordc > 0 && !strchr(words.we_wordv[0], '=');
    if (plain) {
        worker->argv =
            parity_arena_alloc(arena, (words.we_wordc + 1) * sizeof *worker->argv);
        for (size_t i = 0; i < words.we_wordc; i++)
            worker->argv[i] = parity_arena_strdup(arena, words.we_wordv[i]);
    }
    wordfree(&words);
    return plain;
}

static int worker_of(parity_worker *worker, const parity_column *column,
                     const parity_paths *paths, parity_arena *arena, parity_error *error)
{
    (void)paths;
    (void)error;
    const external *row = (const external *)column->engine;
    if (plain_words(worker, row->command, arena))
        return 0;
    worker->argv = parity_arena_alloc(arena, 4 * sizeof *worker->argv);
    worker->argv[0] = "/bin/sh";
    worker->argv[1] = "-c";
    worker->argv[2] = row->command;
    return 0;
}

static void take_ready(parity_column *column, const parity_ready *ready,
                       parity_arena *arena)
{
    parity_buffer id = {0};
    const char *key;
    json_t *text;
    column->version = parity_arena_strdup(arena, ready->version);
    parity_buffer_text(&id, column->engine->name);
    if (column->version)
        parity_buffer_printf(&id, "@%s", column->version);
    parity_buffer_printf(&id, "/%s", column->device);
    column->id = parity_arena_strdup(arena, id.data);
    parity_buffer_free(&id);
    size_t count = json_object_size(ready->provenance);
    column->provenance =
        parity_arena_alloc(arena, (count + 1) * sizeof *column->provenance);
    json_object_foreach (ready->provenance, key, text)
        column->provenance[column->nprovenance++] =
            (parity_provenance){parity_arena_strdup(arena, key),
                                parity_arena_strdup(arena, json_string_value(text))};
}

static void introduce(parity_column *column, parity_arena *arena)
{
    parity_worker worker = {0};
    parity_client client = {0};
    parity_error error;
    worker_of(&worker, column, NULL, arena, NULL);
    if (parity_client_start(&client, &worker, startup, NULL, NULL, &error) ==
        PARITY_REPLY_ANSWERED) {
        take_ready(column, &client.ready, arena);
    } else {
        char *why = parity_client_not_ready(&client, &error);
        column->absent = parity_arena_strdup(arena, why);
        free(why);
    }
    parity_client_stop(&client);
    parity_buffer_free(&client.tail);
}

int parity_column_external(parity_column *column, const char *text, parity_arena *arena,
                           parity_error *error)
{
    const char *colon = strchr(text, ':');
    const char *equals = colon ? strchr(colon, '=') : NULL;
    if (!equals || colon == text || equals[1] == '\0')
        return parity_fail(error, "--engine takes NAME:LANGUAGE=COMMAND, not \"%s\"",
                           text);
    external *row = parity_arena_alloc(arena, sizeof *row);
    char *language = parity_arena_strndup(arena, colon + 1, (size_t)(equals - colon - 1));
    row->engine.language = PARITY_LANGUAGES;
    for (int i = 0; i < PARITY_LANGUAGES; i++)
        if (strcmp(language, parity_language_name((parity_language)i)) == 0)
            row->engine.language = (parity_language)i;
    if (row->engine.language == PARITY_LANGUAGES)
        return parity_fail(error,
                           "--engine %s: the language is torch or candle, not \"%s\"",
                           text, language);
    row->engine.name = parity_arena_strndup(arena, text, (size_t)(colon - text));
    if (strcspn(row->engine.name, "@/ ,") != strlen(row->engine.name))
        return parity_fail(error, "--engine %s: a name has no '@', '/', ',' or space",
                           text);
    row->engine.about = "an engine given on the command line";
    row->engine.worker = worker_of;
    row->command = parity_arena_strdup(arena, equals + 1);
    memset(column, 0, sizeof *column);
    column->engine = &row->engine;
    column->device = "cpu";
    column->id = parity_arena_alloc(arena, strlen(row->engine.name) + 5);
    strcat(strcpy((char *)column->id, row->engine.name), "/cpu");
    introduce(column, arena);
    return 0;
}
