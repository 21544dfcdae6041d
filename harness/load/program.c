/* Programs, and places in them. */
#include "harness/load/loader.h"

#include <string.h>

typedef struct marking {
    parity_arena *arena;
    parity_mark *marks;
    size_t count;
    size_t capacity;
} marking;

static void mark(marking *m, parity_pos in_program, parity_pos in_file)
{
    if (m->count == m->capacity) {
        m->capacity = m->capacity ? 2 * m->capacity : 32;
        parity_mark *more = parity_arena_alloc(m->arena, m->capacity * sizeof *more);
        if (m->count > 0)
            memcpy(more, m->marks, m->count * sizeof *more);
        m->marks = more;
    }
    m->marks[m->count++] = (parity_mark){in_program, in_file};
}

/* Where the last mark alone would put a place of its line. */
static parity_pos predict(const marking *m, parity_pos in_program)
{
    const parity_mark *last = &m->marks[m->count - 1];
    return (parity_pos){last->in_file.line, last->in_file.column + in_program.column -
                                                last->in_program.column};
}

void parity_program_of(parity_loader *loader, parity_program *out,
                       parity_language language, const parity_node *node)
{
    parity_text text = parity_text_of(loader, node, (int)language);
    marking m = {.arena = loader->suite->arena};
    bool verbatim = node->style == PARITY_LITERAL && text.nsplices == 0;
    parity_pos place = {1, 1};
    for (size_t at = 0; at <= text.length; at++) {
        bool starts = at == 0 || text.text[at - 1] == '\n';
        if (((unsigned char)text.text[at] & 0xC0) == 0x80)
            continue;
        if (starts || !verbatim) {
            parity_pos file =
                parity_source_pos(&loader->source, parity_text_offset(&text, at));
            parity_pos expected = starts ? (parity_pos){0, 0} : predict(&m, place);
            if (file.line != expected.line || file.column != expected.column)
                mark(&m, place, file);
        }
        place.column++;
        if (text.text[at] == '\n')
            place = (parity_pos){place.line + 1, 1};
    }
    out->text = text.text;
    out->marks = m.marks;
    out->nmarks = m.count;
    out->pos = m.marks[0].in_file;
}

static bool before(parity_pos a, parity_pos b)
{
    return a.line < b.line || (a.line == b.line && a.column < b.column);
}

parity_pos parity_program_pos(const parity_program *program, parity_pos in_program)
{
    if (in_program.line < 1)
        return (parity_pos){0, 0};
    if (in_program.column < 1)
        in_program.column = 1;
    if (program->nmarks == 0)
        return (parity_pos){program->pos.line + in_program.line - 1,
                            program->pos.column + in_program.column - 1};
    size_t low = 0;
    size_t high = program->nmarks;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (before(in_program, program->marks[middle].in_program))
            high = middle;
        else
            low = middle;
    }
    const parity_mark *from = &program->marks[low];
    parity_pos out = from->in_file;
    if (in_program.line == from->in_program.line)
        out.column += in_program.column - from->in_program.column;
    return out;
}
