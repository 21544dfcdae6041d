#include "harness/run/faulty/fault.h"

#include "harness/base/base64.h"
#include "harness/run/channel.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void say(int out, const char *text)
{
    if (parity_write_all(out, text, strlen(text)) != 0)
        _exit(1);
}

static void wait_for_the_end(void)
{
    for (;;)
        pause();
}

/* The first value of a kind ("tensor", "id") anywhere in the observations: what stands
 * under that key, or NULL. */
static json_t *find(json_t *json, const char *kind)
{
    json_t *found = json_object_get(json, kind), *inner;
    size_t index;
    const char *key;
    if (found)
        return found;
    json_array_foreach (json, index, inner)
        if ((found = find(inner, kind)))
            return found;
    json_object_foreach (json, key, inner)
        if ((found = find(inner, kind)))
            return found;
    return NULL;
}

static json_t *find_observed(json_t *answer, const char *kind)
{
    return find(json_object_get(answer, "observed"), kind);
}

static bool wrong_bit(json_t *answer)
{
    json_t *tensor = find_observed(answer, "tensor");
    const char *key = json_object_get(tensor, "bits") ? "bits" : "head";
    const char *text = json_string_value(json_object_get(tensor, key));
    void *bytes = NULL;
    size_t count = 0;
    if (!text || parity_base64_decode(&bytes, &count, text, strlen(text), NULL) != 0 ||
        count == 0) {
        free(bytes);
        return false;
    }
    parity_buffer out = {0};
    *(unsigned char *)bytes ^= 1;
    parity_base64_encode(&out, bytes, count);
    json_object_set_new(tensor, key, json_stringn(out.data, out.length));
    parity_buffer_free(&out);
    free(bytes);
    return true;
}

/* One dimension of size 1 more: the elements still fit, the shape is another. */
static bool wrong_shape(json_t *answer)
{
    json_t *tensor = find_observed(answer, "tensor");
    json_array_insert_new(json_object_get(tensor, "shape"), 0, json_integer(1));
    json_array_insert_new(json_object_get(tensor, "strides"), 0, json_integer(1));
    return tensor != NULL;
}

static bool wrong_storage(json_t *answer)
{
    json_t *tensor = find_observed(answer, "tensor");
    return tensor && json_object_get(tensor, "storage") &&
           json_object_set_new(tensor, "storage", json_string("another")) == 0;
}

static bool wrong_id(json_t *answer)
{
    json_t *id = find_observed(answer, "id");
    return json_is_integer(id) && json_integer_set(id, json_integer_value(id) + 1) == 0;
}

static bool short_bits(json_t *answer)
{
    json_t *tensor = find_observed(answer, "tensor");
    return tensor && json_object_set_new(tensor, "bits", json_string("AA==")) == 0;
}

static bool extra_row(json_t *answer)
{
    return json_array_append_new(json_object_get(answer, "observed"),
                                 json_pack("{s:{s:n}}", "value", "unit")) == 0;
}

static bool missing_row(json_t *answer)
{
    json_t *observed = json_object_get(answer, "observed");
    size_t count = json_array_size(observed);
    return count > 0 && json_array_remove(observed, count - 1) == 0;
}

static bool renumbered(json_t *answer)
{
    json_t *id = json_object_get(answer, "id");
    return json_integer_set(id, json_integer_value(id) + 1) == 0;
}

static void garbage_line(int out, const char *line, const char *before)
{
    (void)before;
    say(out, "tensor([1., 2.])\n");
    say(out, line);
}

static void unasked_line(int out, const char *line, const char *before)
{
    parity_buffer both = {
        0}; /* in one piece, so that the second is there when the first is read */
    (void)before;
    parity_buffer_printf(&both, "%s%s", line, line);
    say(out, both.data);
    parity_buffer_free(&both);
}

static void half_line(int out, const char *line, const char *before)
{
    (void)before;
    parity_write_all(out, line, strlen(line) / 2);
    _exit(0);
}

static void half_line_stall(int out, const char *line, const char *before)
{
    (void)before;
    parity_write_all(out, line, strlen(line) / 2);
    wait_for_the_end();
}

static void stale_answer(int out, const char *line, const char *before)
{
    json_t *json = before ? NULL : json_loads(line, 0, NULL);
    json_t *id = json_object_get(json, "id");
    if (json)
        json_integer_set(id, json_integer_value(id) - 1);
    char *made = json_dumps(json, JSON_COMPACT);
    say(out, before ? before : made);
    if (!before)
        say(out, "\n");
    free(made);
    json_decref(json);
}

static void endless_output(int out)
{
    char chunk[65536];
    memset(chunk, 'x', sizeof chunk);
    while (parity_write_all(out, chunk, sizeof chunk) == 0)
        continue;
    _exit(1);
}

/* As a program does that is traced in a loop: it is busy, and its time ends in a line. */
static void slow_line(int out)
{
    const struct timespec pause = {0, 10 * 1000 * 1000};
    for (;;) {
        say(out, "x");
        nanosleep(&pause, NULL);
    }
}

static void stall(int out)
{
    (void)out;
    wait_for_the_end();
}

static void closed_pipe(int out)
{
    close(out);
    wait_for_the_end();
}

static void exits(int out)
{
    (void)out;
    _exit(3);
}

static void exits_well(int out)
{
    (void)out;
    _exit(0);
}

static void segfault(int out)
{
    (void)out;
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
}

static void no_ready(int out)
{
    say(out, "{\"hello\":\"world\"}\n");
    wait_for_the_end();
}

const parity_fault parity_faults[] = {
    {"wrong_bit", "flips the lowest bit of the first tensor", .change = wrong_bit},
    {"wrong_shape", "gives the first tensor one dimension more", .change = wrong_shape},
    {"wrong_storage", "gives the first tensor a memory of its own",
     .change = wrong_storage},
    {"wrong_id", "adds one to the first tensor identifier", .change = wrong_id},
    {"short_bits", "sends one byte for the first tensor", .change = short_bits},
    {"extra_row", "adds an observation", .change = extra_row},
    {"missing_row", "drops the last observation", .change = missing_row},
    {"wrong_request", "answers a request that was not made", .change = renumbered},
    {"garbage_line", "prints a line that is no JSON", .answer = garbage_line},
    {"unasked_line", "answers twice", .answer = unasked_line},
    {"half_line", "ends in the middle of the answer", .answer = half_line},
    {"half_line_stall", "stops in the middle of the answer", .answer = half_line_stall},
    {"stale_answer", "repeats the answer before", .answer = stale_answer},
    {"endless_output", "writes a line without end", .request = endless_output},
    {"slow_line", "writes a line without end, slowly", .request = slow_line},
    {"stall", "does nothing any more", .request = stall},
    {"closed_pipe", "closes its output and stays", .request = closed_pipe},
    {"exit", "exits with code 3", .request = exits},
    {"exit_0", "exits with code 0 in the middle of a case", .request = exits_well},
    {"sigsegv", "dies of SIGSEGV", .request = segfault},
    {"dead_start", "exits before it is ready", .start = exits},
    {"silent_start", "never says that it is ready", .start = stall},
    {"wrong_ready", "begins with a line that is not the ready message",
     .start = no_ready},
    {0},
};
