/* Tables of the methods of the standard library, one a family; each ends with a NULL
 * name. */
#ifndef BACKENDS_LANG_STD_H
#define BACKENDS_LANG_STD_H

#include "backends/lang/interp.h"

extern const lang_method_row lang_result_methods[]; /* Result */
extern const lang_method_row lang_option_methods[]; /* Option */
extern const lang_method_row lang_list_methods[];   /* Vec, arrays, slices */
extern const lang_method_row lang_text_methods[];   /* String, &str, Error */
extern const lang_method_row lang_number_methods[]; /* integers and floats */

#endif
