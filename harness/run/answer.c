#include "harness/run/channel.h"
#include "harness/run/worker.h"

#include <stdlib.h>
#include <string.h>

static char *one_line(json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    if (text == NULL)
        return NULL;
    size_t length = strlen(text);
    text = parity_realloc(text, length + 2);
    memcpy(text + length, "\n", 2);
    return text;
}

char *parity_ready_format(const parity_worker_info *info)
{
    json_t *provenance = info->provenance ? json_incref(info->provenance) : json_object();
    return one_line(json_pack("{s:{s:i, s:s, s:s?, s:b, s:b, s:o}}", "ready", "protocol",
                              1, "engine", info->engine, "version", info->version,
                              "cancel", info->cancel, "fresh", info->fresh, "provenance",
                              provenance));
}

void parity_answer_init(parity_answer *answer, const parity_request *request)
{
    memset(answer, 0, sizeof *answer);
    answer->observed = parity_alloc((request->nobserve + 1) * sizeof *answer->observed);
    for (size_t i = 0; i < request->nobserve; i++)
        answer->observed[i].kind = PARITY_NOT_REACHED;
}

void parity_answer_clear(parity_answer *answer, const parity_request *request)
{
    parity_outcome_clear(&answer->end);
    for (size_t i = 0; i < request->nobserve; i++)
        parity_outcome_clear(&answer->observed[i]);
    free(answer->observed);
    free(answer->calls);
    free(answer->notes);
    memset(answer, 0, sizeof *answer);
}

static char *format(const parity_request *request, const parity_answer *answer)
{
    json_t *observed = json_array();
    for (size_t i = 0; i < request->nobserve; i++)
        json_array_append_new(observed, parity_outcome_to_json(&answer->observed[i]));
    return one_line(json_pack("{s:I, s:o, s:o, s:s*, s:s*}", "id",
                              (json_int_t)request->id, "ends",
                              parity_outcome_to_json(&answer->end), "observed", observed,
                              "calls", answer->calls, "notes", answer->notes));
}

char *parity_answer_format(const parity_request *request, const parity_answer *answer)
{
    if (answer->cancelled)
        return one_line(
            json_pack("{s:I, s:b}", "id", (json_int_t)request->id, "cancelled", 1));
    char *line = format(request, answer);
    if (line == NULL || strlen(line) <= PARITY_LINE_LIMIT)
        return line;
    free(line);
    parity_answer brief;
    parity_answer_init(&brief, request);
    parity_outcome_set(&brief.end, PARITY_UNSUPPORTED, NULL,
                       "the answer is longer than 64 MiB", (parity_pos){0, 0});
    line = format(request, &brief);
    parity_answer_clear(&brief, request);
    return line;
}
