/* What parity-faulty can do to the talk between the harness and a worker. To add a fault:
 * one row in fault.c, and what the harness must make of it in one row of faulty_test.c.
 */
#ifndef PARITY_RUN_FAULTY_FAULT_H
#define PARITY_RUN_FAULTY_FAULT_H

#include <jansson.h>
#include <stdbool.h>

/* Exactly one function is set; it says when the fault happens. */
typedef struct parity_fault {
    const char *name;
    const char *about;
    /* Before the worker is started. */
    void (*start)(int out);
    /* Instead of passing the request on. */
    void (*request)(int out);
    /* Changes the answer; false when there is nothing in it to change. */
    bool (*change)(json_t *answer);
    /* Instead of passing the answer on: a whole line, as is the answer before it (NULL:
     * none). */
    void (*answer)(int out, const char *line, const char *before);
} parity_fault;

extern const parity_fault parity_faults[]; /* ends with a row without name */

#endif
