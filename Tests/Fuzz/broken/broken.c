/*
 * A library that breaks its word, to see that the fuzzer notices: preloaded, it
 * stands before the real one. BROKEN says how.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <streams.h>

static bool is_broken(const char *how) {
    const char *chosen = getenv("BROKEN");
    return chosen != NULL && strcmp(chosen, how) == 0;
}

/* demand: asks for one value more than it was asked for. */
streams_status streams_subscription_request(streams_subscription *subscription, uint64_t count) {
    streams_status (*real)(streams_subscription *, uint64_t) = NULL;
    *(void **)&real = dlsym(RTLD_NEXT, "streams_subscription_request");
    return real(subscription, is_broken("demand") && count < 1000 ? count + 1 : count);
}

/* leak: forgets to release. crash: follows a handle. */
streams_status streams_release(const void *handle) {
    streams_status (*real)(const void *) = NULL;
    *(void **)&real = dlsym(RTLD_NEXT, "streams_release");
    streams_kind kind = streams_handle_kind(handle);
    if (is_broken("leak") && kind == STREAMS_KIND_CANCELLABLE) return STREAMS_OK;
    if (is_broken("crash") && kind == STREAMS_KIND_ERROR) return *(const volatile streams_status *)handle;
    return real(handle);
}

/* hang: never comes back. */
streams_status streams_cancel(streams_cancellable *cancellable) {
    streams_status (*real)(streams_cancellable *) = NULL;
    *(void **)&real = dlsym(RTLD_NEXT, "streams_cancel");
    while (is_broken("hang") && streams_handle_kind(cancellable) == STREAMS_KIND_CANCELLABLE) {}
    return real(cancellable);
}

static void *stay(void *nothing) {
    for (;;) (void)pause();
    return nothing;
}

/* threads: leaves one behind. */
streams_scheduler *streams_queue_create(void) {
    streams_scheduler *(*real)(void) = NULL;
    *(void **)&real = dlsym(RTLD_NEXT, "streams_queue_create");
    pthread_t thread;
    if (is_broken("threads") && pthread_create(&thread, NULL, stay, NULL) == 0) pthread_detach(thread);
    return real();
}

/* status: answers with one that its comment does not name. */
streams_status streams_emitter_wake(streams_emitter *emitter) {
    streams_status (*real)(streams_emitter *) = NULL;
    *(void **)&real = dlsym(RTLD_NEXT, "streams_emitter_wake");
    return is_broken("status") ? STREAMS_INVALID_UTF8 : real(emitter);
}
