/* Statements, blocks, loops and jumps. */
#include "backends/lang/interp.h"

#include <string.h>

lang_flow lang_eval_alone(lang_interp *it, const lang_expr *e, lang_value *out)
{
    size_t mark = it->ntemps;
    lang_flow flow = lang_eval(it, e, out);
    lang_drop_temps(it, mark);
    return flow;
}

static lang_flow run_statement(lang_interp *it, const lang_stmt *stmt)
{
    lang_flow flow = lang_step(it, stmt->pos);
    if (flow)
        return flow;
    size_t mark = it->ntemps;
    if (stmt->kind == LANG_STMT_LET) {
        flow = lang_run_let(it, stmt);
    } else {
        lang_value value;
        flow = lang_eval(it, stmt->expr, &value);
        if (!flow && !stmt->semi && value.kind != LANG_UNIT)
            flow = lang_refuse(it, stmt->pos,
                               "a value that nothing takes; only the compiler "
                               "judges this");
        lang_clear(&value);
    }
    lang_drop_temps(it, mark);
    return flow;
}

lang_flow lang_run_statements(lang_interp *it, const lang_block *block)
{
    for (size_t i = 0; i < block->nstmts; i++) {
        lang_flow flow = run_statement(it, &block->stmts[i]);
        if (flow)
            lang_pass_over_rest(it, block->region, block->stmts[i].names);
        if (flow)
            return flow;
    }
    return LANG_GO;
}

/* The temporaries of the tail live on in the statement around the block, as in edition
 * 2021. */
lang_flow lang_eval_block(lang_interp *it, const lang_block *block, lang_value *out)
{
    const lang_type *hint = it->hint;
    const lang_block *outer = it->block;
    size_t mark = it->nbindings;
    *out = lang_unit();
    it->block = block;
    it->hint = NULL;
    lang_flow flow = lang_run_statements(it, block);
    if (!flow && block->tail) {
        flow = lang_step(it, block->tail->pos);
        if (!flow)
            flow = lang_eval_hinted(it, block->tail, hint, out);
        if (flow)
            lang_pass_over_rest(it, block->region, block->tail_names);
    }
    it->block = outer;
    if (!flow)
        block->region->ran = true;
    lang_unbind(it, mark);
    return flow;
}

static lang_flow eval_condition(lang_interp *it, const lang_expr *e, bool *holds)
{
    lang_value value;
    lang_flow flow = lang_eval_alone(it, e, &value);
    if (flow)
        return flow;
    *holds = value.kind == LANG_BOOL && value.boolean;
    if (value.kind != LANG_BOOL)
        flow = lang_refuse(it, e->pos, "a bool is expected here");
    lang_clear(&value);
    return flow;
}

static bool is_open(const lang_expr *e);

static bool block_is_open(const lang_block *block)
{
    return !block->nstmts && block->tail && is_open(block->tail);
}

/* Literals without suffix and what is computed of them: of such a branch of `if` the type
 * is known not to be written there. */
static bool is_open(const lang_expr *e)
{
    switch (e->kind) {
    case LANG_EXPR_NUMBER:
        return lang_number_type(&e->number) == LANG_OPEN || e->number.infer;
    case LANG_EXPR_UNARY:
        return e->name[0] == '-' && is_open(e->a);
    case LANG_EXPR_BINARY:
        return strchr("+-*/%", e->name[0]) && is_open(e->a) && is_open(e->b);
    case LANG_EXPR_BLOCK:
        return block_is_open(e->block);
    case LANG_EXPR_IF:
        return e->b && block_is_open(e->block) && is_open(e->b);
    default:
        return false;
    }
}

static lang_flow eval_if(lang_interp *it, const lang_expr *e, lang_value *out)
{
    const lang_type *hint = it->hint;
    bool holds;
    it->hint = NULL;
    lang_flow flow = eval_condition(it, e->a, &holds);
    it->hint = hint;
    if (flow)
        return flow;
    if (!holds)
        lang_pass_over(it, e->block->region);
    else if (e->b)
        lang_pass_over(it,
                       e->b->kind == LANG_EXPR_IF ? e->b->region : e->b->block->region);
    if (!holds && !e->b)
        return flow;
    e->region->ran = true;
    size_t mark = it->ntemps; /* those of a branch end with it */
    flow = holds ? lang_eval_block(it, e->block, out) : lang_eval(it, e->b, out);
    lang_drop_temps(it, mark);
    if (!flow && e->b && !(holds ? is_open(e->b) : block_is_open(e->block)))
        lang_doubt_value(it, out);
    return flow;
}

/* The body of a loop once; *ended on break. */
static lang_flow run_body(lang_interp *it, const lang_expr *e, bool *ended,
                          lang_value *out)
{
    lang_value value;
    size_t temps = it->ntemps;
    it->hint = NULL;
    lang_flow flow = lang_eval_block(it, e->block, &value);
    lang_drop_temps(it, temps);
    if (flow == LANG_BREAK) {
        *out = it->returned;
        it->returned = lang_unit();
        lang_doubt_value(it, out); /* another break may say its type */
        *ended = true;
        return LANG_GO;
    }
    bool unit = value.kind == LANG_UNIT;
    lang_clear(&value);
    if (flow == LANG_CONTINUE)
        return LANG_GO;
    return flow || unit
               ? flow
               : lang_refuse(it, e->pos, "the body of a loop must have no value");
}

static lang_flow eval_while(lang_interp *it, const lang_expr *e, lang_value *out)
{
    bool ended = false;
    while (!ended) {
        bool holds = true;
        lang_flow flow = lang_step(it, e->pos);
        if (!flow && e->a)
            flow = eval_condition(it, e->a, &holds);
        if (!flow && holds)
            flow = run_body(it, e, &ended, out);
        if (!holds)
            lang_pass_over(it, e->block->region);
        if (flow || !holds)
            return flow;
    }
    return LANG_GO;
}

static lang_flow turn(lang_interp *it, const lang_expr *e, lang_iter *iter, bool *ended,
                      lang_value *out)
{
    lang_value item;
    size_t mark = it->nbindings;
    lang_flow flow = lang_step(it, e->pos);
    if (!flow)
        flow = lang_iter_next(it, e->pos, iter, &item, ended);
    if (flow || *ended)
        return flow;
    flow = lang_bind_pattern(it, e->pattern, NULL, item);
    if (!flow)
        flow = run_body(it, e, ended, out);
    lang_unbind(it, mark);
    return flow;
}

static lang_flow eval_for(lang_interp *it, const lang_expr *e, lang_value *out)
{
    lang_value source, value;
    bool ended = false;
    it->hint = NULL;
    size_t temps = it->ntemps;
    lang_flow flow = lang_eval(it, e->a, &source);
    if (!flow)
        flow = lang_into_iter(it, e->a->pos, source, &value);
    if (flow) {
        lang_drop_temps(it, temps);
        return flow;
    }
    while (!flow && !ended)
        flow = turn(it, e, value.iter, &ended, out);
    lang_pass_over(it, e->block->region);
    lang_clear(&value);
    lang_drop_temps(it, temps);
    return flow;
}

static lang_flow eval_jump(lang_interp *it, const lang_expr *e)
{
    lang_value value = lang_unit();
    const lang_type *hint = e->kind == LANG_EXPR_RETURN ? it->result : NULL;
    lang_flow flow = e->a ? lang_eval_hinted(it, e->a, hint, &value) : LANG_GO;
    if (flow)
        return flow;
    lang_clear(&it->returned);
    it->returned = value;
    return e->kind == LANG_EXPR_RETURN  ? LANG_RETURN
           : e->kind == LANG_EXPR_BREAK ? LANG_BREAK
                                        : LANG_CONTINUE;
}

lang_flow lang_eval_control(lang_interp *it, const lang_expr *e, lang_value *out)
{
    switch (e->kind) {
    case LANG_EXPR_BLOCK:
        return lang_eval_block(it, e->block, out);
    case LANG_EXPR_IF:
        return eval_if(it, e, out);
    case LANG_EXPR_WHILE:
        return eval_while(it, e, out);
    case LANG_EXPR_FOR:
        return eval_for(it, e, out);
    default:
        return eval_jump(it, e);
    }
}
