/* A part of a result: some cases, columns and rows of it, for a report that is to show
 * only these. Reports need not know that it is a part. */
#ifndef PARITY_PAGES_VIEW_H
#define PARITY_PAGES_VIEW_H

#include "harness/model/result.h"
#include "harness/pages/region.h"

typedef struct parity_view {
    parity_result result; /* what its arrays point to belongs to the whole result */
    parity_arena *arena;
} parity_view;

/* What the region asks for: the cases that match (none named: all), and of those the rows
 * and columns in the order in which the region names them. No column named: every judge.
 * A column without an outcome for any of the cases is left out; when none is left, and
 * for names that are not there, it fails with the place of the name in the page and the
 * nearest name there is. Free the view also after a failure. */
int parity_view_make(parity_view *view, const parity_result *whole,
                     const parity_page *page, const parity_region *region,
                     parity_error *error);
void parity_view_free(parity_view *view);

/* Whether the region names this case. */
bool parity_region_wants(const parity_region *region, const parity_case *test);
/* Fails when the cases or rows that the region names are not among these. */
int parity_region_check(const parity_page *page, const parity_region *region,
                        const parity_case *const *cases, size_t ncases,
                        parity_error *error);

/* One line on what the columns of a view are: the words of `caption=`, such as version,
 * device, platform, or any name of the provenance. NULL: the region has no caption. New.
 */
int parity_caption(char **out, const parity_view *view, const parity_page *page,
                   const parity_region *region, parity_error *error);

#endif
