/*
 * streams/publisher.hpp - publishers, and the operators as their member functions.
 *
 * The rules at the top of streams.hpp hold here too. Operators have the names of the functions of streams.h,
 * whose comments say what each does with demand, failures and threads.
 */

#ifndef STREAMS_PUBLISHER_HPP
#define STREAMS_PUBLISHER_HPP

#include "subscribers.hpp"

namespace streams {

class connectable;
class subject;

/* How a buffer asks for values, and what it drops when it is full: see streams_prefetch and
 * streams_when_full. */
enum class prefetch { keep_full = STREAMS_PREFETCH_KEEP_FULL,
    by_request = STREAMS_PREFETCH_BY_REQUEST };
enum class when_full {
    drop_newest = STREAMS_WHEN_FULL_DROP_NEWEST,
    drop_oldest = STREAMS_WHEN_FULL_DROP_OLDEST
};

/*
 * Describes a stream; values flow once it has a subscriber. A copy stands for the same publisher. Operators
 * leave the publisher as it is and return a new one.
 */
class publisher : public subscribable {
public:
    using subscribable::subscribable;

    /* ---- Values one by one ---- */

    /* Transforms each value. */
    template <typename F> publisher map(F f) const { return with<detail::transform>(streams_map, f); }
    /* Passes on the values for which f answers true. */
    template <typename F> publisher filter(F f) const { return with<detail::predicate>(streams_filter, f); }
    /* Transforms each value and drops the results that are null, as an empty std::optional is. */
    template <typename F> publisher compact_map(F f) const {
        return with<detail::transform>(streams_compact_map, f);
    }
    /* Transforms as many values at a time as there are: numbers<double> to std::vector<double>. */
    template <typename F> publisher map_batch(F f) const {
        return with<detail::transform>(streams_map_batch, f);
    }
    /* As map, under Combine's names for coders. */
    template <typename F> publisher encode(F f) const { return with<detail::transform>(streams_encode, f); }
    template <typename F> publisher decode(F f) const { return with<detail::transform>(streams_decode, f); }
    /* Drops a value that equals the one before it, or is the same as that in the sense of f. */
    publisher remove_duplicates() const { return then(streams_remove_duplicates); }
    template <typename F> publisher remove_duplicates_by(F f) const {
        return with<detail::relation>(streams_remove_duplicates_by, f);
    }
    /* Drops each value that equals one before it, however long ago, or whose key f does. */
    publisher distinct() const { return then(streams_distinct); }
    template <typename F> publisher distinct_by(F f) const {
        return with<detail::transform>(streams_distinct_by, f);
    }
    /* Replaces each null. */
    publisher replace_nil(const value &other) const { return then(streams_replace_nil, &other.raw()); }
    /* Applies an operator of your own: see custom.hpp. */
    template <typename Open> publisher lift(Open open) const;

    /* ---- Reducing, and buffers ---- */

    /* Combines each value with what is accumulated so far, and publishes every result. */
    template <typename F> publisher scan(const value &initial, F f) const {
        return with<detail::combine>(streams_scan, f, &initial.raw());
    }
    /* Combines all values, and publishes the result at the end. */
    template <typename F> publisher reduce(const value &initial, F f) const {
        return with<detail::combine>(streams_reduce, f, &initial.raw());
    }
    /* Publishes each value but the first with the one before it, as a pair. */
    publisher pairwise() const { return then(streams_pairwise); }
    /* How many values there were, and their sum. */
    publisher count() const { return then(streams_count); }
    publisher sum() const { return then(streams_sum); }
    /* The least and the greatest value; with f, which answers whether one comes before another, in its
     * order. */
    publisher min() const { return then(streams_min); }
    publisher max() const { return then(streams_max); }
    template <typename F> publisher min_by(F f) const { return with<detail::relation>(streams_min_by, f); }
    template <typename F> publisher max_by(F f) const { return with<detail::relation>(streams_max_by, f); }
    /* Whether one of the values is this, or one satisfies f, or all do: a bool. */
    publisher contains(const value &sought) const { return then(streams_contains, &sought.raw()); }
    template <typename F> publisher contains_where(F f) const {
        return with<detail::predicate>(streams_contains_where, f);
    }
    template <typename F> publisher all_satisfy(F f) const {
        return with<detail::predicate>(streams_all_satisfy, f);
    }
    /* Collects all values into a list, or into lists of count. */
    publisher collect() const { return then(streams_collect); }
    publisher collect_count(std::int64_t count) const { return then(streams_collect_count, count); }
    /* Keeps up to size values until there is demand for them; what is lost is counted. */
    publisher buffer(std::int64_t size, prefetch fetch = prefetch::keep_full,
        when_full full = when_full::drop_newest) const {
        return then(
            streams_buffer, size, static_cast<streams_prefetch>(fetch), static_cast<streams_when_full>(full));
    }
    /* Keeps up to size values; one for which there is no room fails the stream with the exception that f
     * returns. */
    template <typename F>
    publisher buffer_or_fail(std::int64_t size, F f, prefetch fetch = prefetch::keep_full) const {
        return with<detail::make_error>(
            streams_buffer_or_fail, f, size, static_cast<streams_prefetch>(fetch));
    }

    /* ---- Selecting ---- */

    /* The first count values only, or all but these. */
    publisher prefix(std::int64_t count) const { return then(streams_prefix, count); }
    publisher drop_first(std::int64_t count = 1) const { return then(streams_drop_first, count); }
    /* For as long as f answers true. */
    template <typename F> publisher prefix_while(F f) const {
        return with<detail::predicate>(streams_prefix_while, f);
    }
    template <typename F> publisher drop_while(F f) const {
        return with<detail::predicate>(streams_drop_while, f);
    }
    /* Until another publisher publishes a value. */
    publisher prefix_until_output(const publisher &other) const {
        return then(streams_prefix_until_output, other.reference());
    }
    publisher drop_until_output(const publisher &other) const {
        return then(streams_drop_until_output, other.reference());
    }
    /* The first or the last value, of all or of those for which f answers true. */
    publisher first() const { return then(streams_first); }
    template <typename F> publisher first_where(F f) const {
        return with<detail::predicate>(streams_first_where, f);
    }
    publisher last() const { return then(streams_last); }
    template <typename F> publisher last_where(F f) const {
        return with<detail::predicate>(streams_last_where, f);
    }
    /* The value with an index, or those from lower to below upper. */
    publisher output_at(std::int64_t index) const { return then(streams_output_at, index); }
    publisher output_in(std::int64_t lower, std::int64_t upper) const {
        return then(streams_output_in, lower, upper);
    }
    /* Only the end. */
    publisher ignore_output() const { return then(streams_ignore_output); }
    /* Publishes a value if there is none. */
    publisher replace_empty(const value &other) const { return then(streams_replace_empty, &other.raw()); }

    /* ---- Combining ---- */

    /* Makes a publisher from each value: passes on what at most max_publishers of them publish at a time, or
     * all of the first before the second, or the latest only. */
    template <typename F> publisher flat_map(F f, std::uint64_t max_publishers = unlimited) const {
        return with<detail::expand>(streams_flat_map, f, max_publishers);
    }
    template <typename F> publisher concat_map(F f) const {
        return with<detail::expand>(streams_concat_map, f);
    }
    template <typename F> publisher switch_to_latest(F f) const {
        return with<detail::expand>(streams_switch_to_latest, f);
    }
    /* With others, as the functions of these names below do. */
    template <typename... Others> publisher merge(const Others &...others) const;
    template <typename... Others> publisher amb(const Others &...others) const;
    template <typename... Others> publisher combine_latest(const Others &...others) const;
    template <typename... Others> publisher zip(const Others &...others) const;
    template <typename F> publisher combine_latest_with(const std::vector<publisher> &others, F f) const;
    template <typename F> publisher zip_with(const std::vector<publisher> &others, F f) const;
    /* Publishes each value with the latest of another publisher: as a pair, or what f makes of the two. */
    publisher with_latest_from(const publisher &other) const {
        return then(streams_with_latest_from, other.reference());
    }
    template <typename F> publisher with_latest_from_with(const publisher &other, F f) const {
        return with<detail::combine_values>(streams_with_latest_from_with, f, other.reference());
    }
    /* Publishes the latest value whenever trigger publishes one. */
    publisher sample(const publisher &trigger) const { return then(streams_sample, trigger.reference()); }
    /* Passes on what another publisher publishes after this one, or before it. */
    publisher append(const publisher &other) const { return then(streams_append, other.reference()); }
    publisher prepend(const publisher &other) const { return then(streams_prepend, other.reference()); }

    /* ---- Failures and ends ---- */

    /* Replaces a failure by the publisher that f returns. f takes std::exception_ptr, or a const reference
     * to the type of exception that it handles: any other passes through. So it is in map_error and
     * retry_backoff. */
    template <typename F> publisher catch_failure(F f) const {
        return with<detail::recover>(streams_catch, f);
    }
    /* Replaces a failure by the exception that f returns or throws. */
    template <typename F> publisher map_error(F f) const {
        return with<detail::transform_error>(streams_map_error, f);
    }
    /* Events as values, and values as events. */
    publisher materialize() const { return then(streams_materialize); }
    publisher dematerialize() const { return then(streams_dematerialize); }
    /* Publishes a value instead of a failure. */
    publisher replace_error(const value &other) const { return then(streams_replace_error, &other.raw()); }
    /* For failures that would be programming errors: replaces them by one that says so. */
    publisher assert_no_failure(const std::string &prefix = "") const {
        return then(streams_assert_no_failure, detail::text_or_none(prefix));
    }
    /* Subscribes again after a failure, at most that often; and each time after a longer wait, if the
     * failure is worth it. */
    publisher retry(std::int64_t retries) const { return then(streams_retry, retries); }
    publisher retry_backoff(const backoff &how, const scheduler &on) const {
        const streams_backoff raw = how;
        return then(streams_retry_backoff, &raw, on.get(), nullptr, nullptr, nullptr);
    }
    template <typename F>
    publisher retry_backoff(const backoff &how, const scheduler &on, F is_worthwhile) const {
        const streams_backoff raw = how;
        return with<detail::error_predicate>(streams_retry_backoff, is_worthwhile, &raw, on.get());
    }
    /* Subscribes again after a finish, until that many times. */
    publisher repeat(std::uint64_t times = unlimited) const { return then(streams_repeat, times); }

    /* ---- Time ---- */

    /* A value only when no other has come for due_time after it. */
    publisher debounce(std::chrono::nanoseconds due_time, const scheduler &on) const {
        return then(streams_debounce, due_time.count(), on.get());
    }
    /* Everything later. */
    publisher delay(std::chrono::nanoseconds interval, const scheduler &on) const {
        return then(streams_delay, interval.count(), on.get());
    }
    /* At most one value in each interval, the latest or the first. */
    publisher throttle(std::chrono::nanoseconds interval, const scheduler &on, bool latest = true) const {
        return then(streams_throttle, interval.count(), on.get(), latest);
    }
    /* Finishes, or fails with an exception, when no value comes for interval. */
    publisher timeout(std::chrono::nanoseconds interval, const scheduler &on) const {
        return then(streams_timeout, interval.count(), on.get(), nullptr);
    }
    template <typename E>
    publisher timeout(std::chrono::nanoseconds interval, const scheduler &on, E exception) const {
        return then(
            streams_timeout, interval.count(), on.get(), detail::failed_with(std::move(exception)).get());
    }
    /* How much time has passed since the value before: an integer, in nanoseconds. */
    publisher measure_interval(const scheduler &on) const { return then(streams_measure_interval, on.get()); }
    /* The values of each interval as a list; and also a list when it has count values. */
    publisher collect_by_time(std::chrono::nanoseconds interval, const scheduler &on) const {
        return then(streams_collect_by_time, interval.count(), on.get());
    }
    publisher collect_by_time_or_count(
        std::chrono::nanoseconds interval, std::int64_t count, const scheduler &on) const {
        return then(streams_collect_by_time_or_count, interval.count(), count, on.get());
    }
    /* Delivers values on a scheduler, or subscribes on one. */
    publisher receive_on(const scheduler &on) const { return then(streams_receive_on, on.get()); }
    publisher subscribe_on(const scheduler &on) const { return then(streams_subscribe_on, on.get()); }

    /* ---- Dividing ---- */

    /* Divides values into groups by the keys that f makes of them, or into windows. Each is a value that
     * functions take as a publisher, or a group as a group. */
    template <typename F> publisher group_by(F f, std::uint64_t ahead = as_demanded) const {
        return with<detail::transform>(streams_group_by, f, ahead);
    }
    publisher window(const publisher &boundaries, std::uint64_t ahead = as_demanded) const {
        return then(streams_window, boundaries.reference(), ahead);
    }
    publisher window_by_count(
        std::int64_t count, std::int64_t skip, std::uint64_t ahead = as_demanded) const {
        return then(streams_window_by_count, count, skip, ahead);
    }
    publisher window_by_time(
        std::chrono::nanoseconds interval, const scheduler &on, std::uint64_t ahead = as_demanded) const {
        return then(streams_window_by_time, interval.count(), ahead, on.get());
    }
    publisher window_by_time_or_count(std::chrono::nanoseconds interval, std::int64_t count,
        const scheduler &on, std::uint64_t ahead = as_demanded) const {
        return then(streams_window_by_time_or_count, interval.count(), count, ahead, on.get());
    }

    /* ---- Sharing ---- */

    /* One subscription for all subscribers; with a replay, late ones get the latest values. */
    publisher share() const { return then(streams_share); }
    publisher share_replay(std::uint64_t buffer_size) const {
        return then(streams_share_replay, buffer_size);
    }
    /* A connectable, which begins when it is told to. */
    connectable make_connectable() const;
    connectable multicast(const subject &through) const;

    /* ---- Watching ---- */

    /* Calls back on each event. */
    publisher handle_events(event_handlers handlers) const;
    /* Raises SIGTRAP when a callback answers true, or when the stream fails. */
    publisher breakpoint(breakpoints when) const;
    publisher breakpoint_on_error() const { return then(streams_breakpoint_on_error); }
    /* Writes a line about each event: to stdout, or by a function of std::string_view. */
    publisher print(const std::string &prefix = "") const {
        return then(streams_print, detail::text_or_none(prefix), nullptr, nullptr, nullptr);
    }
    template <typename F> publisher print(const std::string &prefix, F f) const {
        return with<detail::write>(streams_print, f, detail::text_or_none(prefix));
    }
    /* Writes a line about each call: to stderr, or by a function of std::string_view. */
    publisher track(const std::string &label = "") const {
        return then(streams_track, detail::text_or_none(label), nullptr, nullptr, nullptr);
    }
    template <typename F> publisher track(const std::string &label, F f) const {
        return with<detail::write>(streams_track, f, detail::text_or_none(label));
    }

private:
    template <typename Function, typename... Arguments>
    publisher then(Function function, Arguments... arguments) const {
        return publisher(detail::checked(function(reference(), arguments...)));
    }
    template <template <typename> class Kind, typename Function, typename F, typename... Before>
    publisher with(Function function, F &f, Before... before) const {
        auto context = std::make_unique<F>(std::move(f));
        return then(function, before..., Kind<F>::call, context.release(), detail::destroy<F>);
    }
};

} // namespace streams

#endif /* STREAMS_PUBLISHER_HPP */
