/* C++ types as values, and values as C++ types. */

#include "support.hpp"

#include <map>
#include <memory>

using streams::value;
using streams::value_view;

namespace {

enum class color : std::int8_t { red = 1,
    green = 2 };

struct point {
    int x, y;
    friend bool operator==(point a, point b) { return a.x == b.x && a.y == b.y; }
    friend std::string to_string(point p) { return std::to_string(p.x) + "/" + std::to_string(p.y); }
};

struct celsius {
    double degrees;
};

template <typename T>
void goes_through(const T &original, const std::string &description, streams_value_kind kind) {
    const value made(original);
    CHECK(made.kind() == kind);
    CHECK(made.describe() == description);
    CHECK(made.template get<T>() == original);
    CHECK(streams::just(original).template to_vector<T>() == std::vector<T>{ original });
}

template <typename T> std::string refusal(const value &from) {
    try {
        (void)from.get<T>();
    } catch (const streams::bad_value &e) {
        CHECK(e.status() == STREAMS_INVALID_VALUE);
        return e.what();
    }
    return "none";
}

} // namespace

template <> struct streams::value_traits<celsius> {
    static value make(celsius c) { return c.degrees; }
    static celsius read(const streams_value &raw) { return { value_view(raw).get<double>() }; }
};

STREAMS_TEST("every type goes through as itself") {
    goes_through(true, "true", STREAMS_VALUE_BOOL);
    goes_through(-3, "-3", STREAMS_VALUE_INT64);
    goes_through(std::uint64_t{ 7 }, "7", STREAMS_VALUE_INT64);
    goes_through('a', "97", STREAMS_VALUE_INT64);
    goes_through(color::green, "2", STREAMS_VALUE_INT64);
    goes_through(2.5, "2.5", STREAMS_VALUE_DOUBLE);
    goes_through(0.5F, "0.5", STREAMS_VALUE_DOUBLE);
    goes_through(std::string("te\0xt", 5), std::string("te\0xt", 5), STREAMS_VALUE_STRING);
    goes_through(std::vector<std::string>{ "a", "b" }, "[\"a\", \"b\"]", STREAMS_VALUE_LIST);
    goes_through(std::vector<bool>{ true, false }, "[true, false]", STREAMS_VALUE_LIST);
    goes_through(std::vector<int>{}, "[]", STREAMS_VALUE_LIST);
    goes_through(std::vector<std::int64_t>{ 1, 2 }, "[1, 2]", STREAMS_VALUE_INT64S);
    goes_through(std::vector<double>{ 1, 2.5 }, "[1.0, 2.5]", STREAMS_VALUE_DOUBLES);
    goes_through(std::vector<double>{}, "[]", STREAMS_VALUE_DOUBLES);
    goes_through(std::vector<std::uint8_t>{ 1, 2, 3 }, "3 bytes", STREAMS_VALUE_BYTES);
    goes_through(std::vector<std::byte>{ std::byte{ 9 } }, "1 bytes", STREAMS_VALUE_BYTES);
    goes_through(std::optional<int>(3), "3", STREAMS_VALUE_INT64);
    goes_through(std::optional<int>(), "null", STREAMS_VALUE_NULL);
    goes_through(std::tuple<int, std::string, bool>(1, "x", true), "[1, \"x\", true]", STREAMS_VALUE_LIST);
    goes_through(std::pair<int, double>(1, 2.5), "[1, 2.5]", STREAMS_VALUE_LIST);
    goes_through(std::vector<std::pair<int, int>>{ { 1, 2 } }, "[[1, 2]]", STREAMS_VALUE_LIST);
    goes_through(point{ 1, 2 }, "1/2", STREAMS_VALUE_OBJECT);
    goes_through(std::map<int, int>{ { 1, 2 } }, "object", STREAMS_VALUE_OBJECT);
    CHECK(value(nullptr).is_null());
    const value text("text");
    CHECK(text.get<std::string_view>() == "text");
    CHECK(value(celsius{ 20.5 }).get<celsius>().degrees == 20.5);
    CHECK(value(celsius{ 20.5 }).kind() == STREAMS_VALUE_DOUBLE);
    CHECK(streams::list({ 1, "two", nullptr }).describe() == "[1, \"two\", null]");
    CHECK(streams::list({ 1, "two" })[1].get<std::string>() == "two");
}

STREAMS_TEST("a value of another type is refused with a sentence") {
    CHECK(refusal<int>("text") == "expected an integer, not the text text");
    CHECK(refusal<bool>(1) == "expected a bool, not the integer 1");
    CHECK(refusal<double>(nullptr) == "expected a number, not null");
    CHECK(refusal<double>(3) == "none");
    CHECK(refusal<std::string>(2.0) == "expected text, not the double 2.0");
    CHECK(refusal<std::nullptr_t>(false) == "expected null, not the bool false");
    CHECK(refusal<std::int8_t>(128) == "expected an integer of 8 bits, not the integer 128");
    CHECK(refusal<std::uint64_t>(-1) == "expected an integer of 64 bits, not the integer -1");
    CHECK(refusal<std::uint8_t>(255) == "none");
    CHECK(refusal<std::vector<int>>(1) == "expected a list, not the integer 1");
    CHECK(
        refusal<std::vector<int>>(std::vector<std::string>{ "a" }) == "expected an integer, not the text a");
    CHECK(
        refusal<std::vector<std::string>>(std::vector<double>{ 1 }) == "expected a list, not doubles: [1.0]");
    CHECK(refusal<std::vector<int>>(std::vector<std::int64_t>{ 1 }) == "none");
    CHECK(refusal<std::vector<std::uint8_t>>("x") == "expected bytes, not the text x");
    CHECK(
        refusal<std::pair<int, int>>(streams::list({ 1 })) == "expected a list of 2 items, not the list [1]");
    CHECK(refusal<streams::publisher>(point{ 1, 2 }) == "expected a group or a window, not the object 1/2");
    CHECK(refusal<streams::numbers<double>>(1) == "expected doubles, not the integer 1");
    CHECK_THROWS_AS((void)value(std::numeric_limits<std::uint64_t>::max()), streams::error);
    CHECK_THROWS_AS((void)value("not \xff UTF-8"), streams::error);
    CHECK_THROWS_AS((void)streams::list({ 1 })[1], streams::bad_value);
    CHECK_THROWS_AS((void)value(1)[0], streams::bad_value);
}

STREAMS_TEST("an object is read as its own type only, whatever it is") {
    CHECK(refusal<point>(counted(1)) ==
          "expected an object of type (anonymous namespace)::point, not the object object");
    CHECK(refusal<point>(1) == "expected an object of type (anonymous namespace)::point, not the integer 1");
    // An object of C, whose pointer is to nothing that could be read.
    static const streams_object_type foreign = STREAMS_OBJECT_TYPE_INIT;
    streams_value raw;
    REQUIRE(streams_value_object(&foreign, reinterpret_cast<void *>(1), &raw) == STREAMS_OK);
    CHECK_THROWS_AS((void)value::adopt(raw).get<point>(), streams::bad_value);
    // A group, which is an object of the library.
    std::string text;
    numbers(1).group_by([](int n) { return n; }).run([&](const value &group) {
        text = refusal<point>(group);
    });
    CHECK(text == "expected an object of type (anonymous namespace)::point, not the object publisher");
}

STREAMS_TEST("an object is destroyed with the last copy of its value") {
    {
        const value first(counted(7));
        const value second = first; // NOLINT
        CHECK(counted::live == 1);
        CHECK(&first.get<counted>() == &second.get<counted>());
        CHECK(first == second);
        CHECK(first != value(counted(7))); // without a ==
        CHECK(value(point{ 1, 2 }) == value(point{ 1, 2 }));
        const auto p = streams::just(first);
        CHECK(p.to_vector<counted>().at(0).number == 7);
    }
    CHECK(counted::live == 0);
    // What can only be moved is an object too.
    const value owner(std::make_unique<counted>(3));
    CHECK(owner.get<std::unique_ptr<counted>>()->number == 3);
}

STREAMS_TEST("values are copied, moved, compared and handed to C") {
    value a = "text", b = a, c = std::move(a);
    CHECK(a.is_null()); // NOLINT: it is what is promised
    CHECK(b == c);
    CHECK(b.raw().as.text == c.raw().as.text); // shared
    b = 1;
    CHECK(value(1) != value(1.0));
    CHECK(std::hash<value>()("text") == value(std::string("text")).hash());
    CHECK(value(1).hash() != value(2).hash());
    CHECK(value(1) < value(1.5));
    CHECK_FALSE(value("b") < value("a"));
    streams_value raw = c.release();
    CHECK(c.is_null());
    CHECK(value(raw).describe() == "text"); // a copy of a value of C
    CHECK(value::adopt(raw).get<std::string>() == "text");
    // A vector of numbers is not copied.
    std::vector<double> many(1000, 1.5);
    const double *where = many.data();
    CHECK(value(std::move(many)).raw().as.reals == where);
}
