/* Records: what is printed reads back, bit for bit. */
#include "harness/base/memory.h"
#include "harness/load/load.h"
#include "harness/load/record.h"
#include "tools/test_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* splitmix64: the same values in every run. */
static uint64_t state;

static uint64_t next(void)
{
    uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static size_t below(size_t limit)
{
    return (size_t)(next() % limit);
}

static char *random_text(void)
{
    static const char *const parts[] = {
        "a",    "B9",   " ",    "\n", "\t",   "\"",   "\\", "#",  "  # ", "权",  "é",
        "\x01", "\x1b", "\xff", "- ", "at 3", "\xc2", ")",  ", ", "=",    "\r\n"};
    parity_buffer out = {0};
    for (size_t n = below(6); n > 0; n--)
        parity_buffer_text(&out, parts[below(sizeof parts / sizeof *parts)]);
    return parity_buffer_take(&out);
}

static void random_bits(parity_tensor *t, size_t count)
{
    t->nbytes = count * parity_dtype_size(t->dtype);
    t->bits = parity_alloc(t->nbytes + 1);
    for (size_t i = 0; i < t->nbytes; i++)
        ((unsigned char *)t->bits)[i] = (unsigned char)next();
}

static parity_tensor *random_tensor(void)
{
    parity_tensor *t = parity_alloc(sizeof *t);
    t->dtype = (parity_dtype)below(PARITY_DTYPE_COUNT);
    t->rank = below(4);
    t->hashed = below(5) == 0;
    size_t count = 1;
    for (size_t i = 0; i < t->rank; i++) {
        t->shape[i] = (int64_t)below(t->hashed ? 900 : 4);
        count *= (size_t)t->shape[i];
    }
    if (t->hashed)
        t->hash = next();
    random_bits(t, t->hashed ? 2 * PARITY_EDGE_ELEMENTS : count);
    t->host = below(3) == 0;
    t->printed = t->host && below(3) == 0;
    if (t->host)
        return t;
    for (size_t i = 0; i < t->rank; i++)
        t->strides[i] = (int64_t)next();
    t->offset = (int64_t)below(10);
    t->storage = (uint32_t)next();
    t->handle = (uint32_t)below(3);
    t->nfacts = below(4);
    t->facts = parity_alloc((t->nfacts + 1) * sizeof *t->facts);
    for (size_t i = 0; i < t->nfacts; i++) {
        t->facts[i].name = below(3) == 0 ? parity_strdup("bits") : random_text();
        t->facts[i].text = below(2) == 0 ? parity_strdup("true") : random_text();
    }
    return t;
}

static double random_float(parity_dtype dtype)
{
    uint64_t bits = next();
    double number;
    float single;
    memcpy(&number, &bits, sizeof number);
    memcpy(&single, &bits, sizeof single);
    return dtype == PARITY_F32 ? (double)single : number;
}

static parity_value *random_value(int depth)
{
    parity_value *v = parity_value_new((parity_value_kind)below(PARITY_VALUE_OTHER + 1));
    size_t items = 0;
    switch (v->kind) {
    case PARITY_VALUE_UNIT:
    case PARITY_VALUE_NONE:
        break;
    case PARITY_VALUE_BOOL:
        v->boolean = below(2);
        break;
    case PARITY_VALUE_INT:
    case PARITY_VALUE_ID:
        v->text =
            parity_strdup(below(2) ? "-170141183460469231731687303715884105728" : "0");
        break;
    case PARITY_VALUE_FLOAT:
        v->dtype = below(2) ? PARITY_F32 : PARITY_F64;
        v->number = random_float(v->dtype);
        break;
    case PARITY_VALUE_MIB:
        v->number = (double)below(1u << 30) / 1048576;
        break;
    case PARITY_VALUE_TENSOR:
        v->tensor = random_tensor();
        break;
    case PARITY_VALUE_RAISED:
    case PARITY_VALUE_OTHER:
        v->type = random_text();
        v->text = random_text();
        break;
    case PARITY_VALUE_TEXT:
    case PARITY_VALUE_ERR:
        v->text = random_text();
        break;
    case PARITY_VALUE_LIST:
        items = depth < 4 ? below(4) : 0;
        break;
    case PARITY_VALUE_OK:
    case PARITY_VALUE_SOME:
        items = 1;
        break;
    }
    v->items = parity_alloc((items + 1) * sizeof *v->items);
    while (v->nitems < items)
        v->items[v->nitems++] = random_value(depth + 1);
    return v;
}

static parity_outcome random_outcome(bool observation)
{
    parity_outcome out = {.kind = (parity_outcome_kind)below(PARITY_ABSENT)};
    if (observation && below(4) > 0)
        out.kind = PARITY_VALUE;
    if (out.kind == PARITY_VALUE) {
        out.value = observation ? random_value(0) : NULL;
        return out;
    }
    out.type = below(2) ? random_text() : NULL;
    out.text = below(3) ? random_text() : NULL;
    out.detail = out.kind == PARITY_REFUSED && below(2) ? random_text() : NULL;
    if (below(2))
        out.pos = (parity_pos){1 + (int)below(100), (int)below(100)};
    return out;
}

static bool same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool same_tensor(const parity_tensor *a, const parity_tensor *b)
{
    bool same = a->dtype == b->dtype && a->rank == b->rank && a->host == b->host &&
                a->printed == b->printed && a->hashed == b->hashed &&
                a->hash == b->hash && a->nbytes == b->nbytes && a->offset == b->offset &&
                a->storage == b->storage && a->handle == b->handle &&
                a->nfacts == b->nfacts &&
                memcmp(a->shape, b->shape, a->rank * sizeof *a->shape) == 0 &&
                memcmp(a->strides, b->strides, a->rank * sizeof *a->strides) == 0 &&
                (a->nbytes == 0 || memcmp(a->bits, b->bits, a->nbytes) == 0);
    for (size_t i = 0; same && i < a->nfacts; i++)
        same = same_text(a->facts[i].name, b->facts[i].name) &&
               same_text(a->facts[i].text, b->facts[i].text);
    return same;
}

static bool same_value(const parity_value *a, const parity_value *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    bool same = a->kind == b->kind && a->boolean == b->boolean && a->dtype == b->dtype &&
                memcmp(&a->number, &b->number, sizeof a->number) == 0 &&
                same_text(a->text, b->text) && same_text(a->type, b->type) &&
                a->nitems == b->nitems && (a->tensor == NULL) == (b->tensor == NULL) &&
                (a->tensor == NULL || same_tensor(a->tensor, b->tensor));
    for (size_t i = 0; same && i < a->nitems; i++)
        same = same_value(a->items[i], b->items[i]);
    return same;
}

static bool same_outcome(const parity_outcome *a, const parity_outcome *b)
{
    return a->kind == b->kind && same_text(a->type, b->type) &&
           same_text(a->text, b->text) && same_text(a->detail, b->detail) &&
           a->pos.line == b->pos.line && a->pos.column == b->pos.column &&
           same_value(a->value, b->value);
}

static parity_recorded random_block(parity_arena *arena, size_t number)
{
    char id[64];
    snprintf(id, sizeof id, "pages/case_%zu[f32,a+b]", number);
    parity_recorded out = {.case_id = parity_arena_strdup(arena, id),
                           .column = below(2) ? "candle@0.11.0/cpu" : "torch@2.15.0/cpu",
                           .language = (parity_language)below(2),
                           .text_hash = next()};
    out.provenance = parity_arena_alloc(arena, 3 * sizeof *out.provenance);
    out.nprovenance = below(3);
    for (size_t i = 0; i < out.nprovenance; i++) {
        char *text = random_text();
        out.provenance[i].name = i == 0 ? "rustc" : "a name";
        out.provenance[i].text = parity_arena_strdup(arena, text);
        free(text);
    }
    out.run.end = random_outcome(false);
    out.run.ran = true;
    out.run.nobserved = below(6);
    out.run.observed = parity_alloc((out.run.nobserved + 1) * sizeof *out.run.observed);
    out.labels = parity_arena_alloc(arena, (out.run.nobserved + 1) * sizeof *out.labels);
    for (size_t i = 0; i < out.run.nobserved; i++) {
        out.run.observed[i] = random_outcome(true);
        out.labels[i] = i % 2 ? "@weight.was" : "clone.0";
    }
    return out;
}

static void clear_block(parity_recorded *block)
{
    parity_outcome_clear(&block->run.end);
    for (size_t i = 0; i < block->run.nobserved; i++)
        parity_outcome_clear(&block->run.observed[i]);
    free(block->run.observed);
}

static void check_block(const parity_recorded *a, const parity_recorded *b,
                        const char *text)
{
    bool same = same_text(a->case_id, b->case_id) && same_text(a->column, b->column) &&
                a->language == b->language && a->text_hash == b->text_hash &&
                a->nprovenance == b->nprovenance && a->run.ran == b->run.ran &&
                a->run.nobserved == b->run.nobserved &&
                same_outcome(&a->run.end, &b->run.end);
    for (size_t i = 0; same && i < a->nprovenance; i++)
        same = same_text(a->provenance[i].name, b->provenance[i].name) &&
               same_text(a->provenance[i].text, b->provenance[i].text);
    for (size_t i = 0; same && i < a->run.nobserved; i++)
        same = same_text(a->labels[i], b->labels[i]) &&
               same_outcome(&a->run.observed[i], &b->run.observed[i]);
    ck_assert_msg(same, "%s", text);
}

START_TEST(random_records_read_back)
{
    enum { BLOCKS = 4, FILES = 800 };
    state = 11;
    for (int i = 0; i < FILES; i++) {
        parity_arena *arena = parity_arena_new();
        parity_recorded blocks[BLOCKS];
        parity_buffer text = {0};
        parity_record_header(&text);
        for (size_t b = 0; b < BLOCKS; b++) {
            blocks[b] = random_block(arena, b);
            parity_recorded_print(&text, &blocks[b]);
        }
        parity_record_file file;
        parity_error error;
        int code = parity_record_parse(&file, "r.out", text.data, text.length, &error);
        ck_assert_msg(code == 0, "%d:%d: %s\n%s", error.pos.line, error.pos.column,
                      error.message, text.data);
        ck_assert_uint_eq(file.nblocks, BLOCKS);
        for (size_t b = 0; b < BLOCKS; b++) {
            check_block(&blocks[b], &file.blocks[b], text.data);
            clear_block(&blocks[b]);
        }
        parity_record_free(&file);
        parity_buffer_free(&text);
        parity_arena_free(arena);
    }
}
END_TEST

static const char case_text[] = "title: t\ncandle: |\n  let w = 1;\nsubjects:\n  w:\n    "
                                "candle: {was: w_was, now: w}\n"
                                "rows:\n  - {id: clone, candle: '{w} {n=w.id()} {w}'}\n";

static const char expected[] =
    "parity record 1\n"
    "# What the judges said when this was recorded. `parity bless` rewrites it; the text "
    "behind # "
    "is for reading only.\n"
    "\n"
    "case t\n"
    "column candle@0.11.0/cpu\n"
    "text candle %016llx\n"
    "with rustc \"1.95.0\"\n"
    "ends value\n"
    "observed 5\n"
    "  clone.0  tensor f32 [1, 2] strides [2, 1] offset 0 storage 2 handle 3 "
    "variable=true "
    "bits=AACAPwAAAEA=  # [[1.0, 2.0]]\n"
    "  clone.n  id 4\n"
    "  clone.2  err \"shape \\\"[2]\\\"\\n\"\n"
    "  @w.was   host f32 [1, 2] bits=AACAPwAAAEA=  # [[1.0, 2.0]]\n"
    "  @w.now   panic - \"index out of bounds\" at 3:14\n";

static parity_value *small_tensor(bool host)
{
    parity_value *v = parity_value_new(PARITY_VALUE_TENSOR);
    v->tensor = parity_alloc(sizeof *v->tensor);
    *v->tensor =
        (parity_tensor){.dtype = PARITY_F32, .rank = 2, .shape = {1, 2}, .host = host};
    const float numbers[] = {1, 2};
    v->tensor->nbytes = sizeof numbers;
    v->tensor->bits = parity_alloc(sizeof numbers);
    memcpy(v->tensor->bits, numbers, sizeof numbers);
    if (host)
        return v;
    v->tensor->strides[0] = 2;
    v->tensor->strides[1] = 1;
    v->tensor->storage = 2;
    v->tensor->handle = 3;
    v->tensor->nfacts = 1;
    v->tensor->facts = parity_alloc(sizeof *v->tensor->facts);
    v->tensor->facts[0] = (parity_fact){parity_strdup("variable"), parity_strdup("true")};
    return v;
}

START_TEST(a_record_is_readable)
{
    parity_suite suite = {0};
    parity_load_file(&suite, "t.yaml", "t", case_text, strlen(case_text));
    ck_assert_uint_eq(suite.ncases, 1);
    parity_outcome observed[5] = {{0}};
    observed[0].value = small_tensor(false);
    observed[1].value = parity_value_new(PARITY_VALUE_ID);
    observed[1].value->text = parity_strdup("4");
    observed[2].value = parity_value_new(PARITY_VALUE_ERR);
    observed[2].value->text = parity_strdup("shape \"[2]\"\n");
    observed[3].value = small_tensor(true);
    parity_outcome_set(&observed[4], PARITY_PANIC, NULL, "index out of bounds",
                       (parity_pos){3, 14});
    const parity_engine engine = {
        .name = "candle", .language = PARITY_CANDLE, .judge = true};
    parity_provenance provenance = {"rustc", "1.95.0"};
    const parity_column column = {.engine = &engine,
                                  .id = "candle@0.11.0/cpu",
                                  .provenance = &provenance,
                                  .nprovenance = 1};
    const parity_run run = {
        .ran = true, .observed = observed, .nobserved = 5, .seconds = 1};
    parity_buffer text = {0};
    char want[2000];
    snprintf(want, sizeof want, expected,
             (unsigned long long)suite.cases[0].text_hash[PARITY_CANDLE]);
    parity_record_header(&text);
    parity_record_print(&text, &suite.cases[0], &column, &run);
    ck_assert_str_eq(text.data, want);
    for (int i = 0; i < 5; i++)
        parity_outcome_clear(&observed[i]);
    parity_buffer_free(&text);
    parity_suite_free(&suite);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("record");
    TCase *tests = tcase_create("record");
    tcase_add_test(tests, random_records_read_back);
    tcase_add_test(tests, a_record_is_readable);
    suite_add_tcase(suite, tests);
    return suite;
}
