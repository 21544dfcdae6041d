/* cache: what was stored is found, what was damaged is not. */
#include "oracles/candle/cache.h"
#include "tools/test_main.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char root[256];
static candle_cache cache;
static const candle_crates crates = {.stamp = "stamp"};

static void setup(void)
{
    parity_error error;
    const char *folder = getenv("TMPDIR");
    snprintf(root, sizeof root, "%s/parity-cache-test-XXXXXX",
             folder ? folder : P_tmpdir);
    ck_assert_ptr_nonnull(mkdtemp(root));
    ck_assert_msg(candle_cache_open(&cache, root, &crates, &error) == 0, "%s",
                  error.message);
}

static void teardown(void)
{
    candle_cache_close(&cache);
    candle_cache_remove(root);
}

static char *path_of(const char *rest)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", cache.folder, rest);
    return path;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

/* A worker named `name`, and the entry KEY that says it has a case. */
static void add_worker(const char *key, const char *name)
{
    char *workspace, *path, built[512];
    parity_error error;
    ck_assert_int_eq(candle_cache_workspace(&cache, &workspace, &error), 0);
    snprintf(built, sizeof built, "%s/worker", workspace);
    write_text(built, "#!/bin/sh\n");
    chmod(built, 0755);
    ck_assert_int_eq(candle_cache_adopt(&cache, workspace, name, &path, &error), 0);
    ck_assert_int_eq(candle_cache_store(&cache, key, name, NULL, &error), 0);
    candle_cache_remove(workspace);
    ck_assert_int_ne(access(workspace, F_OK), 0);
    free(workspace);
    free(path);
}

static bool find(const char *key)
{
    char *worker;
    parity_outcome outcome = {0};
    bool found = candle_cache_find(&cache, key, &worker, &outcome);
    free(worker);
    parity_outcome_clear(&outcome);
    return found;
}

START_TEST(keys)
{
    char a[CANDLE_KEY_SIZE], b[CANDLE_KEY_SIZE], again[CANDLE_KEY_SIZE];
    candle_cache_key(a, "let a = 1;");
    candle_cache_key(b, "let a = 2;");
    candle_cache_key(again, "let a = 1;");
    ck_assert_uint_eq(strlen(a), CANDLE_KEY_SIZE - 1);
    ck_assert_str_eq(a, again);
    ck_assert_str_ne(a, b);
}
END_TEST

START_TEST(workers)
{
    char *worker;
    parity_outcome outcome = {0};
    ck_assert(!find("k"));
    add_worker("k", "w");
    ck_assert(candle_cache_find(&cache, "k", &worker, &outcome));
    ck_assert_str_eq(worker, path_of("workers/w"));
    free(worker);
}
END_TEST

START_TEST(refusals)
{
    parity_outcome refused = {0}, read = {0};
    parity_error error;
    char *worker;
    parity_outcome_set(&refused, PARITY_REFUSED, "E0382", "moved", (parity_pos){4, 16});
    refused.detail = strdup("error[E0382]\n");
    ck_assert_int_eq(candle_cache_store(&cache, "k", NULL, &refused, &error), 0);
    ck_assert(candle_cache_find(&cache, "k", &worker, &read));
    ck_assert_ptr_null(worker);
    ck_assert_int_eq(read.kind, PARITY_REFUSED);
    ck_assert_str_eq(read.type, "E0382");
    ck_assert_str_eq(read.text, "moved");
    ck_assert_str_eq(read.detail, "error[E0382]\n");
    ck_assert_int_eq(read.pos.line, 4);
    ck_assert_int_eq(read.pos.column, 16);
    parity_outcome_clear(&read);
    parity_outcome_clear(&refused);
}
END_TEST

static const struct {
    const char *name;
    const char *file;
    const char *text;
} damage_rows[] = {
    {"empty entry", "entries/k", ""},
    {"half an entry", "entries/k", "{\"worker\": \"w"},
    {"another thing", "entries/k", "[1]"},
    {"an outcome of no kind", "entries/k", "{\"outcome\": {\"good\": 1}}"},
    {"a worker elsewhere", "entries/k", "{\"worker\": \"../../w\", \"size\": 10}"},
    {"a worker cut short", "workers/w", "#!"},
};

START_TEST(damage)
{
    add_worker("k", "w");
    ck_assert(find("k"));
    write_text(path_of(damage_rows[_i].file), damage_rows[_i].text);
    ck_assert_msg(!find("k"), "%s", damage_rows[_i].name);
    add_worker("k", "w");
    ck_assert_msg(find("k"), "%s: not repaired", damage_rows[_i].name);
}
END_TEST

START_TEST(gone)
{
    add_worker("k", "w");
    unlink(path_of("workers/w"));
    ck_assert(!find("k"));
    add_worker("k", "w");
    chmod(path_of("workers/w"), 0644);
    ck_assert(!find("k") || geteuid() == 0);
}
END_TEST

static void age(const char *path, time_t seconds)
{
    time_t then = time(NULL) - seconds;
    const struct timespec times[2] = {{then, 0}, {then, 0}};
    ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

START_TEST(pruning)
{
    char name[32], *workspace;
    parity_error error;
    for (int i = 0; i < 60; i++) {
        snprintf(name, sizeof name, "w%d", i);
        add_worker(name, name);
        char path[64];
        snprintf(path, sizeof path, "workers/w%d", i);
        age(path_of(path), 7200 + i);
    }
    age(path_of("workers/w59"), 60);        /* used lately */
    age(path_of("entries/w0"), 40 * 86400); /* not used for long */
    ck_assert_int_eq(candle_cache_workspace(&cache, &workspace, &error), 0);
    age(workspace, 2 * 86400);
    candle_cache_prune(&cache);
    ck_assert_int_eq(access(path_of("workers/w1"), F_OK), 0);
    ck_assert_int_eq(access(path_of("workers/w59"), F_OK), 0);
    ck_assert_int_ne(access(path_of("workers/w58"), F_OK), 0);
    ck_assert_int_ne(access(path_of("entries/w0"), F_OK), 0);
    ck_assert_int_eq(access(path_of("entries/w1"), F_OK), 0);
    ck_assert_int_ne(access(workspace, F_OK), 0);
    free(workspace);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("candle cache");
    TCase *all = tcase_create("cache");
    tcase_add_checked_fixture(all, setup, teardown);
    tcase_add_test(all, keys);
    tcase_add_test(all, workers);
    tcase_add_test(all, refusals);
    tcase_add_loop_test(all, damage, 0, (int)(sizeof damage_rows / sizeof *damage_rows));
    tcase_add_test(all, gone);
    tcase_add_test(all, pruning);
    suite_add_tcase(suite, all);
    return suite;
}
