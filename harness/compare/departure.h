/* Which departures of a case apply to a column. */
#ifndef PARITY_COMPARE_DEPARTURE_H
#define PARITY_COMPARE_DEPARTURE_H

#include "harness/model/engine.h"

/* -1, 0 or 1: numbers between dots are compared as numbers, so that 0.9 < 0.10; a missing
 * one is 0, so that 0.9 is 0.9.0; a suffix like -rc1 is less than none. A build suffix
 * (+cu132) does not count. */
int parity_version_compare(const char *left, const char *right);

/* Whether a version satisfies every part of a key such as "<0.8.3" or ">=0.9, <0.11"; a
 * part without an operator asks for that very version. The name of a language or engine
 * may come first: "torch <2.1". A key that cannot be read matches nothing. */
bool parity_version_matches(const char *key, const parity_column *column);

/* Whether two device names mean the same device: metal-soft is Metal. */
bool parity_same_device(const char *left, const char *right);

/* Whether the device is a stand-in for another one: metal-soft is. */
bool parity_stand_in_device(const char *device);
/* The length of the name of the real device in it: 5 of metal-soft. */
size_t parity_device_length(const char *device);

/* The first of `count` departures whose key names this device, or this version; NULL:
 * none. */
const parity_departure *parity_device_departure(const parity_departure *departures,
                                                size_t count,
                                                const parity_column *column);
const parity_departure *parity_version_departure(const parity_departure *departures,
                                                 size_t count,
                                                 const parity_column *column);

#endif
