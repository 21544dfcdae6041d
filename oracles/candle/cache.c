#include "oracles/candle/cache.h"

#include "harness/base/buffer.h"
#include "oracles/candle/rustc.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

static char *join(const char *folder, const char *middle, const char *name)
{
    parity_buffer path = {0};
    parity_buffer_printf(&path, "%s/%s%s", folder, middle, name);
    return parity_buffer_take(&path);
}

static int make_folders(const char *folder, parity_error *error)
{
    char *path = parity_strdup(folder);
    int status = 0;
    for (char *p = path + 1; status == 0; p++) {
        if (*p != '/' && *p != '\0')
            continue;
        char was = *p;
        *p = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            status = parity_fail(error, "cannot make the folder %s: %s", path,
                                 strerror(errno));
        *p = was;
        if (was == '\0')
            break;
    }
    free(path);
    return status;
}

int candle_cache_open(candle_cache *out, const char *cache, const candle_crates *crates,
                      parity_error *error)
{
    static const char *const parts[] = {"entries", "workers"};
    out->folder = join(cache, "candle/", crates->stamp);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char *folder = join(out->folder, "", parts[i]);
        int status = make_folders(folder, error);
        free(folder);
        if (status) {
            candle_cache_close(out);
            return -1;
        }
    }
    utimensat(AT_FDCWD, out->folder, NULL, 0);
    return 0;
}

void candle_cache_close(candle_cache *cache)
{
    free(cache->folder);
    cache->folder = NULL;
}

void candle_cache_key(char key[CANDLE_KEY_SIZE], const char *text)
{
    XXH3_state_t *state = XXH3_createState();
    XXH3_128bits_reset(state);
    XXH3_128bits_update(state, candle_rustc_options, strlen(candle_rustc_options) + 1);
    XXH3_128bits_update(state, text, strlen(text));
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    snprintf(key, CANDLE_KEY_SIZE, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
}

/* A use is noted every ten minutes, which is enough to tell what is old (prune.c). */
static void touch(const char *path, const struct stat *about)
{
    if (time(NULL) - about->st_mtime > 600)
        utimensat(AT_FDCWD, path, NULL, 0);
}

static bool find_worker(const candle_cache *cache, const json_t *json, char **worker)
{
    struct stat about;
    const char *name = json_string_value(json_object_get(json, "worker"));
    if (!name || strchr(name, '/'))
        return false;
    char *path = join(cache->folder, "workers/", name);
    if (stat(path, &about) != 0 || access(path, X_OK) != 0 ||
        about.st_size != json_integer_value(json_object_get(json, "size"))) {
        free(path);
        return false;
    }
    touch(path, &about);
    *worker = path;
    return true;
}

bool candle_cache_find(const candle_cache *cache, const char *key, char **worker,
                       parity_outcome *outcome)
{
    char *path = join(cache->folder, "entries/", key);
    json_t *json = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    json_t *known = json_object_get(json, "outcome");
    struct stat about;
    *worker = NULL;
    bool found = find_worker(cache, json, worker);
    if (!found && known)
        found = parity_outcome_from_json(outcome, known, NULL, NULL, NULL) == 0;
    if (found && stat(path, &about) == 0)
        touch(path, &about);
    json_decref(json);
    free(path);
    return found;
}

int candle_cache_write(const char *folder, const char *name, const char *text,
                       parity_error *error)
{
    char *path = join(folder, "", name);
    char *new = join(folder, ".new.", "XXXXXX");
    int fd = mkstemp(new);
    size_t length = strlen(text), done = 0;
    while (fd >= 0 && done < length) {
        ssize_t count = write(fd, text + done, length - done);
        if (count < 0 && errno != EINTR)
            break;
        done += count > 0 ? (size_t)count : 0;
    }
    int status = 0;
    if (fd < 0 || done < length || close(fd) != 0 || rename(new, path) != 0) {
        status = parity_fail(error, "cannot write %s: %s", path, strerror(errno));
        unlink(new);
    }
    free(new);
    free(path);
    return status;
}

int candle_cache_store(const candle_cache *cache, const char *key, const char *worker,
                       const parity_outcome *outcome, parity_error *error)
{
    json_t *json = json_object();
    struct stat about;
    if (worker) {
        char *path = join(cache->folder, "workers/", worker);
        json_object_set_new(json, "worker", json_string(worker));
        if (stat(path, &about) == 0)
            json_object_set_new(json, "size", json_integer(about.st_size));
        free(path);
    } else {
        json_object_set_new(json, "outcome", parity_outcome_to_json(outcome));
    }
    char *text = json_dumps(json, JSON_INDENT(1));
    char *folder = join(cache->folder, "", "entries");
    int status = candle_cache_write(folder, key, text, error);
    free(folder);
    free(text);
    json_decref(json);
    return status;
}

int candle_cache_workspace(const candle_cache *cache, char **out, parity_error *error)
{
    char *folder = join(cache->folder, "", "tmp.XXXXXX");
    if (!mkdtemp(folder)) {
        int status =
            parity_fail(error, "cannot make the folder %s: %s", folder, strerror(errno));
        free(folder);
        return status;
    }
    char *source = join(folder, "", "src");
    int status = make_folders(source, error);
    free(source);
    *out = folder;
    return status;
}

int candle_cache_adopt(const candle_cache *cache, const char *workspace, const char *name,
                       char **path, parity_error *error)
{
    char *built = join(workspace, "", "worker");
    int status = 0;
    *path = join(cache->folder, "workers/", name);
    if (rename(built, *path) != 0)
        status =
            parity_fail(error, "cannot move %s to %s: %s", built, *path, strerror(errno));
    free(built);
    return status;
}

static int remove_one(const char *path, const struct stat *about, int kind,
                      struct FTW *where)
{
    (void)about;
    (void)kind;
    (void)where;
    remove(path);
    return 0;
}

void candle_cache_remove(const char *folder)
{
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}
