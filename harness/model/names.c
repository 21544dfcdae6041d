#include "harness/model/outcome.h"
#include "harness/model/case.h"
#include "harness/model/engine.h"
#include "harness/model/report.h"
#include "harness/model/result.h"

#include <string.h>

static const char *const outcomes[] = {
    [PARITY_VALUE] = "value",
    [PARITY_ERROR] = "error",
    [PARITY_PANIC] = "panic",
    [PARITY_REFUSED] = "refused",
    [PARITY_HANG] = "hang",
    [PARITY_CRASH] = "crash",
    [PARITY_UNSUPPORTED] = "unsupported",
    [PARITY_NOT_REACHED] = "not_reached",
    [PARITY_ABSENT] = "absent",
};

const char *parity_outcome_name(parity_outcome_kind kind)
{
    return outcomes[kind];
}

bool parity_outcome_from_name(parity_outcome_kind *kind, const char *name)
{
    for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++)
        if (strcmp(outcomes[i], name) == 0) {
            *kind = (parity_outcome_kind)i;
            return true;
        }
    return false;
}

const char *parity_language_name(parity_language language)
{
    return language == PARITY_TORCH ? "torch" : "candle";
}

const char *parity_relation_name(parity_relation relation)
{
    static const char *const names[] = {
        [PARITY_FIDELITY] = "fidelity", [PARITY_CONTRAST] = "contrast",
        [PARITY_DEVICE] = "device",     [PARITY_VERSION] = "version",
        [PARITY_RECORD] = "record",     [PARITY_STATED] = "stated",
    };
    return names[relation];
}

const char *parity_state_name(parity_state state)
{
    static const char *const names[] = {
        [PARITY_AGREE] = "agree",
        [PARITY_FINDING] = "finding",
        [PARITY_UNDOCUMENTED] = "undocumented",
        [PARITY_FINDING_GONE] = "finding gone",
        [PARITY_CHANGED] = "changed",
        [PARITY_NOT_JUDGED] = "not judged",
    };
    return names[state];
}

bool parity_state_broken(parity_state state)
{
    return state == PARITY_UNDOCUMENTED || state == PARITY_FINDING_GONE ||
           state == PARITY_CHANGED;
}

const char *parity_fate_name(parity_fate fate)
{
    static const char *const names[] = {
        [PARITY_FATE_NONE] = "",
        [PARITY_FOLLOWS] = "follows",
        [PARITY_KEEPS] = "keeps",
        [PARITY_NEITHER] = "neither",
    };
    return names[fate];
}

bool parity_column_matches(const parity_column *column, const char *word)
{
    const char *name = column->engine->name;
    size_t length = strlen(word), engine = strlen(name);
    if (strcmp(column->id, word) == 0 || strcmp(name, word) == 0)
        return true;
    if (strncmp(column->id, word, length) == 0 && column->id[length] == '/')
        return true;
    return strncmp(word, name, engine) == 0 && word[engine] == '/' &&
           strcmp(word + engine + 1, column->device) == 0;
}
