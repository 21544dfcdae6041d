/* parity docs: rewrites the marked regions of Markdown pages from one run. */
#include "harness/base/memory.h"
#include "harness/cli/output.h"
#include "harness/cli/session.h"
#include "harness/compare/compare.h"
#include "harness/pages/body.h"
#include "harness/pages/view.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct document {
    parity_page page;
    char *text;
    size_t length;
} document;

typedef struct job {
    const cli_options *options;
    session s;
    document *documents;
    size_t count;
    size_t regions;
    size_t changed;   /* regions */
    size_t broken;    /* verdicts on what pages show */
    size_t refused;   /* regions with an edit that is not ours */
    parity_view view; /* of the region at hand */
} job;

static int read_file(document *d, const char *path, parity_error *error)
{
    parity_buffer text = {0};
    char chunk[65536];
    size_t count;
    FILE *file = fopen(path, "rb");
    if (!file)
        return parity_fail(error, "%s cannot be read: %s", path, strerror(errno));
    while ((count = fread(chunk, 1, sizeof chunk, file)) > 0)
        parity_buffer_add(&text, chunk, count);
    int problem = ferror(file) ? errno : 0;
    fclose(file);
    d->length = text.length;
    d->text = parity_buffer_take(&text);
    return problem ? parity_fail(error, "%s cannot be read: %s", path, strerror(problem))
                   : 0;
}

static bool same_text(const char *a, size_t na, const char *b, size_t nb)
{
    return na == nb && memcmp(a, b, na) == 0;
}

/* An edit that was saved while the cases ran must not be lost. */
static int write_file(const document *d, const parity_buffer *out, parity_error *error)
{
    document now = {0};
    const char *path = d->page.file;
    int status = read_file(&now, path, error);
    bool edited = !status && !same_text(now.text, now.length, d->text, d->length);
    bool done = edited && same_text(now.text, now.length, out->data, out->length);
    if (edited && !done)
        status = parity_fail(error,
                             "%s was edited while the cases ran, so it stays; run parity "
                             "docs again",
                             path);
    free(now.text);
    return status || done ? status : output_write(path, out->data, out->length, error);
}

static const parity_report *report_of(const parity_page *page,
                                      const parity_region *region, parity_error *error)
{
    const char *names[64];
    size_t count = 0;
    for (const parity_report *const *r = parity_reports; *r && count < 63; r++) {
        if ((*r)->page && strcmp((*r)->name, region->kind.text) == 0)
            return *r;
        if ((*r)->page)
            names[count++] = (*r)->name;
    }
    names[count] = NULL;
    const char *near = cli_nearest(region->kind.text, names);
    parity_fail_at(error, page->file, region->kind.pos,
                   "there is no report `%s` for pages; %s%s%s", region->kind.text,
                   near ? "did you mean `" : "see parity list --reports",
                   near ? near : "", near ? "`?" : "");
    return NULL;
}

static bool takes(const parity_report *report, int key)
{
    static const bool always[PARITY_KEYS] = {[PARITY_KEY_COLUMN] = true,
                                             [PARITY_KEY_CAPTION] = true,
                                             [PARITY_KEY_LANG] = true,
                                             [PARITY_KEY_SUM] = true};
    return always[key] ||
           (report->keys && strstr(report->keys, parity_key_names[key]) != NULL);
}

/* What can be said about a region before anything has run. */
static int check_region(const job *j, const parity_page *page,
                        const parity_region *region, parity_error *error)
{
    const parity_report *report = report_of(page, region, error);
    const parity_words *lang = &region->value[PARITY_KEY_LANG];
    if (!report)
        return -1;
    for (int key = 0; key < PARITY_KEYS; key++)
        if (region->key[key].text && !takes(report, key))
            return parity_fail_at(error, page->file, region->key[key].pos,
                                  "a region of %s takes no `%s`", report->name,
                                  parity_key_names[key]);
    if (lang->count && strcmp(lang->items[0].text, "en") != 0 &&
        strcmp(lang->items[0].text, "zh") != 0)
        return parity_fail_at(error, page->file, lang->items[0].pos,
                              "lang= takes en or zh");
    return parity_region_check(page, region, j->s.cases, j->s.ncases, error);
}

static int open_documents(job *j)
{
    const cli_list *files = &j->options->patterns;
    int code = CLI_OK;
    j->documents = parity_alloc((files->count + 1) * sizeof *j->documents);
    for (size_t i = 0; i < files->count; i++) {
        document *d = &j->documents[j->count++];
        parity_error error = {0};
        if (read_file(d, files->items[i], &error) ||
            parity_page_scan(&d->page, files->items[i], d->text, d->length, &error))
            code = session_complain(&error);
        else if (!d->page.count)
            fprintf(stderr, "parity: %s has no region\n", files->items[i]);
        j->regions += d->page.count;
    }
    return code;
}

static int check_documents(const job *j)
{
    int code = CLI_OK;
    for (size_t i = 0; i < j->count; i++)
        for (size_t r = 0; r < j->documents[i].page.count; r++) {
            const parity_page *page = &j->documents[i].page;
            parity_error error = {0};
            if (check_region(j, page, &page->regions[r], &error))
                code = session_complain(&error);
        }
    return code;
}

static bool wanted(const job *j, const parity_case *test, const parity_column *column)
{
    for (size_t i = 0; i < j->count; i++)
        for (size_t r = 0; r < j->documents[i].page.count; r++) {
            const parity_region *region = &j->documents[i].page.regions[r];
            const parity_words *words = &region->value[PARITY_KEY_COLUMN];
            if (test && parity_region_wants(region, test))
                return true;
            if (column && !words->count && column->engine->judge)
                return true;
            for (size_t w = 0; column && w < words->count; w++)
                if (parity_column_matches(column, words->items[w].text))
                    return true;
        }
    return false;
}

/* Only what some region shows has to run. */
static void keep_wanted(job *j)
{
    size_t cases = 0, columns = 0;
    for (size_t i = 0; i < j->s.ncases; i++)
        if (wanted(j, j->s.cases[i], NULL))
            j->s.cases[cases++] = j->s.cases[i];
    for (size_t i = 0; i < j->s.nlive; i++)
        if (wanted(j, NULL, &j->s.columns[i]))
            j->s.columns[columns++] = j->s.columns[i];
    j->s.ncases = cases;
    j->s.nlive = j->s.ncolumns = columns;
}

/* The run of the block in the result, when it is live and of the present text. */
static parity_run *live_run(job *j, const parity_recorded *block)
{
    for (size_t c = 0; c < j->s.ncolumns; c++) {
        if (j->s.columns[c].recorded || strcmp(j->s.columns[c].id, block->column) != 0)
            continue;
        for (size_t i = 0; i < j->s.result.ncases; i++) {
            const parity_case *test = j->s.result.cases[i].test;
            if (strcmp(test->id, block->case_id) == 0 &&
                test->text_hash[block->language] == block->text_hash)
                return &j->s.result.cases[i].runs[c];
        }
    }
    return NULL;
}

/* A live outcome that equals its record is cited as the record has it: with its
 * provenance, and, of a refused program, with the words of the compiler that were
 * accepted. Else a page would change with the machine on which it is checked. */
static void cite_records(job *j)
{
    for (size_t r = 0; r < j->s.nrecords; r++)
        for (size_t b = 0; b < j->s.records[r].file.nblocks; b++) {
            const parity_recorded *block = &j->s.records[r].file.blocks[b];
            parity_run *run = live_run(j, block);
            for (size_t c = 0; run && c < j->s.ncolumns; c++)
                if (strcmp(j->s.columns[c].id, block->column) == 0) {
                    j->s.columns[c].provenance = block->provenance;
                    j->s.columns[c].nprovenance = block->nprovenance;
                }
            if (run && run->end.kind == PARITY_REFUSED && block->run.end.detail)
                run->end.detail = block->run.end.detail;
        }
}

/* A page must not state what does not hold. */
static void report_broken(job *j, const parity_page *page, const parity_region *region)
{
    for (size_t i = 0; i < j->view.result.ncases; i++) {
        const parity_case_result *one = &j->view.result.cases[i];
        for (size_t v = 0; v < one->nverdicts; v++) {
            const parity_verdict *verdict = &one->verdicts[v];
            if (!parity_state_broken(verdict->state))
                continue;
            j->broken++;
            fprintf(stderr, "%s:%d:%d: %s (%s) in %s%s%s: %s\n", page->file,
                    region->pos.line, region->pos.column,
                    parity_state_name(verdict->state),
                    parity_relation_name(verdict->relation), one->test->id,
                    verdict->row == PARITY_NONE ? "" : ", row ",
                    verdict->row == PARITY_NONE ? "" : one->test->rows[verdict->row].id,
                    verdict->why ? verdict->why : "");
        }
    }
}

static const char *info_of(const parity_report *report, const parity_view *view)
{
    if (strcmp(report->page, PARITY_PAGE_PROGRAM) != 0)
        return report->page;
    return view->result.columns[0].engine->language == PARITY_TORCH ? "python" : "rust";
}

static int render(parity_buffer *out, const parity_report *report,
                  const parity_view *view, const parity_page *page,
                  const parity_region *region, parity_error *error)
{
    const parity_words *value = region->value;
    const parity_words *heads = &value[PARITY_KEY_HEAD];
    const parity_word *anchor = value[PARITY_KEY_ANCHOR].items;
    const char **texts = parity_alloc((heads->count + 1) * sizeof *texts);
    for (size_t i = 0; i < heads->count; i++)
        texts[i] = heads->items[i].text;
    parity_report_options how = {
        .lang =
            value[PARITY_KEY_LANG].count ? value[PARITY_KEY_LANG].items[0].text : "en",
        .width = 100,
        .page = true,
        .heads = texts,
        .nheads = heads->count,
        .anchor = anchor ? anchor->text : NULL,
    };
    parity_error inner = {0};
    int status = report->render(out, &view->result, &how, &inner);
    parity_pos at = anchor         ? anchor->pos
                    : heads->count ? region->key[PARITY_KEY_HEAD].pos
                                   : region->pos;
    if (status)
        parity_fail_at(error, page->file, at, "%s", inner.message);
    else if (!out->length || strspn(out->data, "\n") == out->length)
        status = parity_fail_at(error, page->file, region->pos,
                                "there is nothing to show: neither these rows nor these "
                                "columns have a text for %s",
                                report->name);
    free(texts);
    return status;
}

/* The lines of a region, without prefix and with LF. */
static int make_body(parity_buffer *body, job *j, const parity_page *page,
                     const parity_region *region, parity_error *error)
{
    const parity_report *report = report_of(page, region, error);
    parity_buffer text = {0};
    char *caption = NULL;
    int status = parity_view_make(&j->view, &j->s.result, page, region, error);
    if (!status)
        report_broken(j, page, region);
    if (!status)
        status = parity_caption(&caption, &j->view, page, region, error);
    if (!status)
        status = render(&text, report, &j->view, page, region, error);
    if (!status)
        status = parity_body_wrap(body, page, region, text.data,
                                  info_of(report, &j->view), caption, error);
    parity_view_free(&j->view);
    parity_buffer_free(&text);
    free(caption);
    return status;
}

static void place_region(parity_buffer *out, job *j, const parity_page *page,
                         const parity_region *region, const char *body)
{
    parity_buffer fresh = {0};
    const char *old = page->text + region->marker;
    size_t length = region->body_end - region->marker;
    parity_body_place(&fresh, page, region, body);
    bool same = fresh.length == length && memcmp(fresh.data, old, length) == 0;
    if (!same && !j->options->check && !j->options->force &&
        !parity_body_untouched(page, region)) {
        fprintf(stderr,
                "%s:%d:%d: these lines were edited by hand, so they stay; change the "
                "case, or "
                "overwrite them with --force\n",
                page->file, region->pos.line, region->pos.column);
        j->refused++;
        parity_buffer_add(out, old, length);
    } else {
        j->changed += !same;
        parity_buffer_add(out, fresh.data, fresh.length);
    }
    if (!same && j->options->check) {
        parity_buffer diff = {0};
        parity_lines_diff(&diff, page->file, region->pos.line, old, length, fresh.data,
                          fresh.length);
        fputs(diff.data, stdout);
        parity_buffer_free(&diff);
    }
    parity_buffer_free(&fresh);
}

static int write_document(job *j, document *d)
{
    const parity_page *page = &d->page;
    parity_buffer out = {0};
    parity_error error = {0};
    size_t at = 0, changed = j->changed;
    int status = 0;
    for (size_t r = 0; r < page->count && !status; r++) {
        const parity_region *region = &page->regions[r];
        parity_buffer body = {0};
        status = make_body(&body, j, page, region, &error);
        if (!status) {
            parity_buffer_add(&out, page->text + at, region->marker - at);
            place_region(&out, j, page, region, body.data);
            at = region->body_end;
        }
        parity_buffer_free(&body);
    }
    parity_buffer_add(&out, page->text + at, page->length - at);
    if (!status && j->changed > changed && !j->options->check)
        status = write_file(d, &out, &error);
    parity_buffer_free(&out);
    return status ? session_complain(&error) : CLI_OK;
}

static int run_documents(job *j)
{
    parity_error error = {0};
    if (session_run(&j->s, &error) || session_judge(&j->s, &error))
        return session_complain(&error);
    if (j->s.interrupted) {
        fprintf(stderr, "parity: interrupted; no page was changed\n");
        return CLI_UNJUDGED;
    }
    int code = CLI_OK;
    cite_records(j);
    for (size_t i = 0; i < j->count; i++)
        if (write_document(j, &j->documents[i]))
            code = CLI_USAGE;
    printf("%zu of %zu region%s %s%s\n", j->changed, j->regions, cli_plural(j->regions),
           j->options->check ? "would change" : "changed",
           j->refused ? ", some stayed as they were edited" : "");
    bool bad = j->broken || j->refused || (j->options->check && j->changed);
    return code ? code : bad ? CLI_BROKEN : CLI_OK;
}

static int run(const cli_options *options)
{
    job j = {.options = options};
    parity_error error = {0};
    cli_options all = *options; /* the arguments are pages, not cases */
    all.patterns = (cli_list){0};
    if (!options->patterns.count) {
        fprintf(stderr, "parity: which pages? for instance: parity docs docs/pages/*\n");
        return CLI_USAGE;
    }
    int code = session_open(&j.s, &all, &error) || session_columns(&j.s, &error)
                   ? session_complain(&error)
                   : open_documents(&j);
    if (!code && j.regions && !(code = session_select(&j.s)) &&
        !(code = check_documents(&j))) {
        keep_wanted(&j);
        code = run_documents(&j);
    }
    for (size_t i = 0; i < j.count; i++) {
        if (j.documents[i].page.arena)
            parity_page_free(&j.documents[i].page);
        free(j.documents[i].text);
    }
    free(j.documents);
    session_close(&j.s);
    return code;
}

extern const cli_command cli_docs;
const cli_command cli_docs = {
    .name = "docs",
    .arguments = "FILE.md ...",
    .about = "Rewrite the marked regions of Markdown pages from a run",
    .options = "--check --force --cases --engine --deadline -j",
    .examples = "parity docs docs/pages/*           rewrites the regions in place\n"
                "parity docs --check docs/pages/*   exit 1 if one would change, with the "
                "lines\n",
    .run = run,
};
