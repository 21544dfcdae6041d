/* The engine row without the harness, for compile_test.py: reads
 *
 *   {"crates": DIR, "cache": DIR, "trace": false, "cases": [{"id":, "program":,
 * "observe": [], "data": []}]}
 *
 * on standard input, compiles, and writes the plan: per case {"worker": PATH} or
 * {"outcome": {…}}. */
#include "harness/base/memory.h"
#include "harness/model/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const parity_engine parity_engine_candle;

static const char *text_of(const json_t *json, const char *key)
{
    return json_string_value(json_object_get(json, key));
}

static void read_case(parity_case *test, const json_t *json)
{
    const json_t *observe = json_object_get(json, "observe");
    const json_t *data = json_object_get(json, "data");
    test->id = text_of(json, "id");
    test->program[PARITY_CANDLE].text = text_of(json, "program");
    test->nobserve[PARITY_CANDLE] = json_array_size(observe);
    test->observe[PARITY_CANDLE] =
        parity_alloc((json_array_size(observe) + 1) * sizeof(parity_expr));
    for (size_t i = 0; i < json_array_size(observe); i++)
        test->observe[PARITY_CANDLE][i].text =
            json_string_value(json_array_get(observe, i));
    test->ndata = json_array_size(data);
    test->data = parity_alloc((test->ndata + 1) * sizeof *test->data);
    for (size_t i = 0; i < test->ndata; i++)
        test->data[i].name = json_string_value(json_array_get(data, i));
}

static void write_plan(const parity_plan *plan, size_t count)
{
    json_t *out = json_array();
    for (size_t i = 0; i < count; i++) {
        const parity_prepared *prepared = &plan->cases[i];
        json_t *one = json_object();
        if (prepared->worker != PARITY_NONE)
            json_object_set_new(one, "worker",
                                json_string(plan->workers[prepared->worker].argv[0]));
        else
            json_object_set_new(one, "outcome",
                                parity_outcome_to_json(&prepared->outcome));
        json_array_append_new(out, one);
    }
    json_dumpf(out, stdout, JSON_INDENT(1));
    json_decref(out);
}

static int plan_cases(const json_t *request)
{
    const json_t *list = json_object_get(request, "cases");
    size_t count = json_array_size(list);
    parity_case *tests = parity_alloc((count + 1) * sizeof *tests);
    const parity_case **cases = parity_alloc((count + 1) * sizeof *cases);
    parity_paths paths = {.crates = text_of(request, "crates"),
                          .cache = text_of(request, "cache")};
    parity_plan plan = {.arena = parity_arena_new()};
    parity_error error;
    for (size_t i = 0; i < count; i++) {
        read_case(&tests[i], json_array_get(list, i));
        cases[i] = &tests[i];
    }
    bool trace = json_is_true(json_object_get(request, "trace"));
    int status =
        trace ? parity_engine_candle.prepare_trace(&plan, NULL, &paths, cases[0], &error)
              : parity_engine_candle.prepare(&plan, NULL, &paths, cases, count, &error);
    if (status == 0)
        write_plan(&plan, count);
    else
        fprintf(stderr, "%s\n", error.message);
    parity_arena_free(plan.arena);
    return status != 0;
}

int main(void)
{
    json_error_t error;
    json_t *request = json_loadf(stdin, 0, &error);
    if (!request) {
        fprintf(stderr, "%s\n", error.text);
        return 2;
    }
    return plan_cases(request);
}
