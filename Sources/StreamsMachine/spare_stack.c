#ifdef STREAMS_STATIC_RUNTIME
#define _GNU_SOURCE
#include "streams_spare_stack.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#if defined(__x86_64__) || defined(__aarch64__)

/// The size of such a stack, and its distance from other mappings: valgrind takes a stack that is nearer than
/// 2 MB for a part of the one before.
enum { SPARE_STACK = 256 * 1024,
    DISTANCE = 2 * 1024 * 1024 };

/// The spare stacks that are not in use, by their upper ends.
enum { KEPT = 8 };
static char *spare[KEPT];

/// Sets the stack register to `top` during the call. Unwinding uses the frame register.
void streams_switch_stack(char *top, void (*function)(void *), void *context)
    __attribute__((visibility("hidden")));

__asm__(".text\n.p2align 4\n.hidden streams_switch_stack\n.globl streams_switch_stack\n"
        ".type streams_switch_stack, @function\n"
        "streams_switch_stack:\n.cfi_startproc\n"
#ifdef __x86_64__
        "endbr64\n"
        "pushq %rbp\n.cfi_def_cfa_offset 16\n.cfi_offset %rbp, -16\n"
        "movq %rsp, %rbp\n.cfi_def_cfa_register %rbp\n"
        "movq %rdi, %rsp\nmovq %rdx, %rdi\ncallq *%rsi\n"
        "movq %rbp, %rsp\npopq %rbp\n.cfi_def_cfa %rsp, 8\nretq\n"
#else
        "hint #34\n"
        "stp x29, x30, [sp, #-16]!\n.cfi_def_cfa_offset 16\n.cfi_offset x29, -16\n.cfi_offset x30, -8\n"
        "mov x29, sp\n.cfi_def_cfa_register x29\n"
        "mov sp, x0\nmov x0, x2\nblr x1\n"
        "mov sp, x29\n.cfi_def_cfa_register sp\nldp x29, x30, [sp], #16\n.cfi_def_cfa_offset 0\nret\n"
#endif
        ".cfi_endproc\n.size streams_switch_stack, . - streams_switch_stack\n");

static char *map_stack(void) {
    size_t size = SPARE_STACK + 2 * (size_t)DISTANCE;
    char *room = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) return NULL;
    bool is_open = mprotect(room + DISTANCE, SPARE_STACK, PROT_READ | PROT_WRITE) == 0;
    if (is_open) return room + DISTANCE + SPARE_STACK;
    (void)munmap(room, size);
    return NULL;
}

static char *take_stack(void) {
    for (int i = 0; i < KEPT; i++) {
        char *top = __atomic_exchange_n(&spare[i], NULL, __ATOMIC_ACQUIRE);
        if (top != NULL) return top;
    }
    return map_stack();
}

static void give_back(char *top) {
    for (int i = 0; i < KEPT; i++) {
        char *none = NULL;
        bool is_kept =
            __atomic_compare_exchange_n(&spare[i], &none, top, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
        if (is_kept) return;
    }
    (void)munmap(top - SPARE_STACK - DISTANCE, SPARE_STACK + 2 * (size_t)DISTANCE);
}

void streams_call_on_spare_stack(void (*function)(void *), void *context) {
    char *top = take_stack();
    if (top == NULL) {
        function(context);
        return;
    }
    streams_switch_stack(top, function, context);
    give_back(top);
}

#else

void streams_call_on_spare_stack(void (*function)(void *), void *context) {
    function(context);
}

#endif
#endif
