/* Numbers of a candle program, with Rust's types.
 *
 * A literal without suffix gets its type from what the program does with it later. Rust
 * decides that before it runs the program; an interpreter learns it on the way. Until
 * then an integer is kept exactly and a float in both precisions, so that whatever the
 * type turns out to be, the value is there. All numbers that must have one type share a
 * lang_infer. When the core needs a type that nothing has fixed it takes i32 or f64, as
 * Rust does; a later use that says otherwise is reported instead of being misread. */
#ifndef BACKENDS_LANG_NUMBER_H
#define BACKENDS_LANG_NUMBER_H

#include "backends/core/value.h"

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef __int128 lang_wide;

typedef enum lang_numtype {
    LANG_OPEN, /* not known yet */
    LANG_I8,
    LANG_I16,
    LANG_I32,
    LANG_I64,
    LANG_ISIZE,
    LANG_U8,
    LANG_U16,
    LANG_U32,
    LANG_U64,
    LANG_USIZE,
    LANG_F32,
    LANG_F64,
    LANG_NUMTYPES
} lang_numtype;

/* Code that may not run: the names it uses, and whether it has run to its end. */
typedef struct lang_region {
    const char **names;
    size_t nnames;
    bool ran;
} lang_region;

/* Code that has not run and may say more about a type than the core has seen. */
typedef struct lang_doubt lang_doubt;
struct lang_doubt {
    lang_doubt *next;
    const lang_region *region;
};

/* One unknown type; those found equal are joined. */
typedef struct lang_infer lang_infer;
struct lang_infer {
    lang_infer *same; /* what it was joined with, or NULL */
    lang_numtype type;
    /* of the results computed while the type was open: they must fit it, or they would
     * have wrapped */
    lang_wide low;
    lang_wide high;
    bool settled; /* nothing has fixed the type, it was taken to be i32 or f64 */
    bool used;    /* a value was looked at that another type may have wrapped */
    lang_doubt *doubts;
};

typedef struct lang_number {
    bool is_float;
    lang_numtype type; /* LANG_OPEN: look at infer, which is set then */
    lang_infer *infer;
    lang_wide i;
    double d;
    float s; /* the same computation in f32 */
} lang_number;

/* "f32", "usize" …; LANG_OPEN when the name is none of a number type. */
lang_numtype lang_numtype_from_name(const char *name);
const char *lang_numtype_name(lang_numtype type);
bool lang_numtype_float(lang_numtype type);
unsigned lang_numtype_bits(lang_numtype type);
bool lang_numtype_signed(lang_numtype type);
lang_wide lang_numtype_min(lang_numtype type);
lang_wide lang_numtype_max(lang_numtype type);
core_int_type lang_numtype_core(lang_numtype type);
lang_numtype lang_numtype_from_core(core_int_type type);

lang_number lang_number_int(lang_numtype type, lang_wide value); /* must fit */
lang_number lang_number_float(lang_numtype type, double value);

/* All of these return NULL, or the reason why the program is not Rust, or cannot be read
 * safely. */

/* From a literal; `infer` is where its type will be kept and must be zero. */
const char *lang_number_literal(lang_number *out, lang_infer *infer, const char *digits,
                                const char *suffix, bool is_float);
/* Fixes the type. */
const char *lang_number_bind(lang_number *number, lang_numtype type);
/* i32 or f64 when nothing has fixed it. */
const char *lang_number_settle(lang_number *number);
/* The same for printing, which of an integer does not depend on its type as long as it
 * fits. */
const char *lang_number_show(lang_number *number);
/* A region that uses the number was passed over. `doubt` is new and stays with the
 * number. Returns the number's type when it was settled already, to be looked at again
 * when the program has ended; else NULL. */
lang_infer *lang_number_doubt(lang_number *number, lang_doubt *doubt,
                              const lang_region *region);
/* NULL, or why a type that was settled may be wrong. */
const char *lang_infer_doubtful(const lang_infer *infer);
/* Gives both the same type. */
const char *lang_number_unify(lang_number *a, lang_number *b);
/* The type if known by now, else LANG_OPEN. */
lang_numtype lang_number_type(const lang_number *number);
const char *lang_number_cast(lang_number *out, lang_number value, lang_numtype type);

/* Operators `+ - * / % & | ^ << >>`, as a release build computes them. *panic is set to
 * the message when Rust panics. */
const char *lang_number_binary(lang_number *out, const char *op, lang_number a,
                               lang_number b, const char **panic);
const char *lang_number_negate(lang_number *out, lang_number a);
const char *lang_number_not(lang_number *out, lang_number a);
/* -1, 0, 1, or 2 when a NaN takes part. */
const char *lang_number_compare(int *out, lang_number a, lang_number b);

#endif
