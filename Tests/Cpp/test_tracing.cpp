/* Traces, and the list of live streams. */

#include "support.hpp"

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>

using streams::publisher;

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
