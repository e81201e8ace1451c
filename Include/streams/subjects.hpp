/*
 * streams/subjects.hpp - publishers that are fed by calls, shared ones, and what is watched of a stream.
 *
 * The rules at the top of streams.hpp hold here too.
 */

#ifndef STREAMS_SUBJECTS_HPP
#define STREAMS_SUBJECTS_HPP

#include "custom.hpp"

namespace streams {

/*
 * A publisher that passes what it is sent to all its subscribers. It does not wait for demand: what a
 * subscriber misses is counted. All of it may be called on any thread. A copy stands for the same subject.
 * After a completion, sending throws an error with STREAMS_TERMINATED.
 */
class subject : public publisher {
public:
    explicit subject(streams_subject *raw) : subject(shared_handle<streams_subject>(raw)) {}

    streams_subject *get() const noexcept { return subject_.get(); }

    /* Sends a value, null if there is none. */
    void send(const value &next = nullptr) { detail::check(streams_subject_send(get(), &next.raw())); }
    /* Sends several, much faster than one by one: see streams_subject_send_values. Numbers of a vector
     * travel together. */
    void send_values(const std::vector<value> &values) {
        detail::check(streams_subject_send_values(get(), detail::raw_of(values).data(), values.size()));
    }
    template <typename T> void send_values(std::vector<T> items) {
        if constexpr (std::is_same_v<T, std::int64_t> || std::is_same_v<T, double>) {
            detail::check(streams_subject_send_numbers(get(), &value(std::move(items)).raw()));
        } else {
            send_values(std::vector<value>(items.begin(), items.end()));
        }
    }
    /* Ends the stream of all subscribers. */
    void finish() { detail::check(streams_subject_send_completion(get(), nullptr)); }
    template <typename E> void fail(E exception) {
        detail::check(
            streams_subject_send_completion(get(), detail::failed_with(std::move(exception)).get()));
    }
    /* How many values have been dropped for lack of demand. */
    std::uint64_t dropped() const noexcept { return streams_dropped(get()); }
    /* The subject with a tracker around it: see streams_track_subject. */
    template <typename F> subject tracked(const std::string &label, F f) const {
        return subject(detail::checked(detail::with<detail::write>(
            streams_track_subject, std::move(f), get(), detail::text_or_none(label))));
    }

private:
    explicit subject(shared_handle<streams_subject> owned)
        : publisher(detail::checked(streams_subject_publisher(owned.get()))), subject_(std::move(owned)) {}

    shared_handle<streams_subject> subject_;
};

/* Keeps no value. */
class passthrough_subject : public subject {
public:
    passthrough_subject() : subject(detail::checked(streams_passthrough_subject_create())) {}
};

/* Keeps the latest values, and gives them to each new subscriber. */
class replay_subject : public subject {
public:
    explicit replay_subject(std::uint64_t buffer_size = unlimited)
        : subject(detail::checked(streams_replay_subject_create(buffer_size))) {}
};

/* Has a value, which each new subscriber gets. */
class current_value_subject : public subject {
public:
    explicit current_value_subject(const value &initial)
        : subject(detail::checked(streams_current_value_subject_create(&initial.raw()))) {}

    value get_value() const { return detail::made_value(streams_current_value_subject_get_value, get()); }
    /* Sends a value too, and sets it even after a completion. */
    void set_value(const value &next) {
        detail::check(streams_current_value_subject_set_value(get(), &next.raw()));
    }
};

/* Provides the value that a future publishes, once. A promise that is destroyed before it is kept never will
 * be. */
class promise : public handle<streams_promise> {
public:
    promise() : handle(detail::checked(streams_promise_create())) {}
    using handle::handle;

    /* The publisher of what the promise is kept with. */
    publisher future() const { return publisher(detail::checked(streams_promise_publisher(get()))); }
    /* Keeps it. A second time throws an error with STREAMS_TERMINATED. */
    void resolve(const value &result = nullptr) {
        detail::check(streams_promise_resolve(get(), &result.raw()));
    }
    template <typename E> void reject(E exception) {
        detail::check(streams_promise_reject(get(), detail::failed_with(std::move(exception)).get()));
    }
};

/* A publisher for several subscribers that begins when it is connected. */
class connectable : public publisher {
public:
    explicit connectable(streams_connectable *raw) : connectable(shared_handle<streams_connectable>(raw)) {}

    streams_connectable *get() const noexcept { return connectable_.get(); }
    /* Begins; the connection ends with the result. */
    cancellable connect() const { return cancellable(detail::checked(streams_connect(get()))); }
    /* Connects for the first subscriber, and disconnects after the last. */
    publisher autoconnect() const {
        return publisher(detail::checked(streams_autoconnect(connectable_.reference())));
    }

private:
    explicit connectable(shared_handle<streams_connectable> owned)
        : publisher(detail::checked(streams_connectable_publisher(owned.get()))),
          connectable_(std::move(owned)) {}

    shared_handle<streams_connectable> connectable_;
};

/* ---- What publisher.hpp and subscribers.hpp declare ---- */

inline connectable publisher::make_connectable() const {
    return connectable(detail::checked(streams_make_connectable(reference())));
}
inline connectable publisher::multicast(const subject &through) const {
    return connectable(detail::checked(streams_multicast(reference(), through.get())));
}
inline cancellable subscribable::assign(const subject &to) const {
    return cancellable(detail::checked(streams_assign(reference(), to.get())));
}
inline cancellable subscribable::subscribe(const subject &to) const {
    return cancellable(detail::checked(streams_subscribe(reference(), to.get())));
}

inline publisher publisher::handle_events(event_handlers handlers) const {
    using H = event_handlers;
    auto kept = std::make_unique<H>(std::move(handlers));
    streams_event_handlers raw = STREAMS_EVENT_HANDLERS_INIT;
    raw.context = kept.get();
    raw.on_subscription = [](void *self, streams_subscription *begun) noexcept {
        detail::lent<subscription> lent(begun);
        if (detail::of<H>(self).on_subscription) detail::of<H>(self).on_subscription(lent.get());
    };
    raw.on_value = [](void *self, const streams_value *each) noexcept {
        if (detail::of<H>(self).on_value) detail::of<H>(self).on_value(*each);
    };
    raw.on_completion = [](void *self, const streams_error *failed) noexcept {
        if (detail::of<H>(self).on_completion)
            detail::of<H>(self).on_completion(detail::exception_of(failed));
    };
    raw.on_cancel = [](void *self) noexcept {
        if (detail::of<H>(self).on_cancel) detail::of<H>(self).on_cancel();
    };
    raw.on_request = [](void *self, std::uint64_t count) noexcept {
        if (detail::of<H>(self).on_request) detail::of<H>(self).on_request(count);
    };
    raw.destroy = detail::destroy<H>;
    (void)kept.release();
    return then(streams_handle_events, &raw);
}

inline publisher publisher::breakpoint(breakpoints when) const {
    using B = breakpoints;
    auto kept = std::make_unique<B>(std::move(when));
    streams_breakpoints raw = STREAMS_BREAKPOINTS_INIT;
    raw.context = kept.get();
    raw.on_subscription = [](void *self) noexcept {
        return detail::of<B>(self).on_subscription && detail::of<B>(self).on_subscription();
    };
    raw.on_value = [](void *self, const streams_value *each) noexcept {
        return detail::of<B>(self).on_value && detail::of<B>(self).on_value(*each);
    };
    raw.on_completion = [](void *self, const streams_error *failed) noexcept {
        return detail::of<B>(self).on_completion &&
               detail::of<B>(self).on_completion(detail::exception_of(failed));
    };
    raw.destroy = detail::destroy<B>;
    (void)kept.release();
    return then(streams_breakpoint, &raw);
}

/* Publishers and subjects that are made from now on write what happens to them, by a function of
 * std::string_view, until trace_stop: see streams_trace_start. */
template <typename F> void trace_start(F f) {
    auto context = std::make_unique<F>(std::move(f));
    streams_trace_start(detail::write<F>::call, context.release(), detail::destroy<F>);
}
inline void trace_stop() { streams_trace_stop(); }

/* Says on the standard error output where values are dropped, for what is made while it is on. */
inline void warn_about_drops(bool is_on) { streams_warn_about_drops(is_on); }
/* Lists the streams of what is made while it is on: see streams_live_streams for the fields of a line. */
inline void watch_streams(bool is_on) { streams_watch_streams(is_on); }
inline std::string live_streams() {
    std::string text(4096, '\0');
    std::size_t needed = 0;
    detail::check(streams_live_streams(text.data(), text.size(), &needed));
    while (needed >= text.size()) { // it may have grown since
        text.resize(2 * needed);
        detail::check(streams_live_streams(text.data(), text.size(), &needed));
    }
    text.resize(needed);
    return text;
}
/* Writes what happens to a file for Perfetto and the like, until the end. */
inline void trace_to_file(const std::string &path) { detail::check(streams_trace_to_file(path.c_str())); }
inline void end_trace_file() { detail::check(streams_trace_to_file(nullptr)); }
/* Names a publisher or a subject in all of these. */
template <typename Handle>
void label(const Handle &of, const std::string &name, const std::string &place = "") {
    detail::check(streams_label(of.get(), name.c_str(), detail::text_or_none(place)));
}

} // namespace streams

#endif /* STREAMS_SUBJECTS_HPP */
