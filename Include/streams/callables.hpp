/*
 * streams/callables.hpp - functions and lambdas as callbacks of streams.h.
 *
 * The rules at the top of streams.hpp hold here too. Nothing here is for programs.
 */

#ifndef STREAMS_CALLABLES_HPP
#define STREAMS_CALLABLES_HPP

#include "failures.hpp"

namespace streams {

class publisher;
class property;

namespace detail {

/* ---- What a function takes ---- */

/* The parameters of a callable. One with templates or overloads has none that can be told: it gets
 * value_views. */
template <typename F, typename = void> struct parameters {
    static constexpr bool are_known = false;
    static constexpr std::size_t count = 1;
    template <std::size_t> using at = value_view;
};
template <typename... A> struct parameter_list {
    static constexpr bool are_known = true;
    static constexpr std::size_t count = sizeof...(A);
    template <std::size_t I> using at = std::tuple_element_t<I, std::tuple<A...>>;
};
template <typename> struct of_member;
template <typename R, typename F, typename... A> struct of_member<R (F::*)(A...)> : parameter_list<A...> {};
template <typename R, typename F, typename... A> struct of_member<R (F::*)(A...) const>
    : parameter_list<A...> {};
template <typename R, typename F, typename... A> struct of_member<R (F::*)(A...) noexcept>
    : parameter_list<A...> {};
template <typename R, typename F, typename... A> struct of_member<R (F::*)(A...) const noexcept>
    : parameter_list<A...> {};
template <typename F> struct parameters<F, std::void_t<decltype(&F::operator())>>
    : of_member<decltype(&F::operator())> {};
template <typename R, typename... A> struct parameters<R (*)(A...), void> : parameter_list<A...> {};
template <typename R, typename... A> struct parameters<R (*)(A...) noexcept, void> : parameter_list<A...> {};

template <typename A> using plain = std::remove_cv_t<std::remove_reference_t<A>>;

/* The type of a parameter; void if there is none, or it cannot be told. */
template <typename F, std::size_t I, bool = parameters<F>::are_known && (I < parameters<F>::count)>
struct parameter {
    using type = plain<typename parameters<F>::template at<I>>;
};
template <typename F, std::size_t I> struct parameter<F, I, false> {
    using type = void;
};
template <typename F, std::size_t I> using parameter_t = typename parameter<F, I>::type;

/* ---- Calls with values ---- */

/* A value as what a parameter of type A takes. */
template <typename A> decltype(auto) argument(const streams_value &raw) {
    static_assert(!std::is_lvalue_reference_v<A> || std::is_const_v<std::remove_reference_t<A>>,
        "a value is shared: take it by value or as a const reference");
    return value_traits<plain<A>>::read(raw);
}

template <typename F, std::size_t... I>
decltype(auto) call_with(F &f, const streams_value *values, std::index_sequence<I...>) {
    (void)values; // there may be none
    return f(argument<typename parameters<F>::template at<I>>(values[I])...);
}

/* With the items of several values. */
template <typename F> decltype(auto) call_items(F &f, const streams_value *values, std::size_t count) {
    constexpr std::size_t taken = parameters<F>::count;
    if (count != taken)
        throw bad_value("a list of " + std::to_string(taken) + " items", streams_list(values, count));
    return call_with(f, values, std::make_index_sequence<taken>());
}

/* With a value, or with the items of a list if it takes several. */
template <typename F> decltype(auto) call_one(F &f, const streams_value &raw) {
    if constexpr (parameters<F>::count <= 1) {
        return call_with(f, &raw, std::make_index_sequence<parameters<F>::count>());
    } else {
        of_kind(raw, STREAMS_VALUE_LIST, "a list");
        return call_items(f, raw.as.items, raw.size);
    }
}

template <typename F> decltype(auto) call_two(F &f, const streams_value &a, const streams_value &b) {
    if constexpr (parameters<F>::are_known) {
        static_assert(parameters<F>::count == 2, "two values are passed");
        const streams_value both[] = { a, b };
        return call_with(f, both, std::make_index_sequence<2>());
    } else {
        return f(value_view(a), value_view(b));
    }
}

/* With the values of several publishers: one by one, or as a list if it takes one. */
template <typename F> decltype(auto) call_all(F &f, const streams_value *values, std::size_t count) {
    if constexpr (parameters<F>::count == 1) {
        const streams_value list = streams_list(values, count);
        return call_one(f, list);
    } else {
        return call_items(f, values, count);
    }
}

/* With a failure: as std::exception_ptr, or if it is of the type that the function takes. Otherwise throws
 * it. */
template <typename F> decltype(auto) call_failure(F &f, const streams_error *raw) {
    using taken = parameter_t<F, 0>;
    if constexpr (parameters<F>::count == 0) {
        return f();
    } else if constexpr (std::is_void_v<taken> || std::is_same_v<taken, std::exception_ptr>) {
        return f(exception_of(raw));
    } else {
        try {
            std::rethrow_exception(exception_of(raw));
        } catch (const taken &exception) { return f(exception); }
    }
}

/* Puts a result where the library takes it over; no result is null. */
template <typename Call> void give(streams_value *out, Call call) {
    if constexpr (std::is_void_v<decltype(call())>) {
        call();
    } else {
        *out = value(call()).release();
    }
}

/* What a function returns or throws in order to fail, as an error. */
inline error_handle failed_with(const std::exception_ptr &exception) { return error_of(exception); }
template <typename E> error_handle failed_with(E exception) {
    return error_of(std::make_exception_ptr(std::move(exception)));
}

/* ---- The callbacks ---- */

template <typename F> F &of(void *context) noexcept { return *static_cast<F *>(context); }
template <typename F> void destroy(void *context) noexcept { delete static_cast<F *>(context); }

template <typename F> struct transform {
    static streams_status call(void *context, const streams_value *in, streams_value *out) noexcept {
        return guarded([&] { give(out, [&]() -> decltype(auto) { return call_one(of<F>(context), *in); }); });
    }
};
template <typename F> struct predicate {
    static streams_status call(void *context, const streams_value *in, bool *result) noexcept {
        return guarded([&] { *result = static_cast<bool>(call_one(of<F>(context), *in)); });
    }
};
/* Compares or orders. */
template <typename F> struct relation {
    static streams_status call(
        void *context, const streams_value *a, const streams_value *b, bool *result) noexcept {
        return guarded([&] { *result = static_cast<bool>(call_two(of<F>(context), *a, *b)); });
    }
};
template <typename F> struct combine {
    static streams_status call(
        void *context, const streams_value *before, const streams_value *in, streams_value *out) noexcept {
        return guarded(
            [&] { give(out, [&]() -> decltype(auto) { return call_two(of<F>(context), *before, *in); }); });
    }
};
template <typename F> struct combine_values {
    static streams_status call(
        void *context, const streams_value *values, std::size_t count, streams_value *out) noexcept {
        return guarded(
            [&] { give(out, [&]() -> decltype(auto) { return call_all(of<F>(context), values, count); }); });
    }
};
/* Makes a publisher, or a property, of a value. */
template <typename F, typename Handle, typename Opaque> struct expansion {
    static streams_status call(void *context, const streams_value *in, Opaque **out) noexcept {
        return guarded([&] { *out = Handle(call_one(of<F>(context), *in)).release(); });
    }
};
template <typename F> using expand = expansion<F, publisher, streams_publisher>;
template <typename F> using expand_property = expansion<F, property, streams_property>;
template <typename F, typename Handle> struct making {
    static streams_status call(void *context, streams_publisher **out) noexcept {
        return guarded([&] { *out = Handle(of<F>(context)()).release(); });
    }
};
template <typename F> using make_publisher = making<F, publisher>;
template <typename F, typename Handle> struct recovery {
    static streams_status call(void *context, const streams_error *raw, streams_publisher **out) noexcept {
        return guarded([&] { *out = Handle(call_failure(of<F>(context), raw)).release(); }, raw);
    }
};
template <typename F> using recover = recovery<F, publisher>;
template <typename F> struct transform_error {
    static streams_status call(void *context, const streams_error *raw, streams_error **out) noexcept {
        return guarded([&] { *out = failed_with(call_failure(of<F>(context), raw)).release(); }, raw);
    }
};
template <typename F> struct make_error {
    static streams_status call(void *context, streams_error **out) noexcept {
        return guarded([&] { *out = failed_with(of<F>(context)()).release(); });
    }
};
template <typename F> struct error_predicate {
    static streams_status call(void *context, const streams_error *raw, bool *result) noexcept {
        return guarded([&] { *result = static_cast<bool>(call_failure(of<F>(context), raw)); }, raw);
    }
};
template <typename F> struct write {
    static void call(void *context, const char *text, std::size_t length) noexcept {
        of<F>(context)(std::string_view(text, length));
    }
};
template <typename F> struct action {
    static void call(void *context) noexcept { of<F>(context)(); }
};

/* ---- Functions that take callbacks ---- */

/* Calls a function of streams.h with a callback as its last three arguments. */
template <template <typename> class Kind, typename F, typename Function, typename... Before>
auto with(Function function, F &&f, Before... before) {
    using kept = std::decay_t<F>;
    auto context = std::make_unique<kept>(std::forward<F>(f));
    return function(before..., Kind<kept>::call, context.release(), destroy<kept>);
}

} // namespace detail

} // namespace streams

#endif /* STREAMS_CALLABLES_HPP */
