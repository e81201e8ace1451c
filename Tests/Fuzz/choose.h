/* choose.h - what the two halves of making things up share. */

#ifndef STREAMS_FUZZ_CHOOSE_H
#define STREAMS_FUZZ_CHOOSE_H

#include "fuzz.h"

void choose_argument(node *n, const function_info *f, int i);
void choose_handle(argument *a, int kind, bool consumed, bool gives_up);
/* Whether it makes the publisher of a group. A stream that is given its own group, as
 * by flat_map's callback, waits for itself: so these are in a pool of their own, and
 * are only subscribed to, retained and released. */
bool finds_group(const function_info *f);
/* A handle of this kind that can be used, or 0. */
uint32_t pick_alive(int kind, bool owned);
uint64_t choose_demand(void);
/* A time that does not come. */
#define FOR_EVER (INT64_MAX / 2)
/* Whether a function has a parameter of this class. */
bool takes(const function_info *f, int kind);

#endif /* STREAMS_FUZZ_CHOOSE_H */
