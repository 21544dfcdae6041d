#include "oracles/candle/generate.h"

#include "harness/base/buffer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define USES       "use candle_core::*; use candle_nn::*; use parity::prelude::*;\n\n"
#define FIRST_LINE 4
#define INDENT     2

/* As a Rust string literal. */
static void literal(parity_buffer *out, const char *text)
{
    parity_buffer_char(out, '"');
    for (; text && *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            parity_buffer_char(out, '\\');
        if (c < 0x20 || c == 0x7F)
            parity_buffer_printf(out, "\\x%02x", c);
        else
            parity_buffer_char(out, (char)c);
    }
    parity_buffer_char(out, '"');
}

/* A file name that still reads as the case's id: pages/x → pages.x.rs. What
 * else an id may contain becomes a dash, and a hash keeps such names apart. */
static char *file_name(const char *id)
{
    parity_buffer name = {0};
    bool changed = false;
    for (const char *p = id; *p; p++) {
        bool plain = *p == '/' || *p == '_' || isalnum((unsigned char)*p);
        parity_buffer_char(&name, *p == '/' ? '.' : plain ? *p : '-');
        changed = changed || !plain;
    }
    if (changed)
        parity_buffer_printf(&name, ".%08x", (unsigned)XXH32(id, strlen(id), 0));
    parity_buffer_text(&name, ".rs");
    return parity_buffer_take(&name);
}

static size_t line_length(const char *line)
{
    return strcspn(line, "\n");
}

/* Whether the line is all that is left, and says `Ok(())`: then the generated end says
 * it, so that the observations can come first. */
static bool is_last_ok(const char *line)
{
    line += strspn(line, " \t");
    return strncmp(line, "Ok(())", 6) == 0 &&
           line[6 + strspn(line + 6, " \t\r\n")] == '\0';
}

static bool listed(const candle_list *list, size_t number)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == number)
            return true;
    return false;
}

/* The place of a byte of the program, in characters. */
static parity_pos place_of(const char *text, size_t at)
{
    parity_pos pos = {1, 1};
    for (size_t i = 0; i < at; i++) {
        if (text[i] == '\n')
            pos = (parity_pos){pos.line + 1, 1};
        else if (((unsigned char)text[i] & 0xC0) != 0x80)
            pos.column++;
    }
    return pos;
}

/* The call that announces a statement stands behind the end of the one before, so that it
 * moves no place of a statement that has a line of its own. */
typedef struct tracer {
    candle_list starts;
    candle_list ends;
    size_t next; /* statement to announce */
    const char *text;
} tracer;

static void announce(parity_buffer *out, tracer *t)
{
    if (t->next >= t->starts.count)
        return;
    parity_pos pos = place_of(t->text, t->starts.items[t->next++]);
    parity_buffer_printf(out, " ::parity::at(%d, %d);", pos.line, pos.column);
}

/* Adds the piece of the program from `at` on, with the calls whose place is in it. */
static void add_traced(parity_buffer *out, tracer *t, size_t at, size_t length)
{
    size_t end = at + length;
    while (t->next > 0 && t->next <= t->ends.count && t->ends.items[t->next - 1] <= end) {
        size_t place = t->ends.items[t->next - 1];
        if (t->next >= t->starts.count)
            break;
        parity_buffer_add(out, t->text + at, place - at);
        at = place;
        announce(out, t);
    }
    parity_buffer_add(out, t->text + at, end - at);
}

static void add_program(parity_buffer *out, candle_module *module, const char *text,
                        tracer *t)
{
    const char *line = text;
    while (*line) {
        size_t length = line_length(line);
        module->lines++;
        if (!is_last_ok(line)) {
            bool blank = strspn(line, " \t\r") >= length;
            if (!blank && !listed(&module->unindented, module->lines))
                parity_buffer_printf(out, "%*s", INDENT, "");
            add_traced(out, t, (size_t)(line - text), length);
        }
        parity_buffer_char(out, '\n');
        line += length + (line[length] == '\n');
    }
}

static size_t count_lines(const parity_buffer *buffer, size_t from)
{
    size_t count = 0;
    for (size_t i = from; i < buffer->length; i++)
        count += buffer->data[i] == '\n';
    return count;
}

static void add_refused(parity_buffer *out, size_t index, const char *type,
                        const char *text, const char *detail)
{
    parity_buffer_printf(out, "::parity::refused(%zu, ", index);
    literal(out, type ? type : "error");
    parity_buffer_text(out, ", ");
    literal(out, text);
    parity_buffer_text(out, ", ");
    literal(out, detail);
    parity_buffer_text(out, ");\n");
}

static void add_observations(parity_buffer *out, candle_module *module,
                             const parity_case *test, const parity_outcome *refused)
{
    size_t line = FIRST_LINE + module->lines, counted = out->length;
    parity_buffer_text(out,
                       ";{ #[allow(unused_imports)] use ::parity::look::{ByDebug as _, "
                       "ByObserve as _};\n");
    for (size_t i = 0; i < module->nobserved; i++) {
        const char *expr = test->observe[PARITY_CANDLE][i].text;
        const char *why = candle_unbalanced(expr);
        line += count_lines(out, counted);
        counted = out->length;
        module->observed[i].first = line;
        if (refused && refused[i].kind == PARITY_REFUSED)
            add_refused(out, i, refused[i].type, refused[i].text, refused[i].detail);
        else if (why)
            add_refused(out, i, "error", why, expr);
        else
            parity_buffer_printf(
                out,
                "::parity::observe(%zu, || "
                "::std::result::Result::Ok((&::parity::look::Look(&(\n%s\n"
                "))).look()));\n",
                i, expr);
        module->observed[i].last = line + count_lines(out, counted) - 1;
    }
    parity_buffer_text(out, "} ::std::result::Result::Ok(()) }\n");
}

static void add_case(parity_buffer *out, const candle_module *module,
                     const parity_case *test)
{
    parity_buffer_text(out, "pub(crate) const __PARITY_CASE: ::parity::Case = "
                            "::parity::Case { id: ");
    literal(out, test->id);
    parity_buffer_printf(out, ", file: file!(), lines: %zu, unindented: &[",
                         module->lines);
    for (size_t i = 0; i < module->unindented.count; i++)
        parity_buffer_printf(out, "%zu, ", module->unindented.items[i]);
    parity_buffer_printf(out, "], observations: %zu, main };\n", module->nobserved);
}

void candle_generate(candle_module *out, const parity_case *test,
                     const parity_outcome *refused, bool trace)
{
    const char *text = test->program[PARITY_CANDLE].text;
    parity_buffer buffer = {0};
    tracer t = {.text = text};
    *out = (candle_module){.name = file_name(test->id),
                           .nobserved = test->nobserve[PARITY_CANDLE]};
    out->observed = parity_alloc((out->nobserved + 1) * sizeof *out->observed);
    candle_lines_in_strings(&out->unindented, text);
    if (trace)
        candle_statements(&t.starts, &t.ends, text);

    parity_buffer_text(&buffer, USES "fn main() -> Result<()> { let dev = "
                                     "::parity::device();");
    for (size_t i = 0; i < test->ndata; i++) {
        parity_buffer_printf(&buffer, " let %s = ::parity::data(", test->data[i].name);
        literal(&buffer, test->data[i].name);
        parity_buffer_text(&buffer, ");");
    }
    announce(&buffer, &t);
    parity_buffer_char(&buffer, '\n');
    add_program(&buffer, out, text, &t);
    add_observations(&buffer, out, test, refused);
    add_case(&buffer, out, test);
    candle_list_free(&t.starts);
    candle_list_free(&t.ends);
    out->text = parity_buffer_take(&buffer);
}

void candle_module_free(candle_module *module)
{
    free(module->name);
    free(module->text);
    free(module->observed);
    candle_list_free(&module->unindented);
    *module = (candle_module){0};
}

candle_region candle_locate(const candle_module *module, int line, int column,
                            parity_pos *in_program, size_t *observation)
{
    for (size_t i = 0; i < module->nobserved; i++) {
        const candle_lines *at = &module->observed[i];
        if (line >= (int)at->first && line <= (int)at->last) {
            *observation = i;
            return CANDLE_OBSERVATION;
        }
    }
    int own = line - FIRST_LINE + 1;
    if (own < 1 || own > (int)module->lines)
        return CANDLE_GENERATED;
    int indent = listed(&module->unindented, (size_t)own) ? 0 : INDENT;
    *in_program = (parity_pos){own, column > indent ? column - indent : 1};
    return CANDLE_PROGRAM;
}

parity_pos candle_program_end(const parity_case *test)
{
    const char *text = test->program[PARITY_CANDLE].text;
    size_t end = strlen(text);
    while (end > 0 && isspace((unsigned char)text[end - 1]))
        end--;
    return place_of(text, end);
}

char *candle_generate_main(const candle_module *const *modules, size_t count,
                           const char *version, const candle_fact *facts, size_t nfacts)
{
    parity_buffer out = {0};
    for (size_t i = 0; i < count; i++) {
        parity_buffer_text(&out, "#[path = ");
        literal(&out, modules[i]->name);
        parity_buffer_printf(&out, "] mod c%zu;\n", i);
    }
    parity_buffer_text(&out, "fn main() {\n    ::parity::worker::serve("
                             "::parity::worker::Worker { version: ");
    literal(&out, version);
    parity_buffer_text(&out, ", provenance: &[");
    for (size_t i = 0; i < nfacts; i++) {
        parity_buffer_char(&out, '(');
        literal(&out, facts[i].name);
        parity_buffer_text(&out, ", ");
        literal(&out, facts[i].text);
        parity_buffer_text(&out, "), ");
    }
    parity_buffer_text(&out, "], cases: &[\n");
    for (size_t i = 0; i < count; i++)
        parity_buffer_printf(&out, "        c%zu::__PARITY_CASE,\n", i);
    parity_buffer_text(&out, "    ] })\n}\n");
    return parity_buffer_take(&out);
}
