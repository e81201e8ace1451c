/*
 * allocation_counter.h - counts what a program allocates.
 *
 * A program that links allocation_counter.c has the functions there in place of
 * libc's, and so have the shared libraries it uses.
 */

#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdint.h>

typedef struct allocation_counts {
    int64_t allocated; /* blocks that were handed out since the program began, by all threads */
    int64_t freed;     /* blocks that were given back */
} allocation_counts;

allocation_counts allocation_counts_now(void);

/* Allocates and frees a block through each of the functions that are counted;
 * returns how many that makes. */
int64_t allocation_counter_allocate_every_way(void);

#endif /* ALLOCATION_COUNTER_H */
