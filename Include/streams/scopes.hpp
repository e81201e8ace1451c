/*
 * streams/scopes.hpp - functions that run again when what they read changes.
 *
 * The rules at the top of streams.hpp hold here too.
 */

#ifndef STREAMS_SCOPES_HPP
#define STREAMS_SCOPES_HPP

#include "state.hpp"

#include <cstring>

namespace streams {

class scope;

namespace detail {

/* A body's context. A small one that is copied as bytes, such as a function or a lambda that captures
 * `this`, is the pointer itself: so the library sees when a body is the same as before, and need not run it
 * again. */
template <typename F> struct body {
    static constexpr bool is_small =
        std::is_trivially_copyable_v<F> && sizeof(F) <= sizeof(void *) && alignof(F) <= alignof(void *);
    static_assert(!is_small || std::is_copy_constructible_v<F>, "a body is copied");

    static void *context_of(F f) {
        if constexpr (std::is_empty_v<F>) {
            return nullptr;
        } else if constexpr (is_small) {
            void *context = nullptr;
            std::memcpy(&context, &f, sizeof f);
            return context;
        } else {
            return new F(std::move(f));
        }
    }
    static void end(void *context) noexcept {
        if constexpr (!is_small) delete static_cast<F *>(context);
    }
    template <typename Scope> static streams_status call(
        void *context, streams_scope *raw, const streams_value *input, streams_value *out) noexcept {
        lent<Scope> running(raw);
        return guarded([&] {
            alignas(F) unsigned char copied[sizeof(F)];
            if constexpr (is_small) std::memcpy(copied, &context, sizeof copied);
            const F &f = *static_cast<const F *>(is_small ? copied : context);
            give(out, [&]() -> decltype(auto) {
                if constexpr (parameters<F>::count < 2) {
                    return f(running.get());
                } else {
                    return f(running.get(), argument<typename parameters<F>::template at<1>>(*input));
                }
            });
        });
    }
};

/* What a task does, and what it keeps of that until it ends. */
template <typename F> struct task {
    using result = decltype(std::declval<F &>()());
    static constexpr bool keeps = !std::is_void_v<result>;

    F action;
    std::conditional_t<keeps, std::optional<std::conditional_t<keeps, std::decay_t<result>, int>>, int>
        kept{};

    void operator()() {
        if constexpr (keeps) {
            kept.emplace(action());
        } else {
            action();
        }
    }
};

} // namespace detail

/*
 * The place of a function, its body, in a tree. A body takes a scope & and, if it likes, its input, and
 * returns what the scope shows. Only the body may call these functions, while it runs, except invalidate.
 *
 * A child whose body captures no more than a pointer runs again only if that or its input differs from
 * before; any other body counts as different. Pass what varies as the input.
 */
class scope : public shared_handle<streams_scope> {
public:
    using shared_handle::shared_handle;

    /* Asks for a child scope. It stays the same one while it is asked for with the same key. */
    template <typename F> void child(const value &key, const value &input, F f) {
        using body = detail::body<F>;
        detail::check(streams_scope_child(get(), &key.raw(), &input.raw(), body::template call<scope>,
            body::context_of(std::move(f)), body::end));
    }
    template <typename F> void child(const value &key, F f) { child(key, nullptr, std::move(f)); }
    /* A binding of a value that the scope keeps until it is removed. */
    binding state(const std::string &name, const value &initial) {
        return binding(detail::checked(streams_scope_state(get(), name.c_str(), &initial.raw())));
    }
    /* Runs an action after the bodies, and again when the input differs. What it returns, such as a
     * cancellable, is kept until it runs again, is no longer asked for, or the scope is removed. It must not
     * throw. */
    template <typename F> void task(const std::string &name, const value &input, F action) {
        detail::check(detail::with<detail::action>(
            streams_scope_task, detail::task<F>{ std::move(action) }, get(), name.c_str(), &input.raw()));
    }
    /* Reads a value of the environment, or gives one to the scopes below. */
    value get_environment_value(const std::string &key) {
        return detail::made_value(streams_scope_get_environment_value, get(), key.c_str());
    }
    void set_environment_value(const std::string &key, const value &given) {
        detail::check(streams_scope_set_environment_value(get(), key.c_str(), &given.raw()));
    }
    /* Makes the body run again; may be called anywhere, with a copy of the scope. */
    void invalidate() { detail::check(streams_scope_invalidate(get())); }
};

/* A tree of scopes, which begins with one. It is taken down when it is destroyed. */
class scope_tree : public handle<streams_scope_tree> {
public:
    /* Updated by update(). */
    template <typename F, typename = std::enable_if_t<!std::is_base_of_v<scheduler, F>>>
    explicit scope_tree(F f, const value &input = nullptr) : scope_tree(scheduler(), std::move(f), input) {}
    /* Updated by a scheduler. */
    template <typename F> scope_tree(const scheduler &on, F f, const value &input = nullptr)
        : handle(detail::checked(
              streams_scope_tree_create(on.get(), &input.raw(), detail::body<F>::template call<scope>,
                  detail::body<F>::context_of(std::move(f)), detail::body<F>::end))) {}

    /* Makes the update that is due; throws what a body has thrown. */
    void update() { detail::check(streams_scope_tree_update(get())); }
    /* A publisher of how many bodies each update has run. */
    publisher updates() const { return publisher(detail::checked(streams_scope_tree_updates(get()))); }
    /* What the scopes show: their depth and the result of their body, each followed by those below it. */
    std::vector<std::pair<std::int64_t, value>> shown() const {
        return detail::made_value(streams_scope_tree_get_shown, get())
            .template get<std::vector<std::pair<std::int64_t, value>>>();
    }
    void set_environment_value(const std::string &key, const value &given) {
        detail::check(streams_scope_tree_set_environment_value(get(), key.c_str(), &given.raw()));
    }
};

} // namespace streams

#endif /* STREAMS_SCOPES_HPP */
