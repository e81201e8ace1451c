/* Properties, bindings, observable objects and scopes. */

#include "support.hpp"

using streams::value;

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
