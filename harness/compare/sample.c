#include "harness/compare/sample.h"
#include "harness/base/memory.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

const parity_engine sample_core = {.name = "core", .language = PARITY_CANDLE};
const parity_engine sample_candle = {
    .name = "candle", .language = PARITY_CANDLE, .judge = true};
const parity_engine sample_torch = {
    .name = "torch", .language = PARITY_TORCH, .judge = true};

#define MOST 4096
static parity_value *values[MOST];
static parity_outcome *lists[MOST];
static parity_suite suites[64];
static size_t nvalues, nlists, nsuites;

static parity_value *keep(parity_value *value)
{
    ck_assert_uint_lt(nvalues, MOST);
    return values[nvalues++] = value;
}

static parity_value *fresh(parity_value_kind kind)
{
    return keep(parity_value_new(kind));
}

static void put_element(parity_dtype dtype, void *bytes, double element)
{
    float single = (float)element;
    int64_t integer;
    switch (dtype) {
    case PARITY_F32:
        memcpy(bytes, &single, sizeof single);
        break;
    case PARITY_F64:
        memcpy(bytes, &element, sizeof element);
        break;
    default:
        integer = element < 9.2e18 ? (int64_t)element : (int64_t)(uint64_t)element;
        memcpy(bytes, &integer, parity_dtype_size(dtype));
    }
}

parity_value *sample_tensor(parity_dtype dtype, size_t rank, const int64_t *shape,
                            const double *elements)
{
    parity_value *value = fresh(PARITY_VALUE_TENSOR);
    parity_tensor *tensor = parity_alloc(sizeof *tensor);
    value->tensor = tensor;
    tensor->dtype = dtype;
    tensor->rank = rank;
    tensor->host = true;
    if (rank)
        memcpy(tensor->shape, shape, rank * sizeof *shape);
    size_t count = (size_t)parity_tensor_count(tensor), size = parity_dtype_size(dtype);
    tensor->nbytes = count * size;
    tensor->bits = parity_alloc(tensor->nbytes + 1);
    for (size_t i = 0; i < count; i++)
        put_element(dtype, (char *)tensor->bits + i * size, elements[i]);
    return value;
}

parity_value *sample_place(parity_value *value, uint32_t storage, uint32_t handle)
{
    parity_tensor *tensor = value->tensor;
    int64_t stride = 1;
    for (size_t axis = tensor->rank; axis-- > 0; stride *= tensor->shape[axis])
        tensor->strides[axis] = stride;
    tensor->host = false;
    tensor->storage = storage;
    tensor->handle = handle;
    return value;
}

parity_value *sample_hashed(int64_t count, float fill, int64_t where, float other)
{
    float *all = parity_alloc((size_t)count * sizeof *all);
    size_t edge = PARITY_EDGE_ELEMENTS * sizeof *all;
    for (int64_t i = 0; i < count; i++)
        all[i] = i == where ? other : fill;
    parity_value *value = fresh(PARITY_VALUE_TENSOR);
    parity_tensor *tensor = parity_alloc(sizeof *tensor);
    *tensor = (parity_tensor){.dtype = PARITY_F32,
                              .rank = 1,
                              .shape = {count},
                              .host = true,
                              .bits = parity_alloc(2 * edge),
                              .nbytes = 2 * edge,
                              .hashed = true,
                              .hash = XXH3_64bits(all, (size_t)count * sizeof *all)};
    memcpy(tensor->bits, all, edge);
    memcpy((char *)tensor->bits + edge, all + count - PARITY_EDGE_ELEMENTS, edge);
    value->tensor = tensor;
    free(all);
    return value;
}

parity_value *sample_float(double number, parity_dtype dtype)
{
    parity_value *value = fresh(PARITY_VALUE_FLOAT);
    value->number = number;
    value->dtype = dtype;
    return value;
}

parity_value *sample_text(parity_value_kind kind, const char *text)
{
    parity_value *value = fresh(kind);
    value->text = parity_strdup(text);
    return value;
}

parity_value *sample_raised(const char *type, const char *text)
{
    parity_value *value = sample_text(PARITY_VALUE_RAISED, text);
    value->type = parity_strdup(type);
    return value;
}

parity_value *sample_bool(bool truth)
{
    parity_value *value = fresh(PARITY_VALUE_BOOL);
    value->boolean = truth;
    return value;
}

parity_value *sample_mib(double mib)
{
    parity_value *value = fresh(PARITY_VALUE_MIB);
    value->number = mib;
    return value;
}

parity_value *sample_items(parity_value_kind kind, size_t count,
                           parity_value *const *items)
{
    parity_value *value = fresh(kind);
    value->items = parity_alloc((count + 1) * sizeof *value->items);
    value->nitems = count;
    if (count)
        memcpy(value->items, items, count * sizeof *items);
    return value;
}

parity_outcome sample_outcome(parity_value *value)
{
    return (parity_outcome){.kind = PARITY_VALUE, .value = value};
}

parity_outcome sample_ending(parity_outcome_kind kind, const char *type, const char *text)
{
    return (parity_outcome){.kind = kind, .type = (char *)type, .text = (char *)text};
}

const parity_case *sample_case(const char *yaml)
{
    ck_assert_uint_lt(nsuites, 64);
    parity_suite *suite = &suites[nsuites++];
    parity_load_file(suite, "cases/sample.yaml", "sample", yaml, strlen(yaml));
    for (size_t i = 0; i < suite->nproblems; i++)
        ck_abort_msg("%d:%d: %s", suite->problems[i].pos.line,
                     suite->problems[i].pos.column, suite->problems[i].message);
    ck_assert_uint_eq(suite->ncases, 1);
    return &suite->cases[0];
}

void sample_run(parity_run *run, size_t count, parity_value *const *observed)
{
    ck_assert_uint_lt(nlists, MOST);
    *run = (parity_run){.ran = true, .nobserved = count};
    run->observed = lists[nlists++] = parity_alloc((count + 1) * sizeof *run->observed);
    for (size_t i = 0; i < count; i++)
        run->observed[i] = sample_outcome(observed[i]);
}

parity_column sample_column(const parity_engine *engine, const char *id,
                            const char *version, const char *device)
{
    return (parity_column){
        .engine = engine, .id = id, .version = version, .device = device};
}

/* Items are kept one by one, so a value must not free those below it. */
void sample_free(void)
{
    for (size_t i = 0; i < nvalues; i++) {
        values[i]->nitems = 0;
        parity_value_free(values[i]);
    }
    for (size_t i = 0; i < nlists; i++)
        free(lists[i]);
    for (size_t i = 0; i < nsuites; i++)
        parity_suite_free(&suites[i]);
    memset(suites, 0, sizeof suites);
    nvalues = nlists = nsuites = 0;
}
