#include "harness/cli/output.h"
#include "harness/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static const parity_report *report_of(const char *spec, parity_error *error)
{
    size_t length = strcspn(spec, "=");
    char *name = parity_strndup(spec, length);
    const parity_report *report = parity_report_find(name);
    if (!report) {
        const char *names[64];
        size_t count = 0;
        for (const parity_report *const *r = parity_reports; *r && count < 63; r++)
            names[count++] = (*r)->name;
        names[count] = NULL;
        const char *near = cli_nearest(name, names);
        if (near)
            parity_fail(error, "there is no report '%s'; did you mean '%s'?", name, near);
        else
            parity_fail(error, "there is no report '%s'; see parity list --reports",
                        name);
    }
    free(name);
    return report;
}

int output_check(const cli_options *options, parity_error *error)
{
    for (size_t i = 0; i < options->reports.count; i++) {
        const char *spec = options->reports.items[i];
        const char *equal = strchr(spec, '=');
        if (!report_of(spec, error))
            return -1;
        if (equal && !equal[1])
            return parity_fail(error, "--report %s names no file after the =", spec);
    }
    return 0;
}

static parity_report_options options_for(const cli_options *options, FILE *stream)
{
    struct winsize size = {0};
    bool terminal = stream && isatty(fileno(stream));
    bool known =
        terminal && ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    const char *no_colour = getenv("NO_COLOR");
    return (parity_report_options){
        .lang = options->lang ? options->lang : "en",
        .colour = terminal && !(no_colour && *no_colour),
        .width = known ? size.ws_col : 100,
        .verbose = options->verbose,
        .snippet = options->torch || options->candle,
    };
}

int output_render(FILE *stream, const char *report, const cli_options *options,
                  const parity_result *result, parity_error *error)
{
    const parity_report *found = report_of(report, error);
    if (!found)
        return -1;
    parity_buffer text = {0};
    parity_report_options how = options_for(options, stream);
    int status = found->render(&text, result, &how, error);
    if (!status && text.length &&
        fwrite(text.data, 1, text.length, stream) != text.length)
        status = parity_fail(error, "the %s report could not be written: %s", report,
                             strerror(errno));
    parity_buffer_free(&text);
    return status;
}

/* The file behind links, and the mode that it has or that a new one gets. */
static char *target_of(const char *path, mode_t *mode)
{
    struct stat st;
    char *real = realpath(path, NULL);
    mode_t mask = umask(0);
    umask(mask);
    *mode = real && stat(real, &st) == 0 ? st.st_mode & 07777 : 0666 & ~mask;
    return real ? real : parity_strdup(path);
}

/* A device or a pipe is written to; it must not be replaced by a file. */
static bool is_special(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

/* A rename would replace a file that may not be written to. */
static bool is_locked(const char *path)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    bool locked = file < 0 && errno != ENOENT;
    if (file >= 0)
        close(file);
    return locked;
}

int output_write(const char *path, const char *text, size_t length, parity_error *error)
{
    mode_t mode;
    bool special = is_special(path);
    if (!special && is_locked(path))
        return parity_fail(error, "%s cannot be written: %s", path, strerror(errno));
    char *target = special ? parity_strdup(path) : target_of(path, &mode);
    parity_buffer name = {0};
    parity_buffer_text(&name, target);
    if (!special)
        parity_buffer_printf(&name, ".%ld.tmp", (long)getpid());
    FILE *file = fopen(name.data, "wb");
    bool whole = file != NULL;
    if (file) {
        whole = length == 0 || fwrite(text, 1, length, file) == length;
        whole = (special || fchmod(fileno(file), mode) == 0) && whole;
        whole = fclose(file) == 0 && whole;
    }
    if (whole && !special)
        whole = rename(name.data, target) == 0;
    int status =
        whole ? 0 : parity_fail(error, "%s cannot be written: %s", path, strerror(errno));
    if (!whole && file && !special)
        remove(name.data);
    parity_buffer_free(&name);
    free(target);
    return status;
}

static int render_file(const char *spec, const char *path, const cli_options *options,
                       const parity_result *result, parity_error *error)
{
    const parity_report *report = report_of(spec, error);
    parity_buffer text = {0};
    parity_report_options how = options_for(options, NULL);
    int status = report ? report->render(&text, result, &how, error) : -1;
    if (!status)
        status = output_write(path, text.data, text.length, error);
    parity_buffer_free(&text);
    return status;
}

int output_reports(const cli_options *options, const parity_result *result,
                   parity_error *error)
{
    bool stdout_taken = false;
    for (size_t i = 0; i < options->reports.count; i++) {
        const char *spec = options->reports.items[i];
        const char *equal = strchr(spec, '=');
        if (equal ? render_file(spec, equal + 1, options, result, error)
                  : output_render(stdout, spec, options, result, error))
            return -1;
        stdout_taken = stdout_taken || !equal;
    }
    return output_render(stdout_taken ? stderr : stdout, "terminal", options, result,
                         error);
}
