/*
 * glibc documents that malloc and its family may be replaced, all at once. The
 * originals stay reachable under the names that begin with __libc.
 */

#include "allocation_counter.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static _Atomic int64_t allocated;
static _Atomic int64_t freed;

static void *count_allocation(void *block) {
    if (block != NULL) atomic_fetch_add_explicit(&allocated, 1, memory_order_relaxed);
    return block;
}

static void count_free(void) {
    atomic_fetch_add_explicit(&freed, 1, memory_order_relaxed);
}

allocation_counts allocation_counts_now(void) {
    return (allocation_counts){ atomic_load(&allocated), atomic_load(&freed) };
}

void *malloc(size_t size) { return count_allocation(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return count_allocation(__libc_calloc(count, size)); }

/* A block that changes its size counts as a new one, whether it moves or not. */
void *realloc(void *block, size_t size) {
    void *moved = __libc_realloc(block, size);
    bool is_gone = block != NULL && (moved != NULL || size == 0);
    if (is_gone) count_free();
    return count_allocation(moved);
}

void *memalign(size_t alignment, size_t size) {
    return count_allocation(__libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    bool is_power_of_two = alignment != 0 && (alignment & (alignment - 1)) == 0;
    if (!is_power_of_two || alignment % sizeof(void *) != 0) return EINVAL;
    void *block = memalign(alignment, size);
    if (block == NULL) return ENOMEM;
    *result = block;
    return 0;
}

void free(void *block) {
    if (block != NULL) count_free();
    __libc_free(block);
}

/* Keeps the compiler from seeing that a block is not used. */
static void *volatile last_block;

static void drop(void *block) {
    last_block = block;
    free(last_block);
}

int64_t allocation_counter_allocate_every_way(void) {
    drop(malloc(100));
    drop(calloc(10, 10));
    drop(aligned_alloc(64, 128));
    drop(memalign(64, 128));
    void *block = NULL;
    if (posix_memalign(&block, 64, 128) == 0) drop(block);
    last_block = malloc(10);
    drop(realloc(last_block, 1000));
    return 7;
}
