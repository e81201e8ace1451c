/* Handles, errors of calls, and mixing with C. */

#include "support.hpp"

using streams::value;

namespace {

template <typename F> streams_status status_of(F call) {
    try {
        call();
    } catch (const streams::error &e) { return e.status(); }
    return STREAMS_OK;
}

} // namespace

STREAMS_TEST("handles are counted, moved, lent and given away") {
    streams::publisher first = streams::just(1);
    CHECK(streams_live_handles() == 1);
    streams::publisher second = first; // NOLINT
    CHECK(second == first);
    CHECK(streams_live_handles() == 1);
    const streams::publisher third = std::move(first);
    CHECK_FALSE(first); // NOLINT: it is what is promised
    CHECK(third);
    second = streams::just(2);
    CHECK(second != third);
    second = third;
    second = *&second; // to itself
    CHECK(shown(second) == "1");
    streams_publisher *raw = streams_count(second.release()); // C consumes it
    CHECK_FALSE(second);
    CHECK(shown(streams::publisher(raw)) == "1");
    CHECK(shown(third) == "1"); // operators do not use it up
}

STREAMS_TEST("what the library refuses is an error with its sentence") {
    try {
        (void)streams::just(1).prefix(-1);
        FAIL("was not refused");
    } catch (const streams::error &e) {
        CHECK(e.status() == STREAMS_INVALID_ARGUMENT);
        CHECK(e.what() == std::string("streams_prefix: count is -1; it must be at least 0"));
    }
    const streams::publisher none;
    streams_clear_last_error();
    const streams::publisher copied = none; // NOLINT: no call that could be refused
    CHECK(streams_last_status() == STREAMS_OK);
    CHECK_FALSE(copied);
    CHECK(status_of([&] { (void)none.count(); }) == STREAMS_NULL_HANDLE);
    CHECK(status_of([&] { none.run([](int) {}); }) == STREAMS_NULL_HANDLE);
    CHECK(status_of([&] { (void)none.sink([](int) {}); }) == STREAMS_NULL_HANDLE);
    CHECK(status_of([&] { (void)none.describe(); }) == STREAMS_NULL_HANDLE);
    CHECK(status_of([&] { (void)streams::just(1).append(none); }) == STREAMS_NULL_HANDLE);
    CHECK(status_of([&] { (void)streams::merge({ streams::just(1), none }); }) == STREAMS_NULL_HANDLE);
    CHECK(status_of([&] { (void)streams::just("\xff"); }) == STREAMS_INVALID_UTF8);
    CHECK(status_of([&] { (void)streams::scheduler().now(); }) == STREAMS_NULL_HANDLE);
    CHECK(status_of([&] { streams::empty(false).run(); }) == STREAMS_TERMINATED);
    CHECK(status_of([&] { streams::passthrough_subject().run([](int) {}, std::chrono::milliseconds(1)); }) ==
          STREAMS_TIMED_OUT);
}

STREAMS_TEST("a function that is refused is destroyed") {
    const counted kept(1);
    CHECK_THROWS_AS((void)streams::publisher().map([kept](int n) { return n; }), streams::error);
    CHECK_THROWS_AS((void)streams::publisher().sink([kept](int) {}), streams::error);
    CHECK_THROWS_AS(
        (void)streams::publisher().lift([kept] { return [](streams::emitter &, int) {}; }), streams::error);
    CHECK_THROWS_AS((void)streams::publisher().handle_events(
                        { nullptr, [kept](streams::value_view) {}, nullptr, nullptr, nullptr }),
        streams::error);
    CHECK(counted::live == 1);
}

STREAMS_TEST("functions live as long as their stream, and no longer") {
    streams::passthrough_subject subject;
    {
        const counted kept(1);
        const auto mapped = subject.map([kept](int n) { return n + kept.number; });
        auto running = mapped.sink([kept](int) {}, [kept](std::exception_ptr) {});
        CHECK(counted::live == 4);
        subject.send(1);
        running.cancel();
        CHECK(counted::live == 2); // mapped may be subscribed to again
    }
    CHECK(counted::live == 0);
}

STREAMS_TEST("a cancellable cancels when it goes") {
    streams::passthrough_subject subject;
    int received = 0;
    {
        auto running = subject.sink([&](int) { received++; });
        subject.send(1);
        auto moved = std::move(running);
        subject.send(2);
    }
    subject.send(3);
    CHECK(received == 2);
    auto another = subject.sink([&](int) { received++; });
    another.reset();
    subject.send(4);
    CHECK(received == 2);
}

STREAMS_TEST("a subject is a publisher, also as a copy of one") {
    streams::current_value_subject subject(1);
    const streams::publisher copied = subject; // NOLINT
    streams::subject same = subject;           // NOLINT
    std::vector<int> received;
    auto running = copied.sink([&](int n) { received.push_back(n); });
    same.send(2);
    subject.set_value(3);
    CHECK(subject.get_value() == value(3));
    CHECK(received == std::vector<int>{ 1, 2, 3 });
    subject.finish();
    CHECK(status_of([&] { subject.send(4); }) == STREAMS_TERMINATED);
}
