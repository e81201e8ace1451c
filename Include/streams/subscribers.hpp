/*
 * streams/subscribers.hpp - what receives a stream.
 *
 * The rules at the top of streams.hpp hold here too.
 */

#ifndef STREAMS_SUBSCRIBERS_HPP
#define STREAMS_SUBSCRIBERS_HPP

#include "schedulers.hpp"

#include <functional>

namespace streams {

class binding;
class observable_object;
class subject;

/* How many values a sink requests at the start: sink(demand(2), ...). */
class demand {
public:
    explicit constexpr demand(std::uint64_t count) noexcept : count_(count) {}
    constexpr std::uint64_t count() const noexcept { return count_; }

private:
    std::uint64_t count_;
};

/* The link between a subscriber and its publisher. All of it may be called on any thread, also in the
 * subscriber's own callbacks. */
class subscription : public shared_handle<streams_subscription> {
public:
    using shared_handle::shared_handle;

    /* Demands values in addition to what is open. */
    void request(std::uint64_t count) { detail::check(streams_subscription_request(get(), count)); }
    /* Ends the stream: nothing more is received. */
    void cancel() { detail::check(streams_subscription_cancel(get())); }
    /* How many values any part of the stream has dropped. */
    std::uint64_t dropped() const noexcept { return streams_dropped(get()); }
};

/* A running stream. It is cancelled when this is destroyed: keep it for as long as values are wanted. */
class [[nodiscard]] cancellable : public handle<streams_cancellable> {
public:
    using handle::handle;

    /* Ends the stream now; also in a callback. Again, or after the end, it does nothing. */
    void cancel() { detail::check(streams_cancel(get())); }
    /* How many values any part of the stream has dropped. */
    std::uint64_t dropped() const noexcept { return streams_dropped(get()); }
};

/* Callbacks that watch a stream: see publisher::handle_events. Any of them may be empty; none may throw. */
struct event_handlers {
    std::function<void(subscription &)> on_subscription;
    std::function<void(value_view)> on_value;
    std::function<void(std::exception_ptr)> on_completion; /* null: it has finished */
    std::function<void()> on_cancel;
    std::function<void(std::uint64_t)> on_request;
};

/* Callbacks that answer whether to stop in the debugger: see publisher::breakpoint. Any of them may be
 * empty; none may throw. */
struct breakpoints {
    std::function<bool()> on_subscription;
    std::function<bool(value_view)> on_value;
    std::function<bool(std::exception_ptr)> on_completion;
};

namespace detail {

/* What sink does with a failure for which it was given no function: nobody would ever see it. */
struct unhandled {
    void operator()(const std::exception_ptr &failed) const noexcept {
        if (failed) std::rethrow_exception(failed);
    }
};

struct nothing {
    template <typename... A> void operator()(A &&...) const noexcept {}
};

/* What on_value has returned, as a demand. */
template <typename Call> std::uint64_t demanded(Call call) {
    using result = decltype(call());
    if constexpr (std::is_void_v<result>) {
        call();
        return 0;
    } else {
        static_assert(std::is_integral_v<result> && !std::is_same_v<result, bool>,
            "return nothing, or how many more values are demanded");
        const auto count = call();
        if constexpr (std::is_signed_v<result>) {
            if (count < 0) throw std::invalid_argument("the demand is negative");
        }
        return static_cast<std::uint64_t>(count);
    }
}

/* The callbacks of a subscriber. */
template <typename Value, typename Completion, typename Subscription> struct receiver {
    Value on_value;
    Completion on_completion;
    Subscription on_subscription;

    /* Values come together if the function takes them so. */
    using taken = parameter_t<Value, 0>;
    static constexpr bool takes_batches = std::is_same_v<taken, batch>;
    static constexpr bool takes_numbers =
        std::is_same_v<taken, numbers<std::int64_t>> || std::is_same_v<taken, numbers<double>>;

    template <typename Call> static std::uint64_t answer(Call call) noexcept {
        std::uint64_t more = 0;
        return guarded([&] { more = demanded(call); }) == STREAMS_OK ? more : STREAMS_FAIL;
    }
    static std::uint64_t value(void *context, const streams_value *raw) noexcept {
        return answer([&]() -> decltype(auto) {
            if constexpr (takes_batches) {
                return of<receiver>(context).on_value(batch(raw, 1));
            } else {
                return call_one(of<receiver>(context).on_value, *raw);
            }
        });
    }
    static std::uint64_t values(void *context, const streams_value *raw, std::size_t count) noexcept {
        return answer([&]() -> decltype(auto) {
            if constexpr (takes_batches) {
                return of<receiver>(context).on_value(batch(raw, count));
            } else {
                return 0;
            }
        });
    }
    static void completion(void *context, const streams_error *raw) noexcept {
        Completion &f = of<receiver>(context).on_completion;
        if constexpr (std::is_invocable_v<Completion &, std::exception_ptr>) {
            f(exception_of(raw));
        } else {
            f();
        }
    }
    static void subscribed(void *context, streams_subscription *raw) noexcept {
        lent<subscription> begun(raw);
        of<receiver>(context).on_subscription(begun.get());
    }
    /* The struct of C; the receiver is its context. */
    streams_subscriber described(std::uint64_t demand) {
        streams_subscriber result = STREAMS_SUBSCRIBER_INIT;
        result.context = this;
        result.demand = demand;
        result.on_value = value;
        if constexpr (takes_batches) result.on_values = values;
        if constexpr (takes_numbers) result.on_numbers = value;
        result.on_completion = completion;
        if constexpr (!std::is_same_v<Subscription, nothing>) result.on_subscription = subscribed;
        return result;
    }
};

} // namespace detail

/* What publishers can do without operators: be subscribed to. */
class subscribable : public shared_handle<streams_publisher> {
public:
    using shared_handle::shared_handle;

    /*
     * Subscribes, and calls on_value with each value, as long as the result is kept. on_value may return how
     * many more values it demands. on_completion gets the exception with which the stream has failed,
     * std::exception_ptr, or a null one when it has finished; without one, a failure ends the process, as an
     * exception that nobody catches. on_subscription gets a subscription &, to request and to cancel; it may
     * be copied.
     *
     * What on_value throws cancels the stream and comes to on_completion. The other two must not throw. All
     * are called on the thread that delivers, one at a time, and destroyed after the last call.
     */
    template <typename Value, typename Completion = detail::unhandled,
        typename Subscription = detail::nothing>
    cancellable sink(demand initial, Value on_value, Completion on_completion = {},
        Subscription on_subscription = {}) const {
        using receiver = detail::receiver<Value, Completion, Subscription>;
        std::unique_ptr<receiver> kept(
            new receiver{ std::move(on_value), std::move(on_completion), std::move(on_subscription) });
        streams_subscriber described = kept->described(initial.count());
        described.destroy = detail::destroy<receiver>;
        (void)kept.release();
        return cancellable(detail::checked(streams_sink(reference(), &described)));
    }
    /* With unlimited demand. */
    template <typename Value, typename Completion = detail::unhandled>
    cancellable sink(Value on_value, Completion on_completion = {}) const {
        return sink(demand(unlimited), std::move(on_value), std::move(on_completion));
    }

    /* Subscribes and waits for the end, at most for the timeout: then it cancels, and throws an error with
     * STREAMS_TIMED_OUT. A failure of the stream is thrown as the exception that it is. The thread sleeps; a
     * loop that it would run does not run. */
    template <typename Value>
    void run(demand initial, Value on_value, std::chrono::nanoseconds timeout = forever) const {
        std::exception_ptr failed;
        const auto keep = [&failed](std::exception_ptr exception) { failed = std::move(exception); };
        detail::receiver<Value, decltype(keep), detail::nothing> receiver{ std::move(on_value), keep, {} };
        const streams_subscriber described = receiver.described(initial.count());
        const streams_status status = streams_run(reference(), &described, timeout.count());
        if (failed) std::rethrow_exception(failed);
        detail::check(status);
    }
    template <typename Value> void run(Value on_value, std::chrono::nanoseconds timeout = forever) const {
        run(demand(unlimited), std::move(on_value), timeout);
    }
    void run() const { run(detail::nothing()); }
    /* Waits as run does, and returns all values. */
    template <typename T> std::vector<T> to_vector(std::chrono::nanoseconds timeout = forever) const {
        static_assert(!std::is_same_v<T, std::string_view> && !std::is_same_v<T, value_view>,
            "what is lent would be gone: take a std::string or a value");
        std::vector<T> all;
        run([&all](T each) { all.push_back(std::move(each)); }, timeout);
        return all;
    }

    /* Sets a current-value subject, a binding, or a value of an object to each value; values that a binding
     * refuses are counted. */
    cancellable assign(const subject &to) const;
    cancellable assign_to_binding(const binding &to) const;
    cancellable assign_to_published(const observable_object &object, const std::string &name) const;
    /* Sends values and the completion on to a subject. */
    cancellable subscribe(const subject &to) const;

    /* What it is made of, as a tree. */
    std::string describe() const {
        return detail::text_of([this](char *buffer, std::size_t capacity, std::size_t *needed) {
            return streams_publisher_describe(get(), buffer, capacity, needed);
        });
    }
};

/* Does the work that calls on this thread have left to the outermost of them, before a callback waits for a
 * stream in any other way than by run. */
inline void catch_up() { detail::check(streams_catch_up()); }

} // namespace streams

#endif /* STREAMS_SUBSCRIBERS_HPP */
