/* Sinks, demand, subjects, and publishers and operators of one's own. */

#include "support.hpp"

using namespace std::chrono_literals;
using streams::demand;
using streams::publisher;
using streams::value;

STREAMS_TEST("a callback catches up before it waits") {
    bool finished = false;
    auto running = numbers(1).sink([&](int) {
        auto inner = numbers(1).sink([](int) {}, [&](const std::exception_ptr &) { finished = true; });
        streams::catch_up();
        CHECK(finished);
    });
    CHECK(finished);
}

STREAMS_TEST("a sink demands what it says, and what on_value returns") {
    std::string text;
    streams::subscription requested;
    bool finished = false;
    {
        auto running = numbers(9).sink(
            demand(2),
            [&](int n) {
                text += std::to_string(n);
                return n == 1 ? 1 : 0;
            },
            [&](const std::exception_ptr &failed) { finished = !failed; },
            [&](streams::subscription &begun) { requested = begun; });
        CHECK(text == "123");
        requested.request(2);
        CHECK(text == "12345");
        CHECK_FALSE(finished);
        requested.request(streams::unlimited);
        CHECK(text == "123456789");
        CHECK(finished);
        CHECK_THROWS_AS(requested.request(0), streams::error);
    }
    text.clear();
    auto running = numbers(9).sink(
        demand(streams::unlimited),
        [&](int n) {
            text += std::to_string(n);
            if (n == 3) requested.cancel();
        },
        [&] { text += "|"; }, [&](streams::subscription &begun) { requested = begun; });
    CHECK(text == "123");
    requested = {};
    int received = 0;
    CHECK_THROWS_AS(
        streams::passthrough_subject().run(demand(1), [&](int) { received++; }, 0ns), streams::error);
}

STREAMS_TEST("values that come together are taken together") {
    streams::passthrough_subject subject;
    std::vector<std::size_t> sizes;
    auto a = subject.sink([&](streams::batch together) {
        sizes.push_back(together.size());
        CHECK(together[0].get<int>() == together.begin()->as.integer);
    });
    subject.send(1);
    subject.send_values({ 1, 2, 3 });
    subject.send_values(std::vector<int>{ 1, 2 });
    CHECK(sizes == std::vector<std::size_t>{ 1, 3, 2 });
    a.cancel();
    sizes.clear();
    double sum = 0;
    auto b = subject.sink([&](streams::numbers<double> together) {
        sizes.push_back(together.size());
        for (const double each : together) sum += each;
    });
    subject.send(0.5);
    subject.send_values(std::vector<double>(1000, 2));
    CHECK(sizes == std::vector<std::size_t>{ 1, 1000 });
    CHECK(sum == 2000.5);
    b.cancel();
    subject.send_values(std::vector<std::int64_t>{ 1, 2 });
    CHECK(subject.dropped() == 0);
    CHECK(subject.sink(demand(0), [](int) {}).dropped() == 0);
}

STREAMS_TEST("subjects and promises") {
    streams::replay_subject replayed(2);
    for (int n = 1; n <= 3; n++) replayed.send(n);
    replayed.fail(refused(9));
    CHECK(shown(replayed) == "2 3!refused 9");
    streams::current_value_subject kept(1);
    streams::passthrough_subject relayed;
    std::string text;
    auto a = relayed.sink([&](const value &v) { text += v.describe(); }, [&] { text += "|"; });
    auto b = numbers(2).subscribe(relayed);
    CHECK(text == "12|");
    auto c = numbers(3).assign(kept);
    CHECK(kept.get_value().get<int>() == 3);
    auto d = kept.tracked("t", [&](std::string_view line) { text = line; });
    d.send(4);
    CHECK(text == "- t: Subject send value: 4\n");

    streams::promise promise;
    const publisher future = promise.future();
    promise.resolve("kept");
    CHECK(shown(future) == "kept");
    CHECK_THROWS_AS(promise.resolve(), streams::error);
    streams::promise broken;
    broken.reject(refused(1));
    CHECK(shown(broken.future()) == "!refused 1");
    // A promise may travel as a value.
    CHECK(shown(streams::just(std::move(promise)).flat_map([](const streams::promise &p) {
        return p.future();
    })) == "kept");
}

STREAMS_TEST("a source produces what is demanded, and ends with its subscription") {
    int produced = 0;
    const counted kept(1);
    {
        const publisher source = streams::source([&produced, kept](streams::emitter &to) {
            CHECK(to.demand() == 0);
            return [&produced, kept, n = 0](streams::emitter &out, std::uint64_t max) mutable {
                for (; max > 0; max--, produced++)
                    if (!out.send(++n)) return;
            };
        });
        CHECK(shown(source.prefix(3)) == "1 2 3");
        std::string text;
        auto running = source.sink(demand(2), [&](int n) { text += std::to_string(n); });
        CHECK(text == "12");
        CHECK(produced == 5);
        CHECK(counted::live == 3);
    }
    CHECK(counted::live == 1);

    std::string taken;
    auto several = streams::source([] {
        return [](streams::emitter &to, std::uint64_t) { CHECK(to.send_values({ 1, "two", 3 }) == 2); };
    }).sink(demand(2), [&](const value &each) { taken += each.describe(); });
    CHECK(taken == "1two");

    streams::emitter woken;
    std::vector<int> ready;
    auto running = streams::source([&](streams::emitter &to) {
        woken = to;
        return [&](streams::emitter &out, std::uint64_t) {
            for (const int n : ready) (void)out.send(n);
            ready.clear();
        };
    })
                       .sink([&](int n) { ready.push_back(10 * n); },
                           [&](const std::exception_ptr &e) { ready.push_back(e ? -1 : 0); });
    CHECK(woken.demand() == streams::unlimited);
    CHECK(woken.refusals() == 0);
    CHECK(woken.send(1));
    CHECK(ready == std::vector<int>{ 10 });
    CHECK(woken.fail(refused(1)));
    CHECK(ready.back() == -1);
    CHECK_FALSE(woken.wake());
    CHECK_FALSE(woken.finish());
    CHECK_FALSE(woken.send(1));
    CHECK_THROWS_AS(streams::emitter().send(1), streams::error);
    woken = {};
}

STREAMS_TEST("an operator of one's own") {
    struct pairs {
        std::string rest;
        void operator()(streams::emitter &to, const std::string &text) {
            rest += text;
            for (; rest.size() >= 2; rest.erase(0, 2)) (void)to.send(rest.substr(0, 2));
        }
        void on_completion(streams::emitter &to, const std::exception_ptr &failed) {
            if (!failed && !rest.empty()) (void)to.send(rest);
        }
    };
    const auto text = streams::sequence({ "a", "bcd", "e" });
    CHECK(shown(text.lift([] { return pairs(); })) == "ab cd e");
    CHECK(shown(numbers(2).lift([] {
        return [](streams::emitter &to, auto v) { return to.send(v), to.send(v); };
    })) == "1 1 2 2");
    CHECK(shown(text.lift([](streams::emitter &) {
        return [](streams::emitter &to, int) { to.finish(); };
    })) == "!expected an integer, not the text a");
}
