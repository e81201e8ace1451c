/*
 * streams/schedulers.hpp - where and when delayed work runs.
 *
 * The rules at the top of streams.hpp hold here too.
 */

#ifndef STREAMS_SCHEDULERS_HPP
#define STREAMS_SCHEDULERS_HPP

#include "callables.hpp"

namespace streams {

/*
 * A scheduler of any kind. A copy stands for the same one. When the last is gone, what waits is dropped, and
 * streams that need it fail: keep it for as long as they run. Functions that are scheduled run on the
 * scheduler's thread, and must not throw: the process would end.
 */
class scheduler : public shared_handle<streams_scheduler> {
public:
    using shared_handle::shared_handle;

    /* The present moment of its time. */
    std::chrono::nanoseconds now() const {
        const streams_nanoseconds time = streams_scheduler_now(get());
        if (time == 0 && streams_handle_kind(get()) != STREAMS_KIND_SCHEDULER) detail::throw_last();
        return std::chrono::nanoseconds(time);
    }
    /* Schedules one call of a function, and returns a number for cancel. */
    template <typename F> std::uint64_t schedule_at(std::chrono::nanoseconds time, F &&action) {
        const std::uint64_t number = detail::with<detail::action>(
            streams_scheduler_schedule, std::forward<F>(action), get(), time.count());
        if (number == 0) detail::throw_last();
        return number;
    }
    /* After a time, from now on. */
    template <typename F> std::uint64_t schedule(std::chrono::nanoseconds delay, F &&action) {
        return schedule_at(now() + delay, std::forward<F>(action));
    }
    /* Cancels what was scheduled, unless it has run. */
    void cancel(std::uint64_t number) { detail::check(streams_scheduler_cancel(get(), number)); }
};

/* Runs everything immediately, inside the call that schedules it. */
class immediate_scheduler : public scheduler {
public:
    immediate_scheduler() : scheduler(detail::checked(streams_immediate_scheduler_create())) {}
};

/* A scheduler whose time passes only when you say so: for tests. */
class virtual_scheduler : public scheduler {
public:
    virtual_scheduler() : scheduler(detail::checked(streams_virtual_scheduler_create())) {}

    /* Lets time pass, and runs what becomes due. */
    void advance(std::chrono::nanoseconds time) {
        detail::check(streams_virtual_scheduler_advance(get(), time.count()));
    }
    /* Lets time pass until nothing is left; throws an error with STREAMS_LIMIT after a million actions. */
    void run() { detail::check(streams_virtual_scheduler_run(get())); }
};

/* An event loop, whose actions run inside the calls below, on their thread. */
class loop : public scheduler {
public:
    loop() : scheduler(detail::checked(streams_loop_create())) {}

    /* Can be read from while something is due: watch it in a loop of your own, and call run_once. */
    int descriptor() const {
        const int descriptor = streams_loop_descriptor(get());
        if (descriptor < 0) detail::throw_last();
        return descriptor;
    }
    /* Runs what is due; if nothing is, waits for that, at most for the time. */
    void run_once(std::chrono::nanoseconds timeout = forever) {
        detail::check(streams_loop_run_once(get(), timeout.count()));
    }
    /* Runs what becomes due until a moment, or until stop. */
    void run_until(std::chrono::nanoseconds time) {
        detail::check(streams_loop_run_until(get(), time.count()));
    }
    /* Runs what becomes due until stop. */
    void run() { detail::check(streams_loop_run(get())); }
    /* Ends the call that runs, or the next one; from any thread. */
    void stop() { detail::check(streams_loop_stop(get())); }
};

/* A serial queue with a thread of its own. */
class queue : public scheduler {
public:
    queue() : scheduler(detail::checked(streams_queue_create())) {}
};

/* Threads that serial queues share. */
class pool : public shared_handle<streams_pool> {
public:
    explicit pool(std::size_t threads) : shared_handle(detail::checked(streams_pool_create(threads))) {}
    /* Another queue that the threads run. */
    streams::scheduler queue() { return streams::scheduler(detail::checked(streams_pool_queue(get()))); }
};

/* What a scheduler of your own has to run. It is lent to it: run or reject it once. */
class action {
public:
    explicit action(streams_action *raw) noexcept : raw_(raw) {}

    /* Runs it, on the thread on which the scheduler runs things. */
    void run() const { detail::check(streams_action_run(raw_)); }
    /* Says that it will never run: the stream that waits for it fails. */
    void reject() const { detail::check(streams_action_reject(raw_, nullptr)); }
    template <typename E> void reject(E exception) const {
        detail::check(streams_action_reject(raw_, detail::failed_with(std::move(exception)).get()));
    }
    friend bool operator==(action a, action b) noexcept { return a.raw_ == b.raw_; }
    friend bool operator!=(action a, action b) noexcept { return a.raw_ != b.raw_; }

private:
    streams_action *raw_;
};

/*
 * Makes a scheduler of a loop that you have already, as an object with three functions, which any thread may
 * call and which must not throw:
 *
 *     std::chrono::nanoseconds now();
 *     void schedule(std::chrono::nanoseconds time, streams::action);   not run within this call
 *     void cancel(streams::action);
 */
template <typename Implementation> scheduler custom_scheduler(Implementation implementation) {
    auto kept = std::make_unique<Implementation>(std::move(implementation));
    const streams_custom_scheduler functions = { sizeof functions, kept.get(),
        [](void *self) noexcept -> streams_nanoseconds {
            return std::chrono::nanoseconds(detail::of<Implementation>(self).now()).count();
        },
        [](void *self, streams_nanoseconds time, streams_action *raw) noexcept {
            detail::of<Implementation>(self).schedule(std::chrono::nanoseconds(time), action(raw));
        },
        [](void *self, streams_action *raw) noexcept {
            detail::of<Implementation>(self).cancel(action(raw));
        },
        detail::destroy<Implementation> };
    (void)kept.release();
    return scheduler(detail::checked(streams_custom_scheduler_create(&functions)));
}

/* Of the functions that come in quick succession, runs the last, when no other has come for due_time. */
class debouncer : public shared_handle<streams_debouncer> {
public:
    debouncer(std::chrono::nanoseconds due_time, const scheduler &on)
        : shared_handle(detail::checked(streams_debouncer_create(due_time.count(), on.get()))) {}
    template <typename F> void execute(F &&action) {
        detail::check(
            detail::with<detail::action>(streams_debouncer_execute, std::forward<F>(action), get()));
    }
};

/* Runs the first function immediately, and of those that come within the interval after one that has run,
 * the latest or the first, at its end. */
class throttler : public shared_handle<streams_throttler> {
public:
    throttler(std::chrono::nanoseconds interval, const scheduler &on, bool latest = true)
        : shared_handle(detail::checked(streams_throttler_create(interval.count(), on.get(), latest))) {}
    template <typename F> void execute(F &&action) {
        detail::check(
            detail::with<detail::action>(streams_throttler_execute, std::forward<F>(action), get()));
    }
};

/* How often a stream that has failed is tried again, and how long it waits before each time: see
 * streams_backoff. */
struct backoff {
    std::int64_t retries = std::numeric_limits<std::int64_t>::max();
    std::chrono::nanoseconds delay = std::chrono::seconds(1);
    double factor = 2;
    std::chrono::nanoseconds longest_delay = std::chrono::hours(1);
    double jitter = 0;

    operator streams_backoff() const noexcept {
        return { sizeof(streams_backoff), retries, delay.count(), factor, longest_delay.count(), jitter };
    }
};

} // namespace streams

#endif /* STREAMS_SCHEDULERS_HPP */
