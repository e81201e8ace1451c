/* handles.c - connections as tokens of a slot and a generation: one that is NULL, stale or of another
 * library is recognized without reading the memory that it would point to. */

#include <stdint.h>

#include "common.h"
#include "connection.h"

/* Tokens have these upper bits, by which they differ from those of streams.h. */
#define MARK       0x4E41ULL
#define MARK_SHIFT 48
#define GENERATION 0xFFFFFFFFULL

enum { SLOTS = 4096,
    SLOT_BITS = 12 };

typedef struct slot {
    connection *object; /* NULL: free */
    uint64_t generation;
    size_t references;
} slot;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static slot slots[SLOTS];
static size_t next_slot;
static atomic_uint forks;

static void lock_before_fork(void) { pthread_mutex_lock(&lock); }

static void unlock_in_parent(void) { pthread_mutex_unlock(&lock); }

static void begin_in_child(void) {
    atomic_fetch_add(&forks, 1);
    pthread_mutex_unlock(&lock);
}

__attribute__((constructor)) static void watch_forks(void) {
    (void)pthread_atfork(lock_before_fork, unlock_in_parent, begin_in_child);
}

unsigned fork_count(void) { return atomic_load_explicit(&forks, memory_order_relaxed); }

static streams_nats_connection *token(size_t index, uint64_t generation) {
    uint64_t bits = MARK << MARK_SHIFT | (generation & GENERATION) << SLOT_BITS | index;
    return (streams_nats_connection *)(uintptr_t)bits;
}

/* The slot of a live token, or NULL. */
static slot *slot_of(const void *handle) {
    uint64_t bits = (uint64_t)(uintptr_t)handle;
    slot *found = &slots[bits & (SLOTS - 1)];
    if (bits >> MARK_SHIFT != MARK || found->object == NULL) return NULL;
    return (found->generation & GENERATION) == (bits >> SLOT_BITS & GENERATION) ? found : NULL;
}

streams_nats_connection *handle_create(connection *object) {
    streams_nats_connection *made = NULL;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < SLOTS && made == NULL; i++) {
        size_t index = (next_slot + i) % SLOTS;
        if (slots[index].object != NULL) continue;
        next_slot = index + 1;
        slots[index] =
            (slot){ .object = object, .generation = slots[index].generation + 1, .references = 1 };
        made = token(index, slots[index].generation);
    }
    pthread_mutex_unlock(&lock);
    return made;
}

static streams_status refuse(const void *handle, const char *function) {
    if (handle == NULL) {
        bool failed = keeps_error(handle);
        return call_failed(STREAMS_NULL_HANDLE, function, "connection is NULL%s%s", failed ? ": " : "",
            failed ? streams_last_message() : "");
    }
    if (streams_handle_kind(handle) != STREAMS_KIND_NONE)
        return call_failed(STREAMS_WRONG_KIND, function,
            "connection is a handle of streams.h, not of streams_nats_connect");
    return call_failed(
        STREAMS_STALE_HANDLE, function, "connection has been released, or never was a handle");
}

streams_status handle_find(const streams_nats_connection *handle, const char *function, connection **out) {
    pthread_mutex_lock(&lock);
    slot *found = slot_of(handle);
    *out = found != NULL ? found->object : NULL;
    if (*out != NULL) connection_retain(*out);
    pthread_mutex_unlock(&lock);
    if (*out == NULL) return refuse(handle, function);
    if (!connection_is_foreign(*out)) return STREAMS_OK;
    connection_release(*out);
    *out = NULL;
    return call_failed(
        STREAMS_TERMINATED, function, "the connection belongs to the process that forked this one");
}

streams_status handle_retain(const streams_nats_connection *handle, const char *function) {
    pthread_mutex_lock(&lock);
    slot *found = slot_of(handle);
    if (found != NULL) found->references++;
    pthread_mutex_unlock(&lock);
    return found != NULL ? STREAMS_OK : refuse(handle, function);
}

streams_status handle_release(
    const streams_nats_connection *handle, const char *function, connection **last) {
    *last = NULL;
    pthread_mutex_lock(&lock);
    slot *found = slot_of(handle);
    if (found != NULL && --found->references == 0) {
        *last = found->object;
        found->object = NULL;
    }
    pthread_mutex_unlock(&lock);
    return found != NULL ? STREAMS_OK : refuse(handle, function);
}

streams_status streams_nats_retain(streams_nats_connection *handle) {
    return handle_retain(handle, __func__);
}

streams_status streams_nats_release(streams_nats_connection *handle) {
    connection *last = NULL;
    streams_status status = handle_release(handle, __func__, &last);
    if (last != NULL) {
        connection_close(last);
        connection_release(last);
    }
    return status;
}
