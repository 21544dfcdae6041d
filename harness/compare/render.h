/* Values as each language prints them on a page. */
#ifndef PARITY_COMPARE_RENDER_H
#define PARITY_COMPARE_RENDER_H

#include "harness/base/buffer.h"
#include "harness/model/result.h"

/* One observation. `decimals` is that of the template, -1 for none. Rust: `{:?}` of
 * to_vec*, Ok(v), Err("text"), true, TensorId(4). Python: lists with the shortest f32
 * digits, True, RuntimeError("first line"). An outcome that is not a value prints as
 * <panic: text>. */
void parity_render_outcome(parity_buffer *out, const parity_outcome *outcome,
                           parity_language language, int decimals);
/* One row as the page prints it, without a newline. The row must have a shown template.
 */
void parity_render_row(parity_buffer *out, const parity_case *test, size_t row,
                       parity_language language, const parity_run *run);
/* Shortest digits that read back as the same number of that type, in Rust's {:?} form or
 * Python's repr form. */
void parity_render_float(parity_buffer *out, double number, parity_dtype dtype,
                         parity_language language);

#endif
