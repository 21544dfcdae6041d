#include "harness/base/system.h"

#include <fcntl.h>
#include <unistd.h>

int parity_pipe(int ends[2])
{
#ifdef __APPLE__
    if (pipe(ends) != 0)
        return -1;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 0;
#else
    return pipe2(ends, O_CLOEXEC);
#endif
}

struct timespec parity_written(const struct stat *file)
{
#ifdef __APPLE__
    return file->st_mtimespec;
#else
    return file->st_mtim;
#endif
}
