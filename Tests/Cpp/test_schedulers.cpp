/* Schedulers, the loop, and threads. */

#include "support.hpp"

#include <thread>

using namespace std::chrono_literals;

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
