/*
 * The contexts that operations gave away, and what must hold for each call of
 * a callback. A context is a number, so that one that comes too late, or was
 * never given, is seen without following it.
 */
#include "fuzz.h"

enum { STATES = 4096,
    STATE_BIT = 1 << 19,
    EPOCH_SHIFT = 20 };

/* What a source's open made. */
typedef struct subscription_state {
    uint32_t context;
    _Atomic int running, closed;
} subscription_state;

state states[NODES];
static subscription_state opened[STATES];
static _Atomic uint32_t opened_count;
static uint64_t epoch = 1;

static void *token_of(uint32_t bits) { return (void *)(uintptr_t)(epoch << EPOCH_SHIFT | bits); }

void *context_token(uint32_t number) { return token_of(number); }

void reset_contexts(void) {
    uint32_t count = script->count < NODES ? script->count : NODES;
    memset(states, 0, count * sizeof(state));
    memset(opened, 0, (opened_count < STATES ? opened_count : STATES) * sizeof opened[0]);
    opened_count = 0;
    epoch++;
}

void *new_subscription_state(uint32_t context) {
    uint32_t number = opened_count++;
    if (number >= STATES) violated("the fuzzer has no room for more subscriptions");
    opened[number].context = context;
    return token_of(STATE_BIT | number);
}

/* The operation that a context belongs to; *opening is the subscription's state if it is one, else -1. */
static uint32_t resolve(const callback_info *info, void *token, int *opening) {
    uint64_t bits = (uintptr_t)token;
    uint32_t low = bits & ((1 << EPOCH_SHIFT) - 1);
    *opening = -1;
    if (bits >> EPOCH_SHIFT != epoch)
        violated("stray call: %s is called %s", info->name,
            bits >> EPOCH_SHIFT < epoch && bits ? "after its sequence has ended"
                                                : "with a context that is none");
    if (low & STATE_BIT) {
        *opening = (int)(low & ~(uint32_t)STATE_BIT);
        if (*opening >= (int)opened_count)
            violated("stray call: %s is called with a state that is none", info->name);
        return opened[*opening].context;
    }
    if (low >= script->count) violated("stray call: %s is called with a context that is none", info->name);
    return low;
}

static bool receives(int role) { return role == RECEIVES || role == RECEIVES_NUMBERS; }

/* How many values a subscriber is called with. */
static uint64_t value_count(const callback_info *info, const slot *a) {
    if (info->role == RECEIVES_NUMBERS) return ((const streams_value *)a[1].p)->size;
    return info->count > 2 ? a[2].u : 1;
}

static void enter_subscriber(const callback_info *info, state *each, uint64_t count) {
    int nobody = 0, role = info->role;
    uint32_t number = (uint32_t)(each - states);
    if (!atomic_compare_exchange_strong(&each->owner, &nobody, self.number) && nobody != self.number)
        violation("%s: %s of operation %u is called on one thread while %s on another",
            each->subscribing ? "handshake" : "not serial", info->name, number,
            each->subscribing ? "on_subscription runs" : "another call runs");
    each->nesting++;
    if (each->ended)
        violation("after the end: %s of operation %u is called after on_completion", info->name, number);
    if (each->cancelled && (!is_concurrent() || each->cancelled_by == self.number || each->late++ > 0))
        violation("after a cancel: %s of operation %u is called after a cancellation has returned",
            info->name, number);
    if (role == SUBSCRIBED) {
        if (each->subscribed++)
            violation("subscribed twice: %s of operation %u is called twice", info->name, number);
        each->subscribing++;
        return;
    }
    if (each->has_subscribed && !each->subscribed)
        violation("no subscription: %s of operation %u is called before on_subscription", info->name, number);
    if (role == COMPLETES) each->ended = 1;
    if (receives(role)) {
        if (each->failed)
            violation("after a failure: %s of operation %u is called", info->name, number);
        uint64_t delivered = atomic_fetch_add(&each->delivered, count) + count;
        if (each->demanded < INT64_MAX && delivered > each->demanded)
            violation("demand: %s of operation %u receives value %llu, and %llu were demanded", info->name,
                number,
                (unsigned long long)delivered, (unsigned long long)each->demanded);
    }
}

static void enter_object(const callback_info *info, state *each) {
    if (!each->counted) return;
    if (info->role == OBJECT_RETAIN) {
        each->references++;
    } else if (info->role == OBJECT_RELEASE) {
        if (--each->references < 0) violation("object: released more often than retained");
    } else if (each->references <= 0) {
        violation("object: %s is called for an object that has been released", info->name);
    }
}

uint32_t enter_context(int callback, slot *a, int *opening) {
    const callback_info *info = &callbacks[callback];
    uint32_t context = resolve(info, a[0].p, opening);
    state *each = &states[context];
    int role = info->role;
    if (role >= OBJECT_RETAIN) {
        enter_object(info, each);
        return context;
    }
    if (!each->given) violation("stray call: %s is called with a context that was not given", info->name);
    if (role == ENDS_CONTEXT) {
        if (each->destroyed++) violation("destroyed twice: destroy is called twice");
        if (each->running)
            violation("destroyed early: destroy is called while another callback of its context runs");
        return context;
    }
    if (each->destroyed) violation("after destroy: %s is called after its destroy", info->name);
    if (*opening >= 0) {
        subscription_state *its = &opened[*opening];
        if (role == ENDS_STATE) {
            if (its->closed++) violation("closed twice: %s is called twice", info->name);
            if (its->running) violation("closed early: %s is called while produce runs", info->name);
        } else {
            if (its->closed) violation("after close: %s is called after close", info->name);
            if (its->running++) violation("not serial: %s is called while it runs", info->name);
        }
    }
    each->running++;
    if (role >= SUBSCRIBED && role <= COMPLETES) enter_subscriber(info, each, value_count(info, a));
    return context;
}

void leave_context(int callback, uint32_t context, int opening, slot *a, slot *r) {
    const callback_info *info = &callbacks[callback];
    state *each = &states[context];
    int role = info->role;
    (void)a;
    if (role == ENDS_CONTEXT || role >= OBJECT_RETAIN) return;
    if (role >= SUBSCRIBED && role <= COMPLETES) {
        if (receives(role) && r->u == STREAMS_FAIL)
            each->failed = 1;
        else if (receives(role))
            demand(context, r->u);
        if (role == SUBSCRIBED) each->subscribing--;
        if (--each->nesting == 0) each->owner = 0;
    }
    if (opening >= 0 && role != ENDS_STATE) opened[opening].running--;
    each->running--;
}

void demand(uint32_t context, uint64_t count) {
    state *each = &states[context];
    uint64_t old = each->demanded, sum;
    do {
        sum = count >= INT64_MAX || old >= INT64_MAX - count ? INT64_MAX : old + count;
    } while (!atomic_compare_exchange_weak(&each->demanded, &old, sum));
}

void was_cancelled(uint32_t context) {
    state *each = &states[context];
    if (context == 0 || each->cancelled) return;
    each->cancelled_by = self.number;
    each->cancelled = 1;
}

void check_contexts(void) {
    uint32_t count = script->count < NODES ? script->count : NODES;
    for (uint32_t i = 1; i < count; i++) {
        const char *name = functions[script->nodes[i].what].name;
        if (script->nodes[i].type != NODE_OPERATION) continue;
        if (states[i].given == GIVEN_WITH_DESTROY && states[i].destroyed == 0)
            violation(
                "leak: the context given to %s (operation %u) is not destroyed after all was released", name,
                i);
        if (states[i].counted && states[i].references != 0)
            violation("leak: an object has %d references left after all was released", states[i].references);
    }
    for (uint32_t i = 0; i < opened_count && i < STATES; i++) {
        if (!opened[i].closed && states[opened[i].context].has_close)
            violation("leak: a source's state is not closed after all was released");
    }
}
