#include "oracles/torch/site.h"

#include "harness/base/memory.h"

#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where packages lie below the prefix of an interpreter. */
static const char *const folders[] = {
    "lib/python3.*/site-packages",       "lib64/python3.*/site-packages",
    "local/lib/python3.*/dist-packages", "local/lib/python3.*/site-packages",
    "lib/python3/dist-packages",         "lib/python3.*/dist-packages",
};

/* The folder above the one that a program is in: /usr for /usr/bin/python3. New or NULL.
 */
static char *prefix_of(const char *program)
{
    char *prefix = parity_strdup(program);
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(prefix, '/');
        if (slash == NULL) {
            free(prefix);
            return NULL;
        }
        *slash = '\0';
    }
    return prefix;
}

/* The value of `key` in the file prefix/pyvenv.cfg; new or NULL. */
static char *setting(const char *prefix, const char *key)
{
    char path[PATH_MAX], line[4096], name[64], value[4096];
    char *found = NULL;
    snprintf(path, sizeof path, "%s/pyvenv.cfg", prefix);
    FILE *file = fopen(path, "r");
    while (file && !found && fgets(line, sizeof line, file))
        if (sscanf(line, " %63[^= ] = %4095[^\n]", name, value) == 2 &&
            strcmp(name, key) == 0)
            found = parity_strdup(value);
    if (file)
        fclose(file);
    return found;
}

/* The text between the quotes of `__version__ = '…'`; new or NULL. */
static char *read_version(const char *path)
{
    char line[512], version[128];
    char *found = NULL;
    FILE *file = fopen(path, "r");
    while (file && !found && fgets(line, sizeof line, file))
        if (sscanf(line, "__version__ = %*['\"]%127[^'\"]", version) == 1)
            found = parity_strdup(version);
    if (file)
        fclose(file);
    return found;
}

/* Tries the package folders below a prefix. `path` is where it was found. */
static char *version_below(const char *prefix, char *path, size_t size)
{
    char *found = NULL;
    for (size_t i = 0; !found && i < sizeof folders / sizeof *folders; i++) {
        char pattern[PATH_MAX];
        glob_t matches;
        snprintf(pattern, sizeof pattern, "%s/%s/torch/version.py", prefix, folders[i]);
        if (glob(pattern, 0, NULL, &matches) != 0)
            continue;
        for (size_t k = 0; !found && k < matches.gl_pathc; k++) {
            found = read_version(matches.gl_pathv[k]);
            snprintf(path, size, "%s", matches.gl_pathv[k]);
        }
        globfree(&matches);
    }
    return found;
}

static char *find(const char *python, char *path, size_t size)
{
    char *prefix = prefix_of(python);
    if (prefix == NULL)
        return NULL;
    char *found = version_below(prefix, path, size);
    char *shared = setting(prefix, "include-system-site-packages");
    char *home = setting(prefix, "home");
    char real[PATH_MAX];
    if (!found && home && shared && strncmp(shared, "true", 4) == 0) {
        char *slash = strrchr(home, '/');
        if (slash)
            *slash = '\0';
        found = version_below(home, path, size);
    }
    /* Not a virtual environment: a link such as /usr/local/bin/python3. */
    if (!found && !home && realpath(python, real)) {
        free(prefix);
        prefix = prefix_of(real);
        found = prefix ? version_below(prefix, path, size) : NULL;
    }
    free(home);
    free(shared);
    free(prefix);
    return found;
}

int torch_site_version(char **version, const char *python, parity_error *error)
{
    char path[PATH_MAX];
    if (access(python, X_OK) != 0)
        return parity_fail(error, "%s is no program that can be run", python);
    *version = find(python, path, sizeof path);
    if (*version == NULL)
        return parity_fail(
            error,
            "%s has no torch; run %s -m pip install torch, or name another "
            "interpreter in PARITY_PYTHON",
            python, python);
    return 0;
}

char *torch_site_python(const char *python)
{
    char path[PATH_MAX], digits[16];
    char *prefix = prefix_of(python);
    char *version = prefix ? setting(prefix, "version") : NULL;
    free(prefix);
    if (version)
        return version;
    char *torch = find(python, path, sizeof path);
    const char *folder = torch ? strstr(path, "/python3.") : NULL;
    free(torch);
    if (folder && sscanf(folder, "/python%15[0-9.]", digits) == 1)
        return parity_strdup(digits);
    return NULL;
}
