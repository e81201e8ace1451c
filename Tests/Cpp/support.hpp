/* What the tests of streams.hpp share: each is a STREAMS_TEST, and leaves no handle behind. */

#ifndef SUPPORT_HPP
#define SUPPORT_HPP

#include <doctest/doctest.h>
#include <streams.hpp>

#include <string>

/* Looks for leaks when a test has ended. */
struct leak_check {
    const std::size_t before = streams_live_handles();
    leak_check() { CHECK(before == 0); }
    ~leak_check() { CHECK(streams_live_handles() == 0); }
};

#define STREAMS_TEST(name) TEST_CASE_FIXTURE(leak_check, name)

/* An object that counts how many of its kind there are. */
struct counted {
    static inline int live = 0;
    int number;

    explicit counted(int n) : number(n) { ++live; }
    counted(const counted &other) : number(other.number) { ++live; }
    ~counted() { --live; }
    counted &operator=(const counted &) = default;
};

/* An exception of the tests' own. */
struct refused : std::runtime_error {
    explicit refused(int n) : std::runtime_error("refused " + std::to_string(n)), code(n) {}
    int code;
};

/* What a publisher publishes, as a list, and how it ends if it fails. */
inline std::string shown(const streams::publisher &publisher) {
    std::string text, end;
    try {
        publisher.run(
            [&text](const streams::value &each) { text += (text.empty() ? "" : " ") + each.describe(); });
    } catch (const std::exception &e) { end = std::string("!") + e.what(); }
    return text + end;
}

inline streams::publisher numbers(int count) {
    std::vector<int> all;
    for (int n = 1; n <= count; n++) all.push_back(n);
    return streams::sequence(all);
}

#endif
