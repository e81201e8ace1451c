/* Sinks, demand, publishers and operators of one's own, schedulers, state and scopes. */

#include "support.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <thread>

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

STREAMS_TEST("schedulers") {
    streams::virtual_scheduler clock;
    std::string text;
    const auto number = clock.schedule(5ms, [&] { text += "no"; });
    clock.schedule(10ms, [&] { text += "a"; });
    clock.schedule_at(20ms, [&] { text += "b"; });
    clock.cancel(number);
    clock.advance(10ms);
    CHECK(text == "a");
    clock.run();
    CHECK(text == "ab");
    CHECK(clock.now() == 20ms);
    streams::debouncer debounced(10ms, clock);
    streams::throttler throttled(10ms, clock);
    for (const char each : { 'x', 'y', 'z' }) {
        debounced.execute([&text, each] { text += each; });
        throttled.execute([&text, each] { text += each; });
    }
    clock.run();
    CHECK(text == "abxzz");
    streams::immediate_scheduler at_once;
    at_once.schedule(1h, [&] { text = "now"; });
    CHECK(text == "now");

    streams::loop loop;
    CHECK(loop.descriptor() > 2);
    loop.schedule(0ns, [&] { loop.stop(); });
    loop.run();
    loop.run_once(0ns);
    loop.run_until(loop.now());

    streams::queue queue;
    streams::pool pool(2);
    const auto caller = std::this_thread::get_id();
    const auto elsewhere = [caller](int n) { return std::this_thread::get_id() == caller ? 0 : n; };
    CHECK(shown(numbers(2).receive_on(queue).map(elsewhere)) == "1 2");
    CHECK(shown(numbers(2).subscribe_on(pool.queue()).map(elsewhere)) == "1 2");
    CHECK(queue.now() > 0ns);
}

STREAMS_TEST("a scheduler of one's own") {
    struct mine {
        std::vector<std::pair<std::chrono::nanoseconds, streams::action>> *waiting;
        std::chrono::nanoseconds now() { return 7ns; }
        void schedule(std::chrono::nanoseconds time, streams::action action) {
            waiting->emplace_back(time, action);
        }
        void cancel(streams::action action) {
            for (auto each = waiting->begin(); each != waiting->end(); ++each)
                if (each->second == action) return (void)waiting->erase(each);
        }
    };
    std::vector<std::pair<std::chrono::nanoseconds, streams::action>> waiting;
    streams::scheduler own = streams::custom_scheduler(mine{ &waiting });
    int received = 0;
    const auto subscribed = [&] {
        return streams::just(1).delay(3ns, own).sink(
            [&](int) { received++; }, [&](const std::exception_ptr &e) { received += e ? 10 : 0; });
    };
    auto running = subscribed();
    CHECK(own.now() == 7ns);
    REQUIRE(waiting.size() == 1);
    CHECK(waiting[0].first == 10ns);
    const auto [time, action] = waiting[0];
    waiting.clear();
    action.run();
    CHECK(received == 1);
    CHECK_THROWS_AS(action.run(), streams::error);
    auto rejected = subscribed();
    REQUIRE(waiting.size() == 1);
    waiting[0].second.reject(refused(1));
    CHECK(received == 11);
    const auto number = own.schedule(1ns, [] {});
    own.cancel(number);
}

STREAMS_TEST("threads send, and the loop's thread receives") {
    streams::passthrough_subject results;
    streams::loop loop;
    int sum = 0;
    const auto caller = std::this_thread::get_id();
    auto running = results.receive_on(loop).prefix(400).sink(
        [&](int n) { sum += std::this_thread::get_id() == caller ? n : 1000; }, [&] { loop.stop(); });
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++)
        threads.emplace_back([&results] {
            streams::passthrough_subject own = results; // NOLINT: a copy for the thread
            for (int n = 0; n < 100; n++) own.send(1);
        });
    loop.run();
    for (auto &each : threads) each.join();
    CHECK(sum == 400);
}

STREAMS_TEST("properties and bindings") {
    using streams::property;
    streams::current_value_subject source(2);
    const auto number = property::of(source);
    const auto square = number.map([](int n) { return n * n; });
    const auto even = number.filter(0, [](int n) { return n % 2 == 0; });
    const auto odd =
        number.compact_map(1, [](int n) { return n % 2 == 1 ? std::optional<int>(n) : std::nullopt; });
    const auto sum = number.scan(0, [](int total, int n) { return total + n; });
    const auto both = property::combine_latest({ number, square }, [](int a, int b) { return a + b; });
    const auto zipped = property::zip({ number, square }, [](int a, int b) { return b - a; });
    const auto same = number.remove_duplicates([](int a, int b) { return a / 10 == b / 10; });
    const auto inner = number.flat_map([](int n) { return property::constant(-n); });
    const auto all = property::combine_latest({ number, number.remove_duplicates() });
    streams::virtual_scheduler clock;
    const auto later = number.receive_on(clock);
    std::string text;
    auto running = both.all_values().sink([&](int n) { text += std::to_string(n) + " "; });
    auto following = both.subsequent_values().sink([&](int n) { text += std::to_string(n) + "; "; });
    source.send(3);
    CHECK(text == "6 12 12; ");
    std::string now;
    for (const auto &each :
        { number, square, even, odd, sum, both, zipped, same, inner, all, later, property::zip({ number }) })
        now += each.get_value().describe() + " ";
    CHECK(now == "3 9 2 3 3 12 6 2 -3 [3, 3] 2 [3] ");
    CHECK(property::of(0, numbers(3)).get_value() == value(3));

    int kept = 1;
    const streams::binding own([&] { return kept; }, [&](int n) { kept = n; });
    own.set_value(5);
    CHECK(kept == 5);
    CHECK(own.get_value() == value(5));
    const auto negated = own.map([](int n) { return -n; }, [](int, int part) { return -part; });
    negated.set_value(8);
    CHECK(kept == -8);
    CHECK(own.part([](int n) { return n; }, [](int, int n) { return n; }).get_value() == value(-8));
    CHECK(streams::binding::of(streams::current_value_subject(std::vector<int>{ 1, 2 }))
              .element(1)
              .get_value() == value(2));
    CHECK(streams::binding::constant(1).property().get_value() == value(1));
    CHECK(shown(own.values().prefix(1)) == "-8");
    auto assigned = numbers(4).assign_to_binding(own);
    CHECK(kept == 4);
    auto refusing = streams::just("text").assign_to_binding(own);
    CHECK(refusing.dropped() == 1);

    streams::observable_object object;
    object.add("count", 1);
    int changes = 0;
    auto watching = object.will_change().sink([&] { changes++; });
    object.set_value("count", 2);
    object.binding("count").set_value(3);
    object.send_will_change();
    auto published = numbers(4).assign_to_published(object, "count");
    CHECK(object.get_value("count") == value(4));
    CHECK(shown(object.publisher("count").prefix(1)) == "4");
    CHECK(changes == 7);
    CHECK_THROWS_AS((void)object.get_value("other"), streams::error);
}

STREAMS_TEST("scopes") {
    streams::current_value_subject title("milk");
    int begun = 0, ended = 0, rows = 0;
    struct visit {
        int *ended;
        explicit visit(int *count) : ended(count) {}
        visit(visit &&other) noexcept : ended(std::exchange(other.ended, nullptr)) {}
        ~visit() {
            if (ended != nullptr) ++*ended;
        }
    };
    struct state {
        streams::current_value_subject &title;
        int &begun, &ended, &rows;
    } all{ title, begun, ended, rows };
    const auto row = [&all](streams::scope &scope, int number) {
        all.rows++;
        scope.task("visit", number, [&all] { return all.begun++, visit(&all.ended); });
        const auto count = scope.state("count", 0);
        return number == 1 ? all.title.get_value()
                           : value(number + count.get_value().get<int>() +
                                   scope.get_environment_value("by").get<int>());
    };
    streams::scope kept;
    {
        streams::scope_tree tree(
            [&](streams::scope &scope, int count) {
                kept = scope;
                scope.set_environment_value("by", 10);
                for (int n = 1; n <= count; n++) scope.child(n, n, row);
                return "to buy";
            },
            2);
        std::vector<int> updates;
        auto running = tree.updates().sink([&](int bodies) { updates.push_back(bodies); });
        const auto described = [&] {
            tree.update();
            std::string text;
            for (const auto &[depth, shown] : tree.shown())
                text += std::to_string(depth) + shown.describe() + " ";
            return text;
        };
        CHECK(described() == "0to buy 1milk 112 ");
        title.send("bread");
        CHECK(described() == "0to buy 1bread 112 ");
        kept.invalidate(); // the children are the same as before, and do not run again
        CHECK(described() == "0to buy 1bread 112 ");
        CHECK(updates == std::vector<int>{ 3, 1, 1 });
        CHECK(begun == 2);
        CHECK(ended == 0);
        tree.set_environment_value("other", 1);
    }
    kept = {};
    CHECK(ended == 2);
    CHECK(rows == 3);
    // A body that captures more is run again, since it may differ.
    streams::current_value_subject changes(0);
    int runs = 0;
    const std::string text = "large";
    streams::virtual_scheduler clock;
    const streams::scope_tree updated(clock, [&, text](streams::scope &scope) {
        (void)changes.get_value();
        scope.child(1, [&runs, text](streams::scope &) { runs++; });
    });
    clock.run();
    changes.send(1);
    clock.run();
    CHECK(runs == 2);
}

STREAMS_TEST("a trace") {
    std::string text;
    streams::trace_start([&text](std::string_view line) { text += line; });
    const publisher traced = streams::just(1);
    streams::trace_stop();
    CHECK(shown(traced) == "1");
    CHECK(text.find("just: Subscriber on_value value: 1") != std::string::npos);
}

STREAMS_TEST("the list of live streams, with labels") {
    streams::watch_streams(true);
    streams::passthrough_subject prices;
    streams::label(prices, "prices", "shop.cpp:3");
    streams::watch_streams(false);
    streams::warn_about_drops(false);
    const streams::cancellable kept = prices.sink([](int) {});
    prices.send(1);
    const std::string line = "\tprices\tshop.cpp:3\t1\tunlimited\t0\t0\tvalue\t";
    CHECK(streams::live_streams().find(line) != std::string::npos);
}

STREAMS_TEST("a trace file") {
    const std::string path = "/tmp/streams-trace-" + std::to_string(getpid()) + ".json";
    streams::trace_to_file(path);
    CHECK(shown(streams::just(1)) == "1");
    streams::end_trace_file();
    std::ifstream file(path);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    CHECK(text.find("\"cat\":\"value\",\"name\":\"1\"") != std::string::npos);
    CHECK(std::remove(path.c_str()) == 0);
    CHECK_THROWS_AS(streams::trace_to_file("/"), streams::error);
}
