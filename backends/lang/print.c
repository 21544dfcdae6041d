/* Printing values as {} and {:?} do, and the macros that print. */
#include "backends/lang/interp.h"
#include "harness/compare/style.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void add(core_text *out, const char *text)
{
    core_text_add(out, text, strlen(text));
}

static lang_flow print_number(lang_interp *it, parity_pos pos, core_text *out,
                              lang_number number, bool debug, int precision)
{
    lang_value shown;
    lang_flow flow = lang_refuse_if(it, pos, lang_number_show(&number));
    if (flow)
        return flow;
    shown = lang_num(number);
    if (!number.is_float) {
        bool minus = number.i < 0;
        uint64_t digits = minus ? (uint64_t)-number.i : (uint64_t)number.i;
        core_text_printf(out, "%s%llu", minus ? "-" : "", (unsigned long long)digits);
    } else if (precision < 0 || isnan(number.d) || isinf(number.d)) {
        core_float_text(out, shown.number.d,
                        number.type == LANG_F32 ? CORE_F32 : CORE_F64, !debug);
    } else {
        core_text_printf(out, "%.*f", precision, number.d);
    }
    return LANG_GO;
}

static lang_flow print_quoted(lang_interp *it, parity_pos pos, core_text *out,
                              const lang_value *value)
{
    parity_buffer quoted = {0};
    if (memchr(value->text.data, 0, value->text.length))
        return lang_refuse(
            it, pos, "{:?} of a text with a NUL is outside what the core interprets");
    parity_style_rust.quoted(&quoted, value->text.data);
    core_text_add(out, quoted.data, quoted.length);
    parity_buffer_free(&quoted);
    return LANG_GO;
}

static lang_flow print_items(lang_interp *it, parity_pos pos, core_text *out,
                             const lang_value *value, const char *open, const char *close,
                             int precision)
{
    add(out, open);
    for (size_t i = 0; i < lang_count(value); i++) {
        const lang_cell *cell = lang_item(value, i);
        if (i)
            add(out, ", ");
        if (cell->state != LANG_LIVE)
            return lang_refuse(it, pos, "a part of this value was moved out");
        lang_flow flow = lang_print(it, pos, out, &cell->value, true, precision);
        if (flow)
            return flow;
    }
    add(out, value->kind == LANG_TUPLE && lang_count(value) == 1 ? "," : "");
    add(out, close);
    return LANG_GO;
}

static lang_flow print_core(lang_interp *it, parity_pos pos, core_text *out,
                            const core_value *value, bool debug)
{
    core_error error;
    core_context_at(it->context, pos.line, pos.column);
    core_status status = debug ? core_value_debug(it->context, out, value, &error)
                               : core_value_display(it->context, out, value, &error);
    return status == CORE_OK ? LANG_GO : lang_core_stop(it, pos, &error);
}

static lang_flow print_debug(lang_interp *it, parity_pos pos, core_text *out,
                             const lang_value *v, int precision)
{
    switch (v->kind) {
    case LANG_UNIT:
        add(out, "()");
        return LANG_GO;
    case LANG_NONE:
        add(out, "None");
        return LANG_GO;
    case LANG_LIST:
        return print_items(it, pos, out, v, "[", "]", precision);
    case LANG_TUPLE:
        return print_items(it, pos, out, v, "(", ")", precision);
    case LANG_OK:
        return print_items(it, pos, out, v, "Ok(", ")", precision);
    case LANG_ERR:
        return print_items(it, pos, out, v, "Err(", ")", precision);
    case LANG_SOME:
        return print_items(it, pos, out, v, "Some(", ")", precision);
    default:
        return lang_refuse(it, pos, "printing %s is outside what the core interprets",
                           lang_type_name(v));
    }
}

lang_flow lang_print(lang_interp *it, parity_pos pos, core_text *out,
                     const lang_value *value, bool debug, int precision)
{
    const lang_value *v = lang_behind(value);
    if (!v)
        return lang_refuse(it, pos, "a reference to what was moved or dropped");
    if (precision >= 0 &&
        (v->kind == LANG_TEXT || v->kind == LANG_CORE || v->kind == LANG_ERROR ||
         v->kind == LANG_BOOL || v->kind == LANG_UNIT)) /* Rust cuts these short */
        return lang_refuse(it, pos,
                           "a precision for %s is outside what the core interprets",
                           lang_type_name(v));
    switch (v->kind) {
    case LANG_BOOL:
        add(out, v->boolean ? "true" : "false");
        return LANG_GO;
    case LANG_NUMBER:
        return print_number(it, pos, out, v->number, debug, precision);
    case LANG_MIB: {
        lang_number mib = lang_number_float(LANG_F64, v->mib);
        add(out, debug ? "Mib(" : "");
        lang_flow flow = print_number(it, pos, out, mib, debug, precision);
        add(out, debug ? ")" : "");
        return flow;
    }
    case LANG_TEXT:
        if (debug)
            return print_quoted(it, pos, out, v);
        core_text_add(out, v->text.data, v->text.length);
        return LANG_GO;
    case LANG_ERROR:
        core_text_add(out, v->text.data, v->text.length);
        return LANG_GO;
    case LANG_CORE:
        return print_core(it, pos, out, &v->core, debug);
    default:
        if (debug)
            return print_debug(it, pos, out, v, precision);
        return lang_refuse(it, pos, "%s has no Display; only the compiler judges this",
                           lang_type_name(v));
    }
}

/* --- macros --- */

static lang_flow format_pieces(lang_interp *it, const lang_expr *e, core_text *out)
{
    for (size_t i = 0; i < e->npieces; i++) {
        const lang_piece *piece = &e->pieces[i];
        lang_place place;
        if (!piece->value) {
            core_text_add(out, piece->text, piece->length);
            continue;
        }
        lang_flow flow = lang_eval_place(it, piece->value, false, &place);
        if (flow)
            return flow;
        if (place.cell->state != LANG_LIVE)
            flow =
                lang_refuse(it, piece->value->pos, "a value that was moved or dropped");
        else
            flow = lang_print(it, piece->value->pos, out, &place.cell->value,
                              piece->debug, piece->precision);
        lang_cell_unref(place.cell);
        if (flow)
            return flow;
    }
    return LANG_GO;
}

/* What a failed assertion says before its message. */
static lang_flow assertion_holds(lang_interp *it, const lang_expr *e, bool *holds)
{
    lang_place places[2];
    size_t count = 0;
    int order = 0;
    lang_flow flow = LANG_GO;
    for (; !flow && count < e->nitems; count++)
        flow = lang_eval_place(it, e->items[count], false, &places[count]);
    count -= flow ? 1 : 0;
    if (!flow && e->nitems == 2) {
        flow = lang_compare(it, e->pos, &places[0].cell->value, &places[1].cell->value,
                            &order);
        *holds = (order == 0) == (strcmp(e->name, "assert_eq") == 0);
    } else if (!flow) {
        const lang_value *value = &places[0].cell->value;
        *holds = value->kind == LANG_BOOL && value->boolean;
        if (value->kind != LANG_BOOL)
            flow = lang_refuse(it, e->pos, "a bool is expected here");
    }
    while (count)
        lang_cell_unref(places[--count].cell);
    return flow;
}

static lang_flow show_operands(lang_interp *it, const lang_expr *e, core_text *out)
{
    static const char *const labels[] = {"\n  left: ", "\n right: "};
    for (size_t i = 0; i < 2; i++) {
        lang_place place;
        lang_flow flow = lang_eval_place(it, e->items[i], false, &place);
        if (flow)
            return flow;
        add(out, labels[i]);
        flow = lang_print(it, e->pos, out, &place.cell->value, true, -1);
        lang_cell_unref(place.cell);
        if (flow)
            return flow;
    }
    return LANG_GO;
}

static bool is_simple(const lang_expr *e)
{
    return e->kind == LANG_EXPR_PATH || e->kind == LANG_EXPR_NUMBER ||
           e->kind == LANG_EXPR_FIELD || e->kind == LANG_EXPR_TEXT ||
           e->kind == LANG_EXPR_BOOL || (e->kind == LANG_EXPR_REF && is_simple(e->a));
}

static lang_flow eval_assert(lang_interp *it, const lang_expr *e, core_text *text)
{
    bool holds = false;
    lang_flow flow = assertion_holds(it, e, &holds);
    if (flow || holds)
        return flow;
    bool single = e->nitems == 1;
    if (!single)
        core_text_printf(text, "assertion `left %s right` failed",
                         strcmp(e->name, "assert_eq") == 0 ? "==" : "!=");
    if (e->boolean) {
        add(text, single ? "" : ": ");
        flow = format_pieces(it, e, text);
    } else if (single) {
        core_text_printf(text, "assertion failed: %.*s", (int)e->length, e->text);
    }
    /* the operands are shown by evaluating them once more, where that changes nothing */
    if (!flow && !single && !(is_simple(e->items[0]) && is_simple(e->items[1])))
        flow = lang_refuse(it, e->pos,
                           "an assertion failed whose operands the core cannot show");
    if (!flow && !single)
        flow = show_operands(it, e, text);
    return flow ? flow : lang_panic(it, e->pos, "%s", text->data ? text->data : "");
}

static lang_flow panic_macro(lang_interp *it, const lang_expr *e, const core_text *text)
{
    static const struct {
        const char *name;
        const char *alone;
    } rows[] = {
        {"todo", "not yet implemented"},
        {"unimplemented", "not implemented"},
        {"unreachable", "internal error: entered unreachable code"},
    };
    const char *message = text->data ? text->data : "";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, e->name) == 0)
            return lang_panic(it, e->pos, "%s%s%s", rows[i].alone, e->boolean ? ": " : "",
                              message);
    return lang_panic(it, e->pos, "%s", e->boolean ? message : "explicit panic");
}

static lang_flow finish_macro(lang_interp *it, const lang_expr *e, core_text *text,
                              lang_value *out)
{
    size_t length = strlen(e->name);
    if (strcmp(e->name, "format") == 0) {
        *out = lang_text(text->data, text->length, false);
        return LANG_GO;
    }
    if (strcmp(e->name, "bail") == 0) {
        lang_clear(&it->returned);
        it->returned = lang_wrap(LANG_ERR, lang_error_text(text->data ? text->data : ""));
        it->tried = e->pos;
        return LANG_RETURN;
    }
    bool prints = strstr(e->name, "print") != NULL;
    if (!prints)
        return panic_macro(it, e, text);
    if (strcmp(e->name + length - 2, "ln") == 0)
        add(text, "\n");
    if (it->request->print && text->length)
        it->request->print(it->request->context, text->data, text->length);
    return LANG_GO;
}

lang_flow lang_eval_format(lang_interp *it, const lang_expr *e, lang_value *out)
{
    core_text text = {0};
    lang_flow flow;
    if (strncmp(e->name, "assert", 6) == 0) {
        flow = eval_assert(it, e, &text);
    } else {
        flow = format_pieces(it, e, &text);
        if (!flow)
            flow = finish_macro(it, e, &text, out);
    }
    core_text_free(&text);
    return flow;
}
