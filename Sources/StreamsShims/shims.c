#include "streams_callbacks.h"
#include "streams_handles.h"
#include "streams_hosts.h"
#include "streams_memory.h"
#include "streams_numbers.h"
#include "streams_shims.h"
#include "streams_steps.h"

#include <stdlib.h>
#include <string.h>

void *streams_hosts_value[STREAMS_HOSTS];

uintptr_t streams_handle_chunks_value[STREAMS_HANDLE_CHUNKS];

bool streams_introspected = false;

bool streams_has_room(size_t size) {
    void *volatile place = malloc(size);
    bool has_room = place != NULL;
    free(place);
    return has_room;
}

bool streams_make_room(size_t size) {
#ifdef STREAMS_STATIC_RUNTIME
    if (streams_this_thread.room != NULL) return streams_has_room(size);
    streams_this_thread.room = malloc(size);
    streams_this_thread.room_size = size;
    return streams_this_thread.room != NULL;
#else
    return streams_has_room(size);
#endif
}

char *streams_joined(const char *first, const char *second) {
    size_t length = strlen(first);
    char *text = malloc(length + strlen(second) + 1);
    if (text == NULL) return NULL;
    memcpy(text, first, length);
    memcpy(text + length, second, strlen(second) + 1);
    return text;
}
