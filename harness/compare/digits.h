/* Decimal digits of binary floating point numbers. */
#ifndef PARITY_COMPARE_DIGITS_H
#define PARITY_COMPARE_DIGITS_H

#include <stdbool.h>

/* digits[0].digits[1]… times ten to the exponent. */
typedef struct parity_digits {
    char digits[24];
    int count;
    int exponent;
    bool negative;
} parity_digits;

/* The fewest digits that read back as the same number, and among these the nearest: what
 * Rust's
 * {:?} and Python's repr print. `single` asks for numbers read as 32-bit floats; the
 * number must then be one. The number must be finite. */
parity_digits parity_digits_shortest(double number, bool single);

#endif
