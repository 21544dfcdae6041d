/* The case files of a folder and when they were written. */
#ifndef PARITY_CLI_FILES_H
#define PARITY_CLI_FILES_H

#include "harness/cli/cli.h"

#include <sys/stat.h>

typedef struct case_file {
    char *path;
    char *id; /* path below the folder, no suffix */
    struct timespec written;
    ino_t inode;
    off_t size;
} case_file;

typedef struct case_files {
    case_file *items; /* sorted by path */
    size_t count;
    size_t capacity;
} case_files;

/* Lists *.yaml below the folder that match one of the patterns (none: all), which are
 * globs over ids or paths of files. A folder that cannot be read has no files. */
void case_files_list(case_files *files, const char *folder, const cli_list *patterns);
void case_files_free(case_files *files);
/* Whether the file is new or written again since `before` was listed. */
bool case_file_changed(const case_files *before, const case_file *file);

#endif
