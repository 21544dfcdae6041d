/* What was compiled before. A folder of the user's cache, named by what the crates were
 * made from, holds
 *
 *   entries/KEY   a case's module, by the hash of its text: the worker that contains it,
 * or how the compiler refused it workers/NAME  compiled batches tmp.XXXXXX/   a compiler
 * at work
 *
 * Files appear by renaming, so that two harnesses at once do no harm. An entry that
 * cannot be read, or whose worker is gone or has another size, counts as unknown. */
#ifndef ORACLES_CANDLE_CACHE_H
#define ORACLES_CANDLE_CACHE_H

#include "harness/model/outcome.h"
#include "oracles/candle/crates.h"

#define CANDLE_KEY_SIZE 33 /* 128 bits in hex and a NUL */

typedef struct candle_cache {
    char *folder;
} candle_cache;

/* `cache` is Parity's own folder in the user's cache; missing folders are made. */
int candle_cache_open(candle_cache *out, const char *cache, const candle_crates *crates,
                      parity_error *error);
void candle_cache_close(candle_cache *cache);

/* Names a text compiled with the options of today. */
void candle_cache_key(char key[CANDLE_KEY_SIZE], const char *text);

/* True when the module is known: *worker is new (a path), or NULL and the outcome is set.
 */
bool candle_cache_find(const candle_cache *cache, const char *key, char **worker,
                       parity_outcome *outcome);
/* `worker` is a name that candle_cache_adopt gave, or NULL; then `outcome` counts. */
int candle_cache_store(const candle_cache *cache, const char *key, const char *worker,
                       const parity_outcome *outcome, parity_error *error);

/* A new empty folder for a compiler, with src/ in it. *out is new. */
int candle_cache_workspace(const candle_cache *cache, char **out, parity_error *error);
int candle_cache_write(const char *folder, const char *name, const char *text,
                       parity_error *error);
/* Moves `workspace`/worker to its place under `name`. *path is new. */
int candle_cache_adopt(const candle_cache *cache, const char *workspace, const char *name,
                       char **path, parity_error *error);
/* Deletes a folder and what is in it. */
void candle_cache_remove(const char *folder);

/* Removes what was not used for long: all but the newest workers, old entries, left-over
 * workspaces and the folders of other crates. What was used within the last hour stays.
 */
void candle_cache_prune(const candle_cache *cache);

#endif
