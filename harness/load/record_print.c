/* Outcomes to the text of records. */
#include "harness/base/base64.h"
#include "harness/base/memory.h"
#include "harness/compare/render.h"
#include "harness/load/record_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* Tensors of more elements get no rendering behind their bits, and no rendering is
 * longer. */
enum { RENDERED_ELEMENTS = 64, RENDERED_BYTES = 400, LABEL_WIDTH = 28 };

void parity_record_escape(parity_buffer *out, const char *text, bool quotes)
{
    size_t length = strlen(text);
    for (size_t at = 0; at < length;) {
        utf8proc_int32_t point = 0;
        utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)text + at,
                                              (utf8proc_ssize_t)(length - at), &point);
        char c = text[at];
        if (n <= 0)
            parity_buffer_printf(out, "\\x%02x", (unsigned char)c);
        else if (c == '\\' || (c == '"' && quotes))
            parity_buffer_printf(out, "\\%c", c);
        else if (c == '\n' || c == '\t')
            parity_buffer_text(out, c == '\n' ? "\\n" : "\\t");
        else if (point < 0x20 || point == 0x7f)
            parity_buffer_printf(out, "\\x%02x", (unsigned)point);
        else
            parity_buffer_add(out, text + at, (size_t)n);
        at += n > 0 ? (size_t)n : 1;
    }
}

static void add_string(parity_buffer *out, const char *text)
{
    if (text == NULL) {
        parity_buffer_char(out, '-');
        return;
    }
    parity_buffer_char(out, '"');
    parity_record_escape(out, text, true);
    parity_buffer_char(out, '"');
}

/* Whether a name can stand without quotes. */
static bool plain_word(const char *text)
{
    size_t n =
        strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
    return n > 0 && text[n] == '\0' && strcmp(text, "bits") != 0 &&
           strcmp(text, "hash") != 0;
}

/* A name as it is when it is a plain word, else quoted. */
static void add_name(parity_buffer *out, const char *text)
{
    if (plain_word(text))
        parity_buffer_text(out, text);
    else
        add_string(out, text);
}

static void add_dims(parity_buffer *out, const int64_t *dims, size_t rank)
{
    parity_buffer_char(out, '[');
    for (size_t i = 0; i < rank; i++)
        parity_buffer_printf(out, "%s%" PRId64, i > 0 ? ", " : "", dims[i]);
    parity_buffer_char(out, ']');
}

static void add_bits(parity_buffer *out, const parity_tensor *t)
{
    size_t half = t->nbytes / 2;
    if (!t->hashed) {
        parity_buffer_text(out, " bits=");
        parity_base64_encode(out, t->bits, t->nbytes);
        return;
    }
    parity_buffer_printf(out, " hash=%016" PRIx64 " head=", t->hash);
    parity_base64_encode(out, t->bits, half);
    parity_buffer_text(out, " tail=");
    parity_base64_encode(out, (const char *)t->bits + half, half);
}

static void add_tensor(parity_buffer *out, const parity_tensor *t)
{
    parity_buffer_printf(out, "%s %s ",
                         t->printed ? "printed"
                         : t->host  ? "host"
                                    : "tensor",
                         parity_dtype_name(t->dtype));
    add_dims(out, t->shape, t->rank);
    if (!t->host) {
        parity_buffer_text(out, " strides ");
        add_dims(out, t->strides, t->rank);
        parity_buffer_printf(out,
                             " offset %" PRId64 " storage %" PRIu32 " handle %" PRIu32,
                             t->offset, t->storage, t->handle);
    }
    for (size_t i = 0; i < t->nfacts; i++) {
        parity_buffer_char(out, ' ');
        add_name(out, t->facts[i].name);
        parity_buffer_char(out, '=');
        add_name(out, t->facts[i].text);
    }
    add_bits(out, t);
}

static void add_float(parity_buffer *out, const parity_value *value)
{
    unsigned char bytes[8];
    size_t size = parity_dtype_size(value->dtype);
    float single = (float)value->number;
    if (value->dtype == PARITY_F32)
        memcpy(bytes, &single, sizeof single);
    else
        memcpy(bytes, &value->number, sizeof value->number);
    parity_buffer_printf(out, "float %s ", parity_dtype_name(value->dtype));
    for (size_t i = 0; i < size; i++)
        parity_buffer_printf(out, "%02x", bytes[i]);
}

static void add_value(parity_buffer *out, const parity_value *value);

static void add_items(parity_buffer *out, const char *name, const parity_value *value)
{
    parity_buffer_printf(out, "%s(", name);
    for (size_t i = 0; i < value->nitems; i++) {
        if (i > 0)
            parity_buffer_text(out, ", ");
        add_value(out, value->items[i]);
    }
    parity_buffer_char(out, ')');
}

static void add_texts(parity_buffer *out, const char *name, const char *type,
                      const char *text)
{
    parity_buffer_printf(out, "%s ", name);
    if (type != NULL) {
        add_string(out, type);
        parity_buffer_char(out, ' ');
    }
    add_string(out, text);
}

static void add_value(parity_buffer *out, const parity_value *value)
{
    const char *name = parity_record_value_names[value->kind];
    switch (value->kind) {
    case PARITY_VALUE_UNIT:
    case PARITY_VALUE_NONE:
        parity_buffer_text(out, name);
        break;
    case PARITY_VALUE_BOOL:
        parity_buffer_printf(out, "%s %s", name, value->boolean ? "true" : "false");
        break;
    case PARITY_VALUE_INT:
    case PARITY_VALUE_ID:
        parity_buffer_printf(out, "%s %s", name, value->text);
        break;
    case PARITY_VALUE_FLOAT:
        add_float(out, value);
        break;
    case PARITY_VALUE_MIB:
        parity_buffer_printf(out, "%s %.17g", name, value->number);
        break;
    case PARITY_VALUE_TENSOR:
        add_tensor(out, value->tensor);
        break;
    case PARITY_VALUE_TEXT:
    case PARITY_VALUE_ERR:
        add_texts(out, name, NULL, value->text);
        break;
    case PARITY_VALUE_RAISED:
    case PARITY_VALUE_OTHER:
        add_texts(out, name, value->type != NULL ? value->type : "", value->text);
        break;
    case PARITY_VALUE_LIST:
    case PARITY_VALUE_OK:
    case PARITY_VALUE_SOME:
        add_items(out, name, value);
        break;
    }
}

/* Without the rendering and the detail. */
static void add_outcome(parity_buffer *out, const parity_outcome *outcome)
{
    if (outcome->kind == PARITY_VALUE) {
        if (outcome->value != NULL)
            add_value(out, outcome->value);
        else
            parity_buffer_text(out, "value");
        return;
    }
    parity_buffer_text(out, parity_outcome_name(outcome->kind));
    if (outcome->type != NULL || outcome->text != NULL) {
        parity_buffer_char(out, ' ');
        add_string(out, outcome->type);
        parity_buffer_char(out, ' ');
        add_string(out, outcome->text);
    }
    if (outcome->pos.line > 0)
        parity_buffer_printf(out, " at %d:%d", outcome->pos.line, outcome->pos.column);
}

/* Elements whose bits a person cannot read; 0 when the line is readable as it is. */
static int64_t elements(const parity_value *value)
{
    int64_t count = value->kind == PARITY_VALUE_FLOAT;
    if (value->kind == PARITY_VALUE_TENSOR)
        return value->tensor->hashed ? INT32_MAX : 1 + parity_tensor_count(value->tensor);
    for (size_t i = 0; i < value->nitems && count <= RENDERED_ELEMENTS; i++)
        count += elements(value->items[i]);
    return count;
}

static void add_rendering(parity_buffer *out, const parity_outcome *outcome,
                          parity_language language)
{
    int64_t count = outcome->kind == PARITY_VALUE && outcome->value != NULL
                        ? elements(outcome->value)
                        : 0;
    if (count == 0 || count > RENDERED_ELEMENTS + 1)
        return;
    parity_buffer text = {0};
    parity_buffer line = {0};
    parity_render_outcome(&text, outcome, language, -1);
    parity_record_escape(&line, text.data != NULL ? text.data : "", false);
    if (line.length <= RENDERED_BYTES)
        parity_buffer_printf(out, "  # %s", line.data != NULL ? line.data : "");
    parity_buffer_free(&text);
    parity_buffer_free(&line);
}

static void add_detail(parity_buffer *out, const parity_outcome *outcome)
{
    if (outcome->kind != PARITY_REFUSED || outcome->detail == NULL)
        return;
    const char *line = outcome->detail;
    while (true) {
        size_t length = strcspn(line, "\n");
        char *text = parity_strndup(line, length);
        parity_buffer_text(out, length > 0 ? "  | " : "  |");
        parity_record_escape(out, text, false);
        parity_buffer_char(out, '\n');
        free(text);
        if (line[length] == '\0')
            break;
        line += length + 1;
    }
}

static int label_width(const parity_recorded *block)
{
    size_t width = 0;
    for (size_t i = 0; i < block->run.nobserved; i++) {
        size_t n = strlen(block->labels[i]);
        if (n > width && n <= LABEL_WIDTH)
            width = n;
    }
    return (int)width;
}

void parity_recorded_print(parity_buffer *out, const parity_recorded *block)
{
    const parity_run *run = &block->run;
    parity_buffer_printf(out, "\ncase %s\ncolumn %s\ntext %s %016" PRIx64 "\n",
                         block->case_id, block->column,
                         parity_language_name(block->language), block->text_hash);
    for (size_t i = 0; i < block->nprovenance; i++) {
        parity_buffer_text(out, "with ");
        add_name(out, block->provenance[i].name);
        parity_buffer_char(out, ' ');
        add_string(out, block->provenance[i].text);
        parity_buffer_char(out, '\n');
    }
    parity_buffer_text(out, "ends ");
    add_outcome(out, &run->end);
    parity_buffer_char(out, '\n');
    add_detail(out, &run->end);
    parity_buffer_printf(out, "observed %zu\n", run->nobserved);
    int width = label_width(block);
    for (size_t i = 0; i < run->nobserved; i++) {
        parity_buffer_printf(out, "  %-*s  ", width, block->labels[i]);
        add_outcome(out, &run->observed[i]);
        add_rendering(out, &run->observed[i], block->language);
        parity_buffer_char(out, '\n');
        add_detail(out, &run->observed[i]);
    }
}

static const char *make_label(parity_arena *arena, const char *sign, const char *owner,
                              const char *name, size_t index)
{
    parity_buffer text = {0};
    if (name != NULL)
        parity_buffer_printf(&text, "%s%s.%s", sign, owner, name);
    else
        parity_buffer_printf(&text, "%s%s.%zu", sign, owner, index);
    const char *label = parity_arena_strdup(arena, text.data);
    parity_buffer_free(&text);
    return label;
}

/* "clone.0" or "second_name.mib" for rows, "@weight.was" for subjects. */
static const char **make_labels(parity_arena *arena, const parity_case *test, int l,
                                size_t observed)
{
    size_t count = test->nobserve[l] > observed ? test->nobserve[l] : observed;
    const char **labels = parity_arena_alloc(arena, (count + 1) * sizeof *labels);
    for (size_t r = 0; r < test->nrows; r++) {
        const parity_template *t = &test->rows[r].text[l];
        size_t index = 0;
        for (size_t i = 0; i < t->npieces; i++)
            if (t->pieces[i].literal == NULL) {
                size_t at = t->pieces[i].observe;
                labels[at] = make_label(arena, "", test->rows[r].id,
                                        test->observe[l][at].name, index++);
            }
    }
    for (size_t s = 0; s < test->nsubjects; s++) {
        const parity_subject *subject = &test->subjects[s];
        if (subject->was[l] != PARITY_NONE)
            labels[subject->was[l]] = make_label(arena, "@", subject->name, "was", 0);
        if (subject->now[l] != PARITY_NONE)
            labels[subject->now[l]] = make_label(arena, "@", subject->name, "now", 0);
    }
    for (size_t i = 0; i < count; i++)
        if (labels[i] == NULL)
            labels[i] = make_label(arena, "", "observed", NULL, i);
    return labels;
}

void parity_record_print(parity_buffer *out, const parity_case *test,
                         const parity_column *column, const parity_run *run)
{
    parity_arena *arena = parity_arena_new();
    parity_language language = column->engine->language;
    parity_recorded block = {
        .case_id = test->id,
        .column = column->id,
        .language = language,
        .text_hash = test->text_hash[language],
        .provenance = column->provenance,
        .nprovenance = column->nprovenance,
        .run = *run,
        .labels = make_labels(arena, test, language, run->nobserved),
    };
    parity_recorded_print(out, &block);
    parity_arena_free(arena);
}

void parity_record_header(parity_buffer *out)
{
    parity_buffer_text(out, "parity record 1\n"
                            "# What the judges said when this was recorded. `parity "
                            "bless` rewrites it; the text "
                            "behind # is for reading only.\n");
}
