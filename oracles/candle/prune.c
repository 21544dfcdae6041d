#include "oracles/candle/cache.h"

#include "harness/base/buffer.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define HOUR             ((time_t)3600)
#define DAY              (24 * HOUR)
#define WORKERS_KEPT     48
#define ENTRY_DAYS       30
#define OTHER_CRATE_DAYS 30

typedef struct item {
    char *path;
    time_t used;
} item;

typedef struct items {
    item *list;
    size_t count;
    size_t capacity;
} items;

static int newest_first(const void *a, const void *b)
{
    const item *left = a, *right = b;
    return (left->used < right->used) - (left->used > right->used);
}

/* The entries of a folder whose names begin with `prefix`, the newest first. */
static items list(const char *folder, const char *prefix)
{
    items all = {0};
    DIR *directory = opendir(folder);
    for (struct dirent *e; directory && (e = readdir(directory));) {
        struct stat about;
        parity_buffer path = {0};
        if (e->d_name[0] == '.' || strncmp(e->d_name, prefix, strlen(prefix)) != 0)
            continue;
        parity_buffer_printf(&path, "%s/%s", folder, e->d_name);
        if (stat(path.data, &about) != 0) {
            parity_buffer_free(&path);
            continue;
        }
        PARITY_GROW(all.list, all.count, all.capacity);
        all.list[all.count++] = (item){parity_buffer_take(&path), about.st_mtime};
    }
    if (directory)
        closedir(directory);
    if (all.count)
        qsort(all.list, all.count, sizeof *all.list, newest_first);
    return all;
}

/* Removes what is older than `age`, but keeps the newest `kept`. */
static void remove_old(const char *folder, const char *prefix, size_t kept, time_t age)
{
    items all = list(folder, prefix);
    time_t now = time(NULL);
    for (size_t i = 0; i < all.count; i++) {
        if (i >= kept && now - all.list[i].used > age)
            candle_cache_remove(all.list[i].path);
        free(all.list[i].path);
    }
    free(all.list);
}

void candle_cache_prune(const candle_cache *cache)
{
    const struct {
        const char *below;
        const char *prefix;
        size_t kept;
        time_t age;
    } rules[] = {{"/workers", "", WORKERS_KEPT, HOUR},
                 {"/entries", "", 0, ENTRY_DAYS * DAY},
                 {"", "tmp.", 0, DAY},
                 {"/..", "", 1, OTHER_CRATE_DAYS * DAY}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        parity_buffer folder = {0};
        parity_buffer_printf(&folder, "%s%s", cache->folder, rules[i].below);
        remove_old(folder.data, rules[i].prefix, rules[i].kept, rules[i].age);
        parity_buffer_free(&folder);
    }
}
