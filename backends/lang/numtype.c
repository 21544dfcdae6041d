/* The number types of Rust. */
#include "backends/lang/number.h"

#include <string.h>

typedef struct numtype_row {
    const char *name;
    unsigned bits;
    bool is_signed;
    bool is_float;
    core_int_type core;
} numtype_row;

static const numtype_row rows[LANG_NUMTYPES] = {
    [LANG_OPEN] = {"", 0, false, false, CORE_INT_I32},
    [LANG_I8] = {"i8", 8, true, false, CORE_INT_I8},
    [LANG_I16] = {"i16", 16, true, false, CORE_INT_I16},
    [LANG_I32] = {"i32", 32, true, false, CORE_INT_I32},
    [LANG_I64] = {"i64", 64, true, false, CORE_INT_I64},
    [LANG_ISIZE] = {"isize", 64, true, false, CORE_INT_ISIZE},
    [LANG_U8] = {"u8", 8, false, false, CORE_INT_U8},
    [LANG_U16] = {"u16", 16, false, false, CORE_INT_U16},
    [LANG_U32] = {"u32", 32, false, false, CORE_INT_U32},
    [LANG_U64] = {"u64", 64, false, false, CORE_INT_U64},
    [LANG_USIZE] = {"usize", 64, false, false, CORE_INT_USIZE},
    [LANG_F32] = {"f32", 32, true, true, CORE_INT_I32},
    [LANG_F64] = {"f64", 64, true, true, CORE_INT_I32},
};

lang_numtype lang_numtype_from_name(const char *name)
{
    for (int t = LANG_OPEN + 1; t < LANG_NUMTYPES; t++)
        if (strcmp(rows[t].name, name) == 0)
            return (lang_numtype)t;
    return LANG_OPEN;
}

const char *lang_numtype_name(lang_numtype type)
{
    return rows[type].name;
}

bool lang_numtype_float(lang_numtype type)
{
    return rows[type].is_float;
}

unsigned lang_numtype_bits(lang_numtype type)
{
    return rows[type].bits;
}

bool lang_numtype_signed(lang_numtype type)
{
    return rows[type].is_signed;
}

core_int_type lang_numtype_core(lang_numtype type)
{
    return rows[type].core;
}

lang_numtype lang_numtype_from_core(core_int_type type)
{
    for (int t = LANG_I8; t <= LANG_USIZE; t++)
        if (rows[t].core == type)
            return (lang_numtype)t;
    return LANG_I32;
}

lang_wide lang_numtype_min(lang_numtype type)
{
    return rows[type].is_signed ? -((lang_wide)1 << (rows[type].bits - 1)) : 0;
}

lang_wide lang_numtype_max(lang_numtype type)
{
    return ((lang_wide)1 << (rows[type].bits - (rows[type].is_signed ? 1 : 0))) - 1;
}
