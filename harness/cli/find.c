/* parity find: every case that calls a method or a function, with its finding. */
#include "harness/base/memory.h"
#include "harness/cli/session.h"
#include "harness/model/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One place where a program, or an expression that is observed, calls what is looked for.
 */
typedef struct place {
    parity_language language;
    parity_pos pos;
    const char *line; /* the line of the program, or the expression */
    size_t length;
} place;

typedef struct finder {
    const char *name;
    parity_names *calls; /* all names seen, for a suggestion */
    place *places;
    size_t count;
    size_t capacity;
    /* of the text at hand */
    parity_language language;
    const char *text;
    const parity_program *program; /* NULL: an expression, which begins at `pos` */
    parity_pos pos;
} finder;

/* Bytes of the next part of a path: `torch.optim.SGD` and `Tensor::zeros` have several.
 */
static size_t part(const char *path, const char **next)
{
    size_t length = strcspn(path, ".:");
    *next = path + length + strspn(path + length, ".:");
    return length;
}

static bool begins_with(const char *path, const char *name)
{
    while (*name) {
        const char *after_path, *after_name;
        size_t have = part(path, &after_path), want = part(name, &after_name);
        if (have != want || strncmp(path, name, want) != 0)
            return false;
        path = after_path;
        name = after_name;
    }
    return true;
}

/* What the documentation of the libraries puts before a name that programs call without
 * it. */
static const char *const prefixes[PARITY_LANGUAGES][7] = {
    [PARITY_TORCH] = {"torch.Tensor.", "Tensor.", "torch.nn.functional.", "F.", "torch.",
                      NULL},
    [PARITY_CANDLE] = {"candle_core::Tensor::", "candle::Tensor::", "Tensor::",
                       "candle_core::", "candle_nn::", "candle::", NULL},
};

/* Whether the parts of `name` stand in a row in the call. A function of PyTorch is also a
 * method of its tensors, and a method of Tensor is called on one: torch.chunk finds
 * x.chunk(2) too. */
static bool is_meant(const char *call, const char *name, parity_language language)
{
    const char *next;
    for (const char *path = call; *path; path = next) {
        if (begins_with(path, name))
            return true;
        part(path, &next);
    }
    for (const char *const *prefix = prefixes[language]; *prefix; prefix++) {
        size_t length = strlen(*prefix);
        if (strncmp(name, *prefix, length) == 0 && strcmp(call, name + length) == 0)
            return true;
    }
    return false;
}

static void visit(void *context, const char *name, size_t at)
{
    finder *f = context;
    parity_names_number(f->calls, name);
    if (!is_meant(name, f->name, f->language))
        return;
    size_t start = at, line = 1;
    while (start > 0 && f->text[start - 1] != '\n')
        start--;
    for (size_t i = 0; i < start; i++)
        line += f->text[i] == '\n';
    int column = 1;
    for (size_t i = start; i < at; i++)
        column += ((unsigned char)f->text[i] & 0xc0) != 0x80;
    PARITY_GROW(f->places, f->count, f->capacity);
    place *p = &f->places[f->count++];
    *p = (place){.language = f->language, .line = f->text + start};
    p->length = strcspn(p->line, "\n");
    if (f->program)
        p->pos = parity_program_pos(f->program, (parity_pos){(int)line, column});
    else
        p->pos = (parity_pos){f->pos.line, f->pos.column + column - 1};
}

static void find_in_case(finder *f, const parity_case *test)
{
    f->count = 0;
    for (int l = 0; l < PARITY_LANGUAGES; l++) {
        f->language = (parity_language)l;
        f->program = &test->program[l];
        f->text = f->program->text;
        if (f->text)
            parity_each_call(f->text, f->language, visit, f);
        f->program = NULL;
        for (size_t i = 0; i < test->nobserve[l]; i++) {
            f->text = test->observe[l][i].text;
            f->pos = test->observe[l][i].pos;
            parity_each_call(f->text, f->language, visit, f);
        }
    }
}

static const char *pick(const parity_sentence *sentence, const cli_options *options)
{
    bool zh = options->lang && options->lang[0] == 'z';
    return zh && sentence->zh ? sentence->zh : sentence->en;
}

static size_t print_sentence(const char *what, const char *key,
                             const parity_sentence *sentence, const cli_options *options)
{
    const char *text = pick(sentence, options);
    if (text)
        printf("  %s%s%s: %s\n", what, *key ? ", " : "", key, text);
    return text != NULL;
}

/* The sentences that say where the languages, devices or versions differ. */
static size_t print_findings(const parity_case *test, const cli_options *options)
{
    size_t count = print_sentence("finding", "", &test->finding, options);
    for (size_t d = 0; d < test->ndevices; d++)
        count +=
            print_sentence(test->devices[d].key, "", &test->devices[d].sentence, options);
    for (size_t r = 0; r < test->nrows; r++) {
        const parity_row *row = &test->rows[r];
        count += print_sentence("finding", row->id, &row->finding, options);
        for (size_t d = 0; d < row->ndevices; d++)
            count += print_sentence(row->devices[d].key, row->id,
                                    &row->devices[d].sentence, options);
        for (size_t v = 0; v < row->nversions; v++)
            count += print_sentence(row->versions[v].key, row->id,
                                    &row->versions[v].sentence, options);
    }
    return count;
}

static bool same_line_before(const finder *f, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (f->places[i].line == f->places[index].line)
            return true;
    return false;
}

static void print_case(const finder *f, const parity_case *test, const session *s)
{
    const char *title = pick(&test->title, s->options);
    printf("%.*s  %s\n", (int)strcspn(test->id, "["), test->id, title ? title : "");
    for (size_t i = 0; i < f->count; i++) {
        const place *p = &f->places[i];
        size_t indent = strspn(p->line, " \t");
        if (same_line_before(f, i))
            continue;
        printf("  %s:%d:%d: %s: %.*s\n", test->file, p->pos.line, p->pos.column,
               parity_language_name(p->language), (int)(p->length - indent),
               p->line + indent);
    }
}

static int nothing(const finder *f, const char *typed)
{
    if (strchr(typed, '!')) {
        fprintf(stderr,
                "parity: '%s' is a macro; find looks for methods and functions of the "
                "libraries\n",
                typed);
        return CLI_USAGE;
    }
    const char **names = parity_alloc((f->calls->count + 1) * sizeof *names);
    for (size_t i = 0; i < f->calls->count; i++)
        names[i] = f->calls->names[i];
    const char *near = cli_nearest(f->name, names), *last = f->name;
    for (const char *p = f->name; *p; p++)
        last = *p == '.' || *p == ':' ? p + 1 : last;
    if (!near)
        near = cli_nearest(last, names);
    fprintf(stderr, "parity: no case calls '%s'", typed);
    if (near)
        fprintf(stderr, "; did you mean '%s'?\n", near);
    else
        fprintf(stderr, "; write one with parity try, and keep it in cases/\n");
    free(names);
    return CLI_USAGE;
}

static int find(session *s, const char *typed)
{
    parity_names calls = {0};
    char *name = parity_strdup(typed + strspn(typed, ".:"));
    name[strcspn(name, "(")] = '\0';
    finder f = {.name = name, .calls = &calls};
    size_t cases = 0, findings = 0;
    const char *told = ""; /* combinations of a matrix stand in one file */
    for (size_t i = 0; i < s->ncases; i++) {
        find_in_case(&f, s->cases[i]);
        if (!f.count || strcmp(s->cases[i]->file, told) == 0)
            continue;
        told = s->cases[i]->file;
        if (cases++)
            putchar('\n');
        print_case(&f, s->cases[i], s);
        findings += print_findings(s->cases[i], s->options) > 0;
    }
    if (cases)
        printf("\n%zu case%s, %zu with a finding; parity show CASE runs one\n", cases,
               cases == 1 ? "" : "s", findings);
    int code = cases ? CLI_OK : nothing(&f, typed);
    free(f.places);
    free(name);
    parity_names_free(&calls);
    return code;
}

static int run(const cli_options *options)
{
    cli_options all = *options; /* the argument is a name, not a case */
    all.patterns = (cli_list){0};
    parity_error error = {0};
    session s;
    if (options->patterns.count != 1 || !options->patterns.items[0][0]) {
        fprintf(stderr, "parity: find what? for instance: parity find clone\n");
        return CLI_USAGE;
    }
    int code =
        session_open(&s, &all, &error) ? session_complain(&error) : session_select(&s);
    if (!code)
        code = find(&s, options->patterns.items[0]);
    session_close(&s);
    return code;
}

extern const cli_command cli_find;
const cli_command cli_find = {
    .name = "find",
    .arguments = "NAME",
    .about = "Every case that calls a method or function, with its finding; runs nothing",
    .options = "--cases --lang",
    .examples = "parity find clone           of either library\n"
                "parity find torch.chunk     the function and the method\n"
                "parity find Tensor::zeros\n",
    .run = run,
};
