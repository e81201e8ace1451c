/* Exceptions: they fail their stream, and come out as themselves. */

#include "support.hpp"

#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

using streams::just;
using streams::publisher;

namespace {

/* Throws for a value, whatever type is asked for. */
struct thrower {
    template <typename... A> bool operator()(const A &...) const { throw refused(5); }
};

/* The number of a `refused` with which a publisher fails. */
int code_of(const publisher &p) {
    try {
        p.run();
    } catch (const refused &e) { return e.code; } catch (const std::exception &e) {
        MESSAGE(std::string(e.what()));
        return -1;
    }
    return 0;
}

} // namespace

STREAMS_TEST("every kind of function fails its stream with what it throws") {
    const publisher p = just(1);
    const publisher failed = streams::fail(std::runtime_error("first"));
    const publisher several = numbers(3);
    const auto yes = [](int) -> bool { throw refused(5); };
    const auto two = [](int, int) -> bool { throw refused(5); };
    const auto more = [](int) -> publisher { throw refused(5); };
    CHECK(code_of(p.map(yes)) == 5);
    CHECK(code_of(p.map(thrower())) == 5);
    CHECK(code_of(p.filter(yes)) == 5);
    CHECK(code_of(p.compact_map(yes)) == 5);
    CHECK(code_of(p.map_batch(
              [](streams::numbers<std::int64_t>) -> std::vector<double> { throw refused(5); })) == 5);
    CHECK(code_of(several.remove_duplicates_by(two)) == 5);
    CHECK(code_of(several.distinct_by(yes)) == 5);
    CHECK(code_of(several.scan(0, two)) == 5);
    CHECK(code_of(several.reduce(0, two)) == 5);
    CHECK(code_of(several.min_by(two)) == 5);
    CHECK(code_of(several.contains_where(yes)) == 5);
    CHECK(code_of(several.flat_map(more)) == 5);
    CHECK(code_of(several.concat_map(more)) == 5);
    CHECK(code_of(several.switch_to_latest(more)) == 5);
    CHECK(code_of(several.group_by(yes)) == 5);
    CHECK(code_of(several.zip_with({ several }, two)) == 5);
    CHECK(code_of(several.with_latest_from_with(several, two)) == 5);
    CHECK(code_of(streams::deferred([]() -> publisher { throw refused(5); })) == 5);
    CHECK(code_of(failed.catch_failure([](std::exception_ptr) -> publisher { throw refused(5); })) == 5);
    CHECK(code_of(failed.map_error([](std::exception_ptr) -> std::exception_ptr { throw refused(5); })) == 5);
    CHECK(code_of(streams::source(
              [] { return [](streams::emitter &, std::uint64_t) { throw refused(5); }; })) == 5);
    CHECK(code_of(streams::source(
              []() -> void (*)(streams::emitter &, std::uint64_t) { throw refused(5); })) == 5);
    CHECK(code_of(p.lift([] { return [](streams::emitter &, int) { throw refused(5); }; })) == 5);
    CHECK(code_of(p.lift([]() -> void (*)(streams::emitter &, int) { throw refused(5); })) == 5);
}

STREAMS_TEST("it is the same exception object") {
    const auto thrown = std::make_exception_ptr(refused(1));
    std::exception_ptr received;
    const auto keep = [&](std::exception_ptr failed) { received = std::move(failed); };
    const auto fails = just(1).map([thrown](int) { std::rethrow_exception(thrown); });
    (void)fails.sink([](int) {}, keep);
    CHECK(received == thrown);
    (void)fails.map_error([](std::exception_ptr e) { return e; }).sink([](int) {}, keep);
    CHECK(received == thrown);
    (void)streams::fail(thrown).sink([](int) {}, keep);
    CHECK(received == thrown);
}

STREAMS_TEST("what on_value throws cancels the stream and comes to on_completion") {
    streams::passthrough_subject subject;
    std::string text;
    auto running = subject.sink(
        [&](int n) {
            text += std::to_string(n);
            if (n == 2) throw refused(n);
        },
        [&](const std::exception_ptr &failed) {
            try {
                std::rethrow_exception(failed);
            } catch (const refused &e) { text += e.what(); }
        });
    for (int n = 1; n <= 3; n++) subject.send(n); // send itself does not throw it
    CHECK(text == "12refused 2");
    CHECK_THROWS_AS(numbers(2).run([](int) { throw refused(3); }), refused);
    CHECK_THROWS_AS(numbers(2).run([](const std::string &) {}), streams::bad_value);
    CHECK_THROWS_AS(numbers(2).run([](int) { return -1; }), std::invalid_argument);
    CHECK_THROWS_AS((void)numbers(2).to_vector<std::string>(), streams::bad_value);
}

STREAMS_TEST("a failure is caught by its type, and passes through unchanged otherwise") {
    const publisher fails = streams::fail(refused(4));
    CHECK(shown(fails.catch_failure([](const refused &e) { return just(e.code); })) == "4");
    CHECK(shown(fails.catch_failure([](const std::exception &e) { return just(e.what()); })) == "refused 4");
    CHECK(code_of(fails.catch_failure([](const std::logic_error &) { return just(1); })) == 4);
    CHECK(code_of(fails.map_error([](const std::logic_error &) { return refused(1); })) == 4);
    CHECK(code_of(fails.map_error([](const refused &e) { return refused(10 * e.code); })) == 40);
    // The error keeps its number, so that others see it to be the same.
    streams_error *raw = streams_error_create(1, "mine", "from C", nullptr);
    const std::uint64_t number = streams_error_number(raw);
    const publisher from_c(streams_fail(raw));
    streams_release(raw);
    try {
        from_c.catch_failure([](const refused &) { return just(1); }).run();
    } catch (const streams::failure &e) { CHECK(e.number() == number); }
}

STREAMS_TEST("a failure that is not an exception is a failure with its code, domain and object") {
    try {
        streams::fail(streams::failure(111, "network", "refused", "object")).run();
        FAIL("did not fail");
    } catch (const streams::failure &e) {
        CHECK(e.code() == 111);
        CHECK(e.domain() == "network");
        CHECK(e.what() == std::string("refused"));
        CHECK(e.object() == streams::value("object"));
        const streams::failure copy = e; // NOLINT
        CHECK(copy.number() == e.number());
    }
    try {
        numbers(1).map([](int) { return "text"; }).sum().run();
        FAIL("did not fail");
    } catch (const streams::failure &e) {
        CHECK(e.domain() == "streams");
        CHECK(e.code() == STREAMS_INVALID_VALUE);
        CHECK(e.object().is_null());
    }
    // One that should not have been is one of the library's, and carries the exception.
    try {
        streams::fail(refused(1)).assert_no_failure().run();
        FAIL("did not fail");
    } catch (const streams::failure &e) {
        CHECK(e.code() == STREAMS_ASSERTION_FAILED);
        CHECK_THROWS_AS(std::rethrow_exception(e.object().get<std::exception_ptr>()), refused);
    }
}

STREAMS_TEST("other languages see what an exception says") {
    const auto seen = [](const publisher &p) {
        return shown(p.materialize().map([](const streams::value &event) {
            return event[1].describe() + ", " + event[2].describe() + ", " + event[3].describe();
        }));
    };
    CHECK(seen(streams::fail(refused(3))) == "refused 3, c++, 0");
    CHECK(seen(streams::fail(7)) == "an exception that is not a std::exception, c++, 0");
    CHECK(seen(streams::fail(std::runtime_error("\xff"))) == "an exception whose text is not UTF-8, c++, 0");
    const std::error_code code = std::make_error_code(std::errc::no_such_file_or_directory);
    CHECK(seen(streams::fail(std::system_error(code, "f"))) == "f: No such file or directory, generic, 2");
    CHECK(seen(streams::fail(streams::failure(1, "mine", "text"))) == "text, mine, 1");
    CHECK(seen(just(1).map([](int) { (void)just(2).prefix(-1); })) ==
          "streams_prefix: count is -1; it must be at least 0, streams.callback, 8");
    CHECK_THROWS_AS(streams::fail(7).run(), int);
}

STREAMS_TEST("a call that a function has made fail throws what the function has thrown") {
    const streams::current_value_subject source(1);
    const auto property = streams::property::of(source).map([](int) -> int { throw refused(2); });
    CHECK_THROWS_AS((void)property.get_value(), refused);
    const streams::binding binding([] { return 1; }, [](int n) { throw refused(n); });
    CHECK_THROWS_AS(binding.set_value(3), refused);
    CHECK_THROWS_AS(binding.set_value("text"), streams::bad_value);
    streams::scope_tree tree([](streams::scope &) { throw refused(4); });
    CHECK_THROWS_AS(tree.update(), refused);
}

STREAMS_TEST("a failure that passes through stays one error, with its number") {
    const auto number_of = [](publisher p) {
        std::uint64_t number = 0;
        streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
        subscriber.context = &number;
        subscriber.on_value = [](void *, const streams_value *) -> std::uint64_t { return 0; };
        subscriber.on_completion = [](void *context, const streams_error *raw) {
            *static_cast<std::uint64_t *>(context) = streams_error_number(raw);
        };
        CHECK(streams_run(p.release(), &subscriber, INT64_MAX) == STREAMS_OK);
        return number;
    };
    const publisher fails = streams::fail(refused(1));
    CHECK(number_of(fails) != 0);
    CHECK(number_of(fails) == number_of(fails));
    CHECK(
        number_of(fails) == number_of(fails.catch_failure([](const std::logic_error &) { return just(1); })));
    CHECK(number_of(fails) != number_of(fails.map_error([](const refused &) { return refused(2); })));
}

STREAMS_TEST("there must be an exception to fail with") {
    CHECK_THROWS_AS((void)streams::fail(std::exception_ptr()), std::invalid_argument);
    const publisher fails = streams::fail(refused(1));
    CHECK_THROWS_AS(fails.map_error([] { return std::exception_ptr(); }).run(), std::invalid_argument);
}

STREAMS_TEST("what nobody would see ends the process") {
    const auto ends = [](auto run) {
        const pid_t child = fork();
        if (child == 0) {
            std::set_terminate([] { _exit(42); });
            run();
            _exit(0);
        }
        int status = 0;
        CHECK(waitpid(child, &status, 0) == child);
        return WIFEXITED(status) && WEXITSTATUS(status) == 42;
    };
    CHECK(ends([] { (void)just(1).sink([](int) { throw refused(1); }); }));
    CHECK(ends([] { (void)streams::fail(refused(1)).sink([](int) {}); }));
    CHECK(ends([] { (void)just(1).sink([](int) {}, [](const std::exception_ptr &) { throw refused(1); }); }));
    CHECK_FALSE(ends([] { (void)just(1).sink([](int) {}); }));
    CHECK_FALSE(
        ends([] { (void)streams::fail(refused(1)).sink([](int) {}, [](const std::exception_ptr &) {}); }));
}

STREAMS_TEST("exceptions are destroyed") {
    struct carrier : std::exception {
        counted object{ 1 };
    };
    {
        const publisher fails = just(1).map([](int) { throw carrier(); });
        CHECK_THROWS_AS(fails.run(), carrier);
        (void)fails.sink([](int) {}, [](const std::exception_ptr &) {});
        (void)fails.retry(2).sink([](int) {}, [] {});
    }
    streams_clear_last_error();
    CHECK(counted::live == 0);
}
