/* Blocks of record files on their way to one: from runs, from an older record, from a
 * bundle. */
#ifndef PARITY_CLI_BLOCKS_H
#define PARITY_CLI_BLOCKS_H

#include "harness/cli/session.h"

typedef struct record_block {
    const char *case_id;
    const char *column;
    char *text;
} record_block;

typedef struct record_blocks {
    record_block *items;
    size_t count;
    size_t capacity;
} record_blocks;

void record_blocks_free(record_blocks *all);
/* Only outcomes worth replaying are written down: an absent column has none, and a worker
 * that broke the protocol or an engine that does not support something says nothing about
 * the library. */
bool record_worth(const parity_column *column, const parity_run *run);
void record_blocks_add_run(record_blocks *all, const parity_case *test,
                           const parity_column *column, const parity_run *run);
void record_blocks_add(record_blocks *all, const parity_recorded *block);
/* Blocks of the old file whose case and column are not among the new ones, as long as
 * their case still exists. */
void record_blocks_keep(record_blocks *all, const session *s,
                        const parity_record_file *old);
/* The text of a record file; sorts the blocks. */
void record_blocks_print(parity_buffer *out, record_blocks *all);
/* Puts the new blocks into the record beside a case file, and prints the lines that
 * change. 1: it changes, 0: it does not, -1: error. */
int record_blocks_write(record_blocks *all, const session *s, const char *case_file,
                        bool only_check, parity_error *error);
/* The case with this id among all that were loaded, or NULL. */
const parity_case *record_case(const session *s, const char *id);
/* The judge that a column belongs to by its name, or NULL. */
const parity_engine *record_judge(const char *column);

#endif
