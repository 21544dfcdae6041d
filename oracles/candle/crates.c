#include "oracles/candle/crates.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT 1

static const char *join(parity_arena *arena, const char *directory, const char *path)
{
    size_t size = strlen(directory) + strlen(path) + 2;
    char *joined = parity_arena_alloc(arena, size);
    snprintf(joined, size, "%s/%s", directory, path);
    return joined;
}

static int read_texts(candle_crates *out, const json_t *json, parity_arena *arena,
                      const char *path, parity_error *error)
{
    const struct {
        const char *key;
        const char **text;
    } fields[] = {{"stamp", &out->stamp},       {"candle", &out->candle},
                  {"features", &out->features}, {"profile", &out->profile},
                  {"rustc", &out->rustc},       {"rustc_version", &out->rustc_version},
                  {"host", &out->host},         {"dependencies", &out->dependencies}};
    const char *machine = json_string_value(json_object_get(json, "machine"));
    out->machine = machine ? parity_arena_strdup(arena, machine) : NULL;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const char *text = json_string_value(json_object_get(json, fields[i].key));
        if (!text)
            return parity_fail(error, "%s lacks \"%s\"; compile the crates again", path,
                               fields[i].key);
        *fields[i].text = parity_arena_strdup(arena, text);
    }
    return 0;
}

static int read_all(candle_crates *out, const json_t *json, const char *directory,
                    parity_arena *arena, const char *path, parity_error *error)
{
    if (json_integer_value(json_object_get(json, "format")) != FORMAT)
        return parity_fail(error,
                           "%s has another format than %d; compile the crates again",
                           path, FORMAT);
    if (read_texts(out, json, arena, path, error))
        return -1;
    out->dependencies = join(arena, directory, out->dependencies);
    const char *name;
    json_t *library;
    json_object_foreach (json_object_get(json, "extern"), name, library) {
        if (!json_is_string(library) || out->nexterns == CANDLE_MAX_EXTERN)
            return parity_fail(error, "%s: \"extern\" is not as build.py writes it",
                               path);
        candle_extern *e = &out->externs[out->nexterns++];
        e->name = parity_arena_strdup(arena, name);
        e->path = join(arena, directory, json_string_value(library));
    }
    return 0;
}

int candle_crates_read(candle_crates *out, const char *directory, parity_arena *arena,
                       parity_error *error)
{
    const char *path = join(arena, directory, "crates.json");
    json_error_t why;
    json_t *json = json_load_file(path, 0, &why);
    *out = (candle_crates){0};
    if (!json && why.line < 0)
        return parity_fail(error, "%s", why.text); /* names the file */
    if (!json)
        return parity_fail(error, "%s, line %d: %s", path, why.line, why.text);
    /* The compiler runs in a folder of its own. */
    char *absolute = realpath(directory, NULL);
    int status = read_all(out, json, absolute ? absolute : directory, arena, path, error);
    free(absolute);
    json_decref(json);
    return status;
}
