/*
 * streams/custom.hpp - publishers of existing values, and publishers and operators of your own.
 *
 * The rules at the top of streams.hpp hold here too.
 */

#ifndef STREAMS_CUSTOM_HPP
#define STREAMS_CUSTOM_HPP

#include "publisher.hpp"

namespace streams {

/* ---- Values that exist already ---- */

/* Publishes one value and finishes. */
inline publisher just(const value &one) { return publisher(detail::checked(streams_just(&one.raw()))); }

/* Publishes nothing, and finishes, or never does. */
inline publisher empty(bool complete_immediately = true) {
    return publisher(detail::checked(streams_empty(complete_immediately)));
}

/* Fails with an exception. */
template <typename E> publisher fail(E exception) {
    return publisher(detail::checked(streams_fail(detail::failed_with(std::move(exception)).get())));
}

namespace detail {

inline std::vector<streams_value> raw_of(const std::vector<value> &values) {
    std::vector<streams_value> raw;
    raw.reserve(values.size());
    for (const value &each : values) raw.push_back(each.raw());
    return raw;
}

template <typename N, typename Function> auto with_numbers(Function function, std::vector<N> items) {
    return function(&value(std::move(items)).raw());
}

} // namespace detail

/* Publishes values to each subscriber, from the first, as demanded, and finishes: sequence({ 1, "two" }). */
inline publisher sequence(const std::vector<value> &values) {
    return publisher(detail::checked(streams_sequence(detail::raw_of(values).data(), values.size())));
}
/* Publishes what a vector has: of numbers, without a copy. */
template <typename T> publisher sequence(std::vector<T> items) {
    if constexpr (std::is_same_v<T, std::int64_t> || std::is_same_v<T, double>) {
        return publisher(detail::checked(detail::with_numbers(streams_sequence_numbers, std::move(items))));
    } else {
        return sequence(std::vector<value>(items.begin(), items.end()));
    }
}

/* Publishes recorded values, and then finishes, or fails with an exception. */
inline publisher record(const std::vector<value> &values) {
    return publisher(detail::checked(streams_record(detail::raw_of(values).data(), values.size(), nullptr)));
}
template <typename E> publisher record(const std::vector<value> &values, E exception) {
    return publisher(detail::checked(streams_record(
        detail::raw_of(values).data(), values.size(), detail::failed_with(std::move(exception)).get())));
}

/* Calls f for each subscriber, to make its publisher. */
template <typename F> publisher deferred(F f) {
    return publisher(detail::checked(detail::with<detail::make_publisher>(streams_deferred, std::move(f))));
}

/* Publishes 0, 1, 2 and so on: the first after a time, and each other one interval later. */
inline publisher interval(std::chrono::nanoseconds first, std::chrono::nanoseconds every, std::uint64_t count,
    const scheduler &on) {
    return publisher(detail::checked(streams_interval(first.count(), every.count(), count, on.get())));
}

/* ---- Several publishers ---- */

namespace detail {

template <typename Function, typename... Callback>
publisher combined(Function function, const std::vector<publisher> &several, Callback... callback) {
    std::vector<streams_publisher *> raw;
    raw.reserve(several.size());
    for (const publisher &each : several) raw.push_back(each.reference());
    return publisher(checked(function(raw.data(), raw.size(), callback...)));
}

template <typename F, typename Function>
publisher combined_with(Function function, const std::vector<publisher> &several, F f) {
    auto context = std::make_unique<F>(std::move(f));
    return combined(function, several, combine_values<F>::call, context.release(), destroy<F>);
}

} // namespace detail

/* Passes on what any of them publishes, or only the first that publishes something. */
inline publisher merge(const std::vector<publisher> &several) {
    return detail::combined(streams_merge, several);
}
inline publisher amb(const std::vector<publisher> &several) { return detail::combined(streams_amb, several); }

/* Publishes the latest value of each, whenever one of them publishes, or the first values of each, then the
 * second ones: as a list, or what f makes of them. */
inline publisher combine_latest(const std::vector<publisher> &several) {
    return detail::combined(streams_combine_latest, several);
}
inline publisher zip(const std::vector<publisher> &several) { return detail::combined(streams_zip, several); }
template <typename F> publisher combine_latest_with(const std::vector<publisher> &several, F f) {
    return detail::combined_with(streams_combine_latest_with, several, std::move(f));
}
template <typename F> publisher zip_with(const std::vector<publisher> &several, F f) {
    return detail::combined_with(streams_zip_with, several, std::move(f));
}

template <typename... Others> publisher publisher::merge(const Others &...others) const {
    return streams::merge({ *this, others... });
}
template <typename... Others> publisher publisher::amb(const Others &...others) const {
    return streams::amb({ *this, others... });
}
template <typename... Others> publisher publisher::combine_latest(const Others &...others) const {
    return streams::combine_latest({ *this, others... });
}
template <typename... Others> publisher publisher::zip(const Others &...others) const {
    return streams::zip({ *this, others... });
}
template <typename F>
publisher publisher::combine_latest_with(const std::vector<publisher> &others, F f) const {
    std::vector<publisher> several{ *this };
    several.insert(several.end(), others.begin(), others.end());
    return streams::combine_latest_with(several, std::move(f));
}
template <typename F> publisher publisher::zip_with(const std::vector<publisher> &others, F f) const {
    std::vector<publisher> several{ *this };
    several.insert(several.end(), others.begin(), others.end());
    return streams::zip_with(several, std::move(f));
}

/* ---- Groups and windows ---- */

/* A group of group_by: a publisher, and the key of its values. */
class group : public publisher {
public:
    group(publisher values, value key) : publisher(std::move(values)), key_(std::move(key)) {}
    const value &key() const noexcept { return key_; }

private:
    value key_;
};

/* A group or a window. Publishers are not values otherwise. */
template <> struct value_traits<publisher> {
    static publisher read(const streams_value &raw) {
        streams_publisher *made = raw.kind == STREAMS_VALUE_OBJECT ? streams_value_publisher(&raw) : nullptr;
        if (made == nullptr) throw bad_value("a group or a window", raw);
        return publisher(made);
    }
};

template <> struct value_traits<group> {
    static group read(const streams_value &raw) {
        publisher values = value_traits<publisher>::read(raw);
        return { std::move(values), detail::made_value(streams_group_key, &raw) };
    }
};

/* ---- Publishers and operators of your own ---- */

/*
 * The sending end of a subscription to a source or an operator of yours. It is lent for the length of a
 * call: a copy may be kept, and used on any thread.
 */
class emitter : public shared_handle<streams_emitter> {
public:
    using shared_handle::shared_handle;

    /* Sends a value. False if it was not taken: there is no demand, or no subscriber any more. */
    bool send(const value &next) { return went(streams_emitter_send(get(), &next.raw())); }
    /* Sends several, as many as there is demand for, and returns how many were taken. */
    std::size_t send_values(const std::vector<value> &values) {
        std::size_t taken = 0;
        const auto raw = detail::raw_of(values);
        (void)went(streams_emitter_send_values(get(), raw.data(), raw.size(), &taken));
        return taken;
    }
    /* Ends the stream. False if it has ended already. */
    bool finish() { return went(streams_emitter_finish(get())); }
    template <typename E> bool fail(E exception) {
        return went(streams_emitter_fail(get(), detail::failed_with(std::move(exception)).get()));
    }
    /* How many values may be sent now. */
    std::uint64_t demand() const noexcept { return streams_emitter_demand(get()); }
    /* How many sends may have reached nobody: see streams_emitter_refusals. */
    std::uint64_t refusals() const noexcept { return streams_emitter_refusals(get()); }
    /* Asks the source again. False if the stream has ended. */
    bool wake() { return went(streams_emitter_wake(get())); }

private:
    static bool went(streams_status status) {
        if (status == STREAMS_DEMAND_EXCEEDED || status == STREAMS_TERMINATED) return false;
        detail::check(status);
        return true;
    }
};

namespace detail {

/* Calls with an emitter, if the function takes one. */
template <typename F, typename... Rest> decltype(auto) call_emitting(F &f, emitter &to, Rest... rest) {
    if constexpr (std::is_invocable_v<F &, emitter &, Rest...>) {
        return f(to, rest...);
    } else {
        return f(rest...);
    }
}

/* The state of a subscription: what the function that opens it returns. */
template <typename Open> struct opening {
    using state = std::decay_t<decltype(call_emitting(std::declval<Open &>(), std::declval<emitter &>()))>;

    static streams_status open(void *context, streams_emitter *raw, void **out) noexcept {
        lent<emitter> to(raw);
        return guarded([&] { *out = new state(call_emitting(of<Open>(context), to.get())); });
    }
};

template <typename State> struct producing {
    static streams_status produce(void *state, streams_emitter *raw, std::uint64_t max) noexcept {
        lent<emitter> to(raw);
        return guarded([&] { (void)of<State>(state)(to.get(), max); });
    }
};

template <typename State, typename = void> inline constexpr bool sees_completion = false;
template <typename State>
inline constexpr bool sees_completion<State, std::void_t<decltype(&State::on_completion)>> = true;

template <typename State> struct lifting {
    static streams_status value(void *state, streams_emitter *raw, const streams_value *in) noexcept {
        lent<emitter> to(raw);
        return guarded([&] {
            if constexpr (parameters<State>::are_known) {
                (void)of<State>(state)(to.get(), argument<typename parameters<State>::template at<1>>(*in));
            } else {
                (void)of<State>(state)(to.get(), value_view(*in));
            }
        });
    }
    static streams_status completion(
        void *state, streams_emitter *raw, const streams_error *failed) noexcept {
        lent<emitter> to(raw);
        return guarded([&] {
            if constexpr (sees_completion<State>)
                of<State>(state).on_completion(to.get(), exception_of(failed));
        });
    }
};

} // namespace detail

/*
 * Makes a publisher of your own. For each subscriber it calls open, which may take an emitter & and returns
 * a function of (emitter &, std::uint64_t max). This one is called when there is demand, sends at most max
 * values and returns: if it has sent fewer and not ended the stream, it is called again when more is
 * demanded, or the emitter is woken: see streams_source. It is destroyed after the end or a cancellation,
 * and what it has captured with it.
 *
 *     auto numbers = streams::source([] {
 *         return [n = 0](streams::emitter &to, std::uint64_t max) mutable {
 *             while (max-- > 0 && to.send(n)) n++;
 *         };
 *     });
 */
template <typename Open> publisher source(Open open) {
    using opened = detail::opening<Open>;
    using state = typename opened::state;
    auto context = std::make_unique<Open>(std::move(open));
    const streams_source functions = { sizeof functions, context.release(), opened::open,
        detail::producing<state>::produce, detail::destroy<state>, detail::destroy<Open> };
    return publisher(detail::checked(streams_publisher_create(&functions)));
}

/*
 * For each subscriber calls open, which returns a function of (emitter &, T value) that sends any number of
 * values. If it is an object with a function on_completion(emitter &, std::exception_ptr), this is called at
 * the end, and may send more. Demand is the library's concern: see streams_operator.
 */
template <typename Open> publisher publisher::lift(Open open) const {
    using opened = detail::opening<Open>;
    using state = typename opened::state;
    auto context = std::make_unique<Open>(std::move(open));
    const streams_operator behavior = { sizeof behavior, context.release(), opened::open,
        detail::lifting<state>::value, detail::lifting<state>::completion, detail::destroy<state>,
        detail::destroy<Open> };
    return then(streams_lift, &behavior);
}

} // namespace streams

#endif /* STREAMS_CUSTOM_HPP */
