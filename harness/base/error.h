/* Errors as the rest of Parity reports them: one line of text and, where there is one,
 * the place in a file that a person has to change.
 *
 * A function that can fail returns 0 or -1 and takes a parity_error * as its last
 * parameter. The struct belongs to the caller and NULL is always allowed. A function that
 * fails fills it exactly once; a caller that passes a lower error on leaves its text as
 * it is. */
#ifndef PARITY_BASE_ERROR_H
#define PARITY_BASE_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

/* A place in a text file. Lines and columns count from 1, columns in Unicode characters;
 * 0 means "unknown". */
typedef struct parity_pos {
    int line;
    int column;
} parity_pos;

typedef struct parity_error {
    char message[1024]; /* what happened and what to do, without the place */
    char file[512];     /* empty when the error has no place */
    parity_pos pos;
} parity_error;

#if defined(__GNUC__)
#define PARITY_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define PARITY_PRINTF(fmt, args)
#endif

/* Sets the message, clears the place and returns -1, so that `return parity_fail(err,
 * ...)` ends a function. Long messages are cut at a character boundary. */
int parity_fail(parity_error *error, const char *format, ...) PARITY_PRINTF(2, 3);

/* The same with a place. `file` may be NULL. */
int parity_fail_at(parity_error *error, const char *file, parity_pos pos,
                   const char *format, ...) PARITY_PRINTF(4, 5);

#ifdef __cplusplus
}
#endif
#endif
