#include "harness/cli/files.h"
#include "harness/base/buffer.h"
#include "harness/base/memory.h"
#include "harness/base/system.h"
#include "harness/load/load.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static bool wanted(const char *path, const char *id, const cli_list *patterns)
{
    const parity_case test = {.id = id, .file = path};
    for (size_t i = 0; i < patterns->count; i++)
        if (parity_case_matches(&test, patterns->items[i]))
            return true;
    return patterns->count == 0;
}

static void add_file(case_files *files, const char *path, size_t folder,
                     const struct stat *st, const cli_list *patterns)
{
    size_t length = strlen(path);
    if (length < folder + 6 || strcmp(path + length - 5, ".yaml") != 0)
        return;
    char *id = parity_strndup(path + folder + 1, length - folder - 6);
    if (!wanted(path, id, patterns)) {
        free(id);
        return;
    }
    PARITY_GROW(files->items, files->count, files->capacity);
    files->items[files->count++] = (case_file){.path = parity_strdup(path),
                                               .id = id,
                                               .written = parity_written(st),
                                               .inode = st->st_ino,
                                               .size = st->st_size};
}

static void walk(case_files *files, const char *path, size_t folder,
                 const cli_list *patterns)
{
    DIR *open = opendir(path);
    for (struct dirent *entry; open && (entry = readdir(open)) != NULL;) {
        struct stat st;
        parity_buffer below = {0};
        if (entry->d_name[0] == '.')
            continue;
        parity_buffer_printf(&below, "%s/%s", path, entry->d_name);
        if (stat(below.data, &st) == 0) {
            if (S_ISDIR(st.st_mode))
                walk(files, below.data, folder, patterns);
            else if (S_ISREG(st.st_mode))
                add_file(files, below.data, folder, &st, patterns);
        }
        parity_buffer_free(&below);
    }
    if (open)
        closedir(open);
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const case_file *)a)->path, ((const case_file *)b)->path);
}

void case_files_list(case_files *files, const char *folder, const cli_list *patterns)
{
    walk(files, folder, strlen(folder), patterns);
    if (files->count)
        qsort(files->items, files->count, sizeof *files->items, by_path);
}

void case_files_free(case_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->items[i].path);
        free(files->items[i].id);
    }
    free(files->items);
    *files = (case_files){0};
}

bool case_file_changed(const case_files *before, const case_file *file)
{
    const case_file *old =
        before->count ? bsearch(file, before->items, before->count, sizeof *file, by_path)
                      : NULL;
    return !old || old->inode != file->inode || old->size != file->size ||
           old->written.tv_sec != file->written.tv_sec ||
           old->written.tv_nsec != file->written.tv_nsec;
}
