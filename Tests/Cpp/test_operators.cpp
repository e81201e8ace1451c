/* Every operator: what is written here is called with the arguments that it should have. */

#include "support.hpp"

using namespace std::chrono_literals;
using streams::just;
using streams::publisher;
using streams::sequence;
using streams::value;

namespace {

/* What a publisher with a virtual clock publishes, and when, in milliseconds. */
template <typename Make> std::string timed(Make make) {
    streams::virtual_scheduler clock;
    std::string text;
    const publisher p = make(clock);
    auto running = p.sink(
        [&](const value &each) { text += std::to_string(clock.now() / 1ms) + ":" + each.describe() + " "; },
        [&](std::exception_ptr failed) { text += failed ? "!" : "|"; });
    clock.advance(1h);
    return text;
}

/* 0, 1 and 2 at 10, 20 and 30 ms. */
publisher ticks(const streams::scheduler &clock) { return streams::interval(10ms, 10ms, 3, clock); }

int twice(int n) { return 2 * n; }

} // namespace

STREAMS_TEST("values one by one") {
    CHECK(shown(numbers(3).map([](int n) { return n * n; })) == "1 4 9");
    CHECK(shown(numbers(2).map(twice).map(&twice)) == "4 8");
    CHECK(shown(numbers(2).map([](auto v) { return v.template get<double>() / 2; })) == "0.5 1.0");
    CHECK(shown(numbers(2).map([] { return "x"; })) == "x x");
    CHECK(shown(numbers(2).map([](int) {})) == "null null");
    CHECK(shown(numbers(3).map([sum = 0](int n) mutable { return sum += n; })) == "1 3 6");
    CHECK(shown(sequence({ "a", "bc" }).map([](std::string_view text) { return text.size(); })) == "1 2");
    CHECK(shown(sequence({ "a", "bc" }).map([](std::string_view text) { return text; })) == "a bc");
    CHECK(shown(numbers(2).map([](const value &v) noexcept { return v; })) == "1 2");
    CHECK(shown(numbers(2).encode([](int n) { return std::to_string(n); })) == "1 2");
    CHECK(shown(sequence({ "7" }).decode([](const std::string &text) { return std::stoi(text); })) == "7");
    CHECK(shown(numbers(4).filter([](int n) { return n % 2 == 0; })) == "2 4");
    CHECK(shown(numbers(4).compact_map(
              [](int n) { return n > 2 ? std::optional<int>(10 * n) : std::nullopt; })) == "30 40");
    CHECK(shown(sequence(std::vector<double>{ 1, 2 }).map_batch([](streams::numbers<double> in) {
        std::vector<double> out;
        for (const double each : in) out.push_back(each / 2);
        return out;
    })) == "0.5 1.0");
    CHECK(shown(sequence({ 1, 1, 2, 1 }).remove_duplicates()) == "1 2 1");
    CHECK(shown(sequence({ 1, 3, 2 }).remove_duplicates_by([](int a, int b) { return a % 2 == b % 2; })) ==
          "1 2");
    CHECK(shown(sequence({ 1, 1, 2, 1 }).distinct()) == "1 2");
    CHECK(shown(sequence({ 1, 3, 2 }).distinct_by([](int n) { return n % 2; })) == "1 2");
    CHECK(shown(sequence({ 1, nullptr }).replace_nil(0)) == "1 0");
}

STREAMS_TEST("reducing and buffers") {
    CHECK(shown(numbers(3).scan(0, [](int sum, int n) { return sum + n; })) == "1 3 6");
    CHECK(shown(numbers(3).scan(0,
              [](auto sum, auto n) { return sum.template get<int>() + n.template get<int>(); })) == "1 3 6");
    CHECK(shown(numbers(3).reduce("", [](std::string text, int n) { return text + std::to_string(n); })) ==
          "123");
    CHECK(shown(numbers(3).pairwise().map([](int a, int b) { return 10 * a + b; })) == "12 23");
    CHECK(
        shown(numbers(3).pairwise().map([](std::pair<int, int> p) { return p.second - p.first; })) == "1 1");
    CHECK(shown(numbers(3).count()) == "3");
    CHECK(shown(numbers(3).sum()) == "6");
    CHECK(shown(sequence({ 2, 1, 3 }).min()) == "1");
    CHECK(shown(sequence({ 2, 1, 3 }).max()) == "3");
    const auto more = [](int a, int b) { return a > b; };
    CHECK(shown(sequence({ 2, 1, 3 }).min_by(more)) == "3");
    CHECK(shown(sequence({ 2, 1, 3 }).max_by(more)) == "1");
    CHECK(shown(numbers(3).contains(2)) == "true");
    CHECK(shown(numbers(3).contains_where([](int n) { return n > 3; })) == "false");
    CHECK(shown(numbers(3).all_satisfy([](int n) { return n < 3; })) == "false");
    CHECK(shown(numbers(3).collect()) == "[1, 2, 3]");
    CHECK(shown(numbers(3).collect_count(2)) == "[1, 2] [3]");
    CHECK(shown(numbers(3).buffer(2)) == "1 2 3");
    CHECK(shown(numbers(3).buffer_or_fail(
              3, [] { return refused(1); }, streams::prefetch::by_request)) == "1 2 3");

    streams::passthrough_subject subject;
    std::string kept, full;
    const auto collects = [](std::string &text) { return [&text](int n) { text += std::to_string(n); }; };
    streams::subscription requested;
    const auto begin = [&](streams::subscription &begun) { requested = begun; };
    const auto ended = [&](std::exception_ptr) { full = "!"; };
    auto oldest = subject.buffer(2, streams::prefetch::by_request, streams::when_full::drop_oldest)
                      .sink(streams::demand(0), collects(kept), ended, begin);
    for (int n = 1; n <= 3; n++) subject.send(n);
    requested.request(9);
    CHECK(kept == "23");
    CHECK(oldest.dropped() == 1);
    CHECK(requested.dropped() == 1);
    oldest.cancel();
    kept.clear();
    auto failing = subject.buffer_or_fail(
                              1, [] { return refused(1); }, streams::prefetch::by_request)
                       .sink(streams::demand(0), collects(kept), ended, begin);
    for (int n = 1; n <= 3; n++) subject.send(n);
    requested.request(9);
    CHECK(kept + full == "1!");
    requested = {};
}

STREAMS_TEST("selecting") {
    const auto small = [](int n) { return n < 3; };
    CHECK(shown(numbers(4).prefix(2)) == "1 2");
    CHECK(shown(numbers(4).drop_first()) == "2 3 4");
    CHECK(shown(numbers(4).drop_first(3)) == "4");
    CHECK(shown(numbers(4).prefix_while(small)) == "1 2");
    CHECK(shown(numbers(4).drop_while(small)) == "3 4");
    CHECK(shown(numbers(4).prefix_until_output(just(1))) == "");
    CHECK(shown(numbers(4).drop_until_output(just(1))) == "1 2 3 4");
    CHECK(shown(numbers(4).first()) == "1");
    CHECK(shown(numbers(4).first_where([](int n) { return n > 1; })) == "2");
    CHECK(shown(numbers(4).last()) == "4");
    CHECK(shown(numbers(4).last_where(small)) == "2");
    CHECK(shown(numbers(4).output_at(1)) == "2");
    CHECK(shown(numbers(4).output_in(1, 3)) == "2 3");
    CHECK(shown(numbers(4).ignore_output()) == "");
    CHECK(shown(numbers(0).replace_empty("none")) == "none");
}

STREAMS_TEST("combining") {
    const auto two = [](int n) { return sequence({ n, 10 * n }); };
    CHECK(shown(numbers(2).flat_map(two)) == "1 10 2 20");
    CHECK(shown(numbers(2).flat_map(two, 1)) == "1 10 2 20");
    CHECK(shown(numbers(2).concat_map(two)) == "1 10 2 20");
    CHECK(shown(numbers(2).switch_to_latest(two)) == "1 10 2 20");
    CHECK(shown(numbers(1).merge(just("a"), just("b"))) == "1 a b");
    CHECK(shown(streams::merge({ numbers(1), just("a") })) == "1 a");
    CHECK(shown(numbers(2).amb(just("a"))) == "1 2");
    CHECK(shown(streams::amb({ streams::empty(false), just("a") })) == "a");
    CHECK(shown(just(1).combine_latest(sequence({ "a", "b" }))) == "[1, \"a\"] [1, \"b\"]");
    CHECK(shown(streams::combine_latest({ just(1), just(2), just(3) }).map([](int a, int b, int c) {
        return a + b + c;
    })) == "6");
    CHECK(shown(just(1).combine_latest_with({ just(2) }, [](int a, int b) { return a - b; })) == "-1");
    CHECK(shown(streams::combine_latest_with(
              { just(1), just(2) }, [](std::vector<int> all) { return all; })) == "[1, 2]");
    CHECK(shown(streams::combine_latest_with({ just(1), just(2) }, [](auto all) { return all.size(); })) ==
          "2");
    CHECK(shown(numbers(2).zip(sequence({ "a", "b" }))) == "[1, \"a\"] [2, \"b\"]");
    CHECK(shown(streams::zip({ numbers(2), numbers(2) })) == "[1, 1] [2, 2]");
    CHECK(shown(numbers(2).zip_with({ numbers(2) }, [](int a, int b) { return a * b; })) == "1 4");
    CHECK(shown(streams::zip_with({ numbers(1), numbers(1) }, [](int a, int b) { return a + b; })) == "2");
    CHECK(shown(numbers(2).with_latest_from(just("a"))) == "[1, \"a\"] [2, \"a\"]");
    CHECK(shown(numbers(2).with_latest_from_with(just(10), [](int a, int b) { return a + b; })) == "11 12");
    CHECK(shown(numbers(2).append(just(9))) == "1 2 9");
    CHECK(shown(numbers(2).prepend(just(9))) == "9 1 2");
    CHECK(shown(numbers(2).zip_with({ numbers(2) }, [](int) { return 0; })).front() == '!');
    CHECK(shown(numbers(2).zip_with({ numbers(2) }, [](int, int, int) { return 0; })) ==
          "!expected a list of 3 items, not the list [1, 1]");

    streams::passthrough_subject values, trigger;
    std::string text;
    auto running = values.sample(trigger).sink([&](int n) { text += std::to_string(n); });
    values.send_values({ 1, 2 });
    trigger.send();
    CHECK(text == "2");
}

STREAMS_TEST("failures and ends") {
    const publisher bad = sequence({ 1, 2 }).append(streams::fail(refused(7)));
    CHECK(shown(bad) == "1 2!refused 7");
    CHECK(shown(bad.catch_failure([](std::exception_ptr) { return just(9); })) == "1 2 9");
    CHECK(shown(bad.catch_failure([] { return just(9); })) == "1 2 9");
    CHECK(
        shown(bad.map_error([](std::exception_ptr) { return std::runtime_error("other"); })) == "1 2!other");
    CHECK(shown(bad.replace_error(0)) == "1 2 0");
    CHECK(shown(bad.retry(1)) == "1 2 1 2!refused 7");
    CHECK(shown(bad.assert_no_failure("here")).find("1 2!here: ") == 0);
    CHECK(shown(just(1).repeat(2)) == "1 1");
    CHECK(shown(just(1).materialize()) == "[\"value\", 1] [\"finished\"]");
    CHECK(shown(bad.materialize().dematerialize()) == "1 2!refused 7");
    CHECK(shown(streams::record({ 1, 2 })) == "1 2");
    CHECK(shown(streams::record({ 1 }, refused(2))) == "1!refused 2");
    CHECK(shown(streams::deferred([n = 0]() mutable { return just(++n); }).repeat(2)) == "1 2");
    CHECK(shown(streams::empty()) == "");
    CHECK(shown(sequence(std::vector<std::int64_t>{ 1, 2 })) == "1 2");
    CHECK(shown(sequence(std::vector<value>{})) == "");
}

STREAMS_TEST("time") {
    CHECK(timed(ticks) == "10:0 20:1 30:2 |");
    CHECK(timed([](auto &c) { return ticks(c).debounce(15ms, c).append(just("end")); }) == "30:end |");
    CHECK(timed([](auto &c) { return ticks(c).delay(5ms, c); }) == "15:0 25:1 35:2 |");
    CHECK(timed([](auto &c) { return ticks(c).throttle(15ms, c); }) == "10:0 25:1 40:2 |");
    CHECK(timed([](auto &c) { return ticks(c).throttle(25ms, c, false); }) == "10:0 35:1 |");
    CHECK(timed([](auto &c) { return ticks(c).append(streams::empty(false)).timeout(20ms, c); }) ==
          "10:0 20:1 30:2 |");
    CHECK(timed([](auto &c) {
        return ticks(c).append(streams::empty(false)).timeout(20ms, c, refused(1));
    }) == "10:0 20:1 30:2 !");
    CHECK(timed([](auto &c) {
        return ticks(c).measure_interval(c).map([](std::int64_t n) { return n / 1000000; });
    }) == "10:10 20:10 30:10 |");
    CHECK(timed([](auto &c) { return ticks(c).collect_by_time(25ms, c); }) == "25:[0, 1] 30:[2] |");
    CHECK(
        timed([](auto &c) { return ticks(c).collect_by_time_or_count(50ms, 2, c); }) == "20:[0, 1] 30:[2] |");
    CHECK(timed([](auto &c) { return ticks(c).receive_on(c).subscribe_on(c); }) == "10:0 20:1 30:2 |");
    const auto failing = [](const streams::scheduler &c) {
        return streams::deferred([c] { return just(c.now() / 1ms).append(streams::fail(refused(3))); });
    };
    const streams::backoff twice_more{ 2, 10ms, 2, 1h, 0 };
    CHECK(timed([&](auto &c) { return failing(c).retry_backoff(twice_more, c); }) == "0:0 10:10 30:30 !");
    CHECK(timed([&](auto &c) {
        return failing(c).retry_backoff(twice_more, c, [](const refused &e) { return e.code == 3; });
    }) == "0:0 10:10 30:30 !");
    CHECK(timed([&](auto &c) {
        return failing(c).retry_backoff(twice_more, c, [](const std::logic_error &) { return true; });
    }) == "0:0 !");
}

STREAMS_TEST("dividing") {
    const auto groups = numbers(5).group_by([](int n) { return n % 2 == 0 ? "even" : "odd"; });
    CHECK(shown(groups.flat_map([](const streams::group &g) {
        return g.sum().map([key = g.key().get<std::string>()](int sum) { return key + std::to_string(sum); });
    })) == "odd9 even6");
    const auto collected = [](const publisher &p) { return p.collect(); };
    CHECK(shown(numbers(5).window_by_count(2, 2).flat_map(collected)) == "[1, 2] [3, 4] [5]");
    CHECK(shown(numbers(2).window(streams::empty(false)).flat_map(collected)) == "[1, 2]");
    CHECK(timed([&](auto &c) { return ticks(c).window_by_time(15ms, c).flat_map(collected); }) ==
          "15:[0] 30:[1] 30:[2] |");
    CHECK(timed([&](auto &c) { return ticks(c).window_by_time_or_count(1h, 2, c).flat_map(collected); }) ==
          "20:[0, 1] 30:[2] |");
    CHECK(shown(numbers(1).flat_map(collected)) == "!expected a group or a window, not the integer 1");
}

STREAMS_TEST("sharing") {
    int subscribed = 0;
    const publisher cold = streams::deferred([&subscribed] { return subscribed++, numbers(2); });
    CHECK(shown(cold.share()) == "1 2");
    const auto replayed = cold.share_replay(1);
    CHECK(shown(replayed) == "1 2");
    CHECK(shown(replayed) == "2");
    CHECK(subscribed == 2);

    std::string text;
    const auto add = [&](int n) { text += std::to_string(n); };
    {
        const auto connectable = cold.make_connectable();
        auto a = connectable.sink(add), b = connectable.sink(add);
        auto connection = connectable.connect();
        CHECK(text == "1122");
        CHECK(shown(cold.make_connectable().autoconnect()) == "1 2");
        streams::passthrough_subject through;
        const auto multicast = cold.multicast(through);
        auto c = through.sink(add);
        auto d = multicast.connect();
        CHECK(text == "112212");
    }
}

STREAMS_TEST("watching") {
    std::string text;
    const auto write = [&](std::string_view part) { text += part; };
    CHECK(shown(just(1).print("p", write)) == "1");
    CHECK(text == "p: receive subscription: (Once)\np: request unlimited\np: receive value: (1)\np: receive "
                  "finished\n");
    text.clear();
    CHECK(shown(just(1).track("t", write)) == "1");
    CHECK(text.find("t: Subscriber on_value value: 1") != std::string::npos);
    CHECK(just(1).count().describe() == "count\n  just");
    CHECK(just(1).print().track().describe() == "track\n  print\n    just");
    CHECK(shown(just(1).breakpoint_on_error()) == "1");

    text.clear();
    streams::event_handlers handlers;
    CHECK(shown(just(1).handle_events(handlers)) == "1");
    handlers.on_subscription = [&](streams::subscription &) { text += "s "; };
    handlers.on_value = [&](streams::value_view v) { text += v.describe() + " "; };
    handlers.on_completion = [&](const std::exception_ptr &failed) { text += failed ? "!" : "|"; };
    handlers.on_cancel = [&] { text += "c "; };
    handlers.on_request = [&](std::uint64_t count) {
        text += count == streams::unlimited ? "all " : "some ";
    };
    CHECK(shown(numbers(2).handle_events(handlers).prefix(1)) == "1");
    CHECK(shown(streams::fail(refused(1)).handle_events(handlers)) == "!refused 1");
    CHECK(text == "s all 1 c s all !");

    int asked = 0;
    streams::breakpoints never;
    CHECK(shown(just(1).breakpoint(never)) == "1");
    never.on_subscription = [&] { return asked++ < 0; };
    never.on_value = [&](streams::value_view v) { return asked++ < 0 && v.is_null(); };
    never.on_completion = [&](const std::exception_ptr &) { return asked++ < 0; };
    CHECK(shown(just(1).breakpoint(never)) == "1");
    CHECK(asked == 3);
}
