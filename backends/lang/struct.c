/* Struct literals: of the program's own structs, and of candle's. */
#include "backends/lang/interp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Name { field: value, ..base } of candle's own structs. */
static lang_flow make_core_struct(lang_interp *it, const lang_expr *e, lang_value *out)
{
    char path[96];
    core_error error;
    snprintf(path, sizeof path, "%.60s::default", e->name);
    const core_method *method = core_path_find(path);
    bool defaulted = e->a && e->a->kind == LANG_EXPR_CALL &&
                     e->a->a->kind == LANG_EXPR_PATH &&
                     (strcmp(e->a->a->name, "Default::default") == 0 ||
                      strcmp(e->a->a->name, path) == 0);
    if (!method)
        return lang_refuse(it, e->pos, "the struct `%.60s` is not known to the core",
                           e->name);
    if (e->a && !defaulted)
        return lang_refuse(it, e->a->pos,
                           "only ..Default::default() can complete this struct");
    if (!e->a && e->nitems < 5)
        return lang_refuse(it, e->pos, "`%.60s` without all of its fields", e->name);
    lang_flow flow = lang_call_core(it, method, e->pos, NULL, NULL, 0, NULL, 0, out);
    for (size_t i = 0; !flow && i < e->nitems; i++) {
        lang_value value;
        core_value field = {0};
        lang_lent lent = {0};
        flow = lang_eval(it, e->items[i], &value);
        if (!flow && value.kind == LANG_NUMBER)
            flow = lang_refuse_if(it, e->items[i]->pos,
                                  lang_number_bind(&value.number, LANG_F64));
        if (!flow)
            flow = lang_refuse_if(it, e->items[i]->pos, lang_lend(&lent, &field, &value));
        if (!flow &&
            core_value_set_field(&out->core, e->names[i], &field, &error) != CORE_OK)
            flow = lang_core_stop(it, e->items[i]->pos, &error);
        lang_lent_free(&lent);
        lang_clear(&value);
    }
    if (flow)
        lang_clear(out);
    return flow;
}

static size_t field_index(const lang_struct_type *type, const char *name)
{
    size_t i = 0;
    while (i < type->nfields && type->fields[i] != name)
        i++;
    return i;
}

/* Evaluates the fields in the order of the text, into their places of `values`. */
static lang_flow eval_fields(lang_interp *it, const lang_expr *e,
                             const lang_struct_type *type, lang_value *values,
                             bool *given)
{
    for (size_t i = 0; i < e->nitems; i++) {
        size_t at = field_index(type, e->names[i]);
        if (at == type->nfields || given[at])
            return lang_refuse(it, e->items[i]->pos,
                               "`%s` has no such field, or has it twice: %s", type->name,
                               e->names[i]);
        lang_flow flow = lang_eval_hinted(it, e->items[i], type->types[at], &values[at]);
        if (flow)
            return flow;
        given[at] = true;
        flow = lang_refuse_if(it, e->items[i]->pos,
                              lang_coerce(it, &values[at], type->types[at]));
        if (flow)
            return flow;
    }
    return LANG_GO;
}

static lang_flow take_from_base(lang_interp *it, const lang_expr *e,
                                const lang_struct_type *type, lang_value *values,
                                const bool *given)
{
    lang_place base;
    lang_flow flow = lang_eval_place(it, e->a, false, &base);
    if (flow)
        return flow;
    const lang_value *value = &base.cell->value;
    if (value->kind != LANG_STRUCT || value->items->type != type)
        flow = lang_refuse(it, e->a->pos, "a `%s` is expected here", type->name);
    for (size_t i = 0; !flow && i < type->nfields; i++) {
        lang_place field = {given[i] ? NULL : lang_item(value, i), base.borrowed, false};
        if (!given[i])
            flow = lang_use(it, &field, e->a->pos, &values[i]);
    }
    lang_cell_unref(base.cell);
    return flow;
}

lang_flow lang_eval_struct(lang_interp *it, const lang_expr *e, lang_value *out)
{
    const char *name =
        strcmp(e->name, "Self") == 0 && it->self_type ? it->self_type : e->name;
    const lang_struct_type *type = lang_find_struct(it, name);
    if (!type)
        return make_core_struct(it, e, out);
    lang_value *values = parity_alloc((type->nfields + 1) * sizeof *values);
    bool *given = parity_alloc(type->nfields + 1);
    lang_flow flow = eval_fields(it, e, type, values, given);
    if (!flow && e->a)
        flow = take_from_base(it, e, type, values, given);
    for (size_t i = 0; !flow && !e->a && i < type->nfields; i++)
        if (!given[i])
            flow = lang_refuse(it, e->pos, "field `%s` is missing", type->fields[i]);
    lang_value value = lang_container(LANG_STRUCT, false);
    value.items->type = type;
    for (size_t i = 0; i < type->nfields; i++)
        if (lang_push(&value, values[i]))
            lang_item(&value, i)->type = type->types[i];
        else if (!flow)
            flow = lang_refuse(it, e->pos, "a struct nested too deep for the core");
    free(values);
    free(given);
    if (flow)
        lang_clear(&value);
    else
        *out = value;
    return flow;
}
