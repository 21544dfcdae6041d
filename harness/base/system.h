/* What Linux and macOS spell differently. */
#ifndef PARITY_BASE_SYSTEM_H
#define PARITY_BASE_SYSTEM_H

#include <spawn.h>
#include <sys/stat.h>
#include <time.h>

/* pipe2(ends, O_CLOEXEC). Where there is none, a process that another thread starts at
 * the same moment would inherit the ends; PARITY_SPAWN_CLEAN keeps them from it. */
int parity_pipe(int ends[2]);

/* A flag for posix_spawnattr_setflags: the process gets nothing but what its file actions
 * give it. 0 where parity_pipe suffices. */
#ifdef POSIX_SPAWN_CLOEXEC_DEFAULT
#define PARITY_SPAWN_CLEAN POSIX_SPAWN_CLOEXEC_DEFAULT
#else
#define PARITY_SPAWN_CLEAN 0
#endif

/* When the file was written. */
struct timespec parity_written(const struct stat *file);

#endif
