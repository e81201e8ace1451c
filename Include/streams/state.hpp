/*
 * streams/state.hpp - state that is read and watched: observable objects, properties, bindings.
 *
 * The rules at the top of streams.hpp hold here too.
 */

#ifndef STREAMS_STATE_HPP
#define STREAMS_STATE_HPP

#include "subjects.hpp"

namespace streams {

/* A value that changes, and can be read and watched; only its source changes it. A copy stands for the same
 * property. Functions that derive one take values as those of publishers do; what they throw, reading the
 * result throws. */
class property : public shared_handle<streams_property> {
public:
    using shared_handle::shared_handle;

    /* One that never changes, one that follows a current-value subject, and one of a first value and the
     * later ones. */
    static property constant(const value &only) { return made(streams_property_create(&only.raw())); }
    static property of(const subject &source) { return made(streams_property_of_subject(source.get())); }
    static property of(const value &initial, const publisher &later) {
        return made(streams_property_of_publisher(&initial.raw(), later.reference()));
    }

    /* The value that it has now. */
    value get_value() const { return detail::made_value(streams_property_get_value, get()); }
    /* Publishers of its value and those that follow, or of the latter. */
    publisher all_values() const { return publisher(detail::checked(streams_property_all_values(get()))); }
    publisher subsequent_values() const {
        return publisher(detail::checked(streams_property_subsequent_values(get())));
    }

    /* Derived properties: see the functions of streams/properties.h. */
    template <typename F> property map(F f) const { return with<detail::transform>(streams_property_map, f); }
    template <typename F> property filter(const value &initial, F f) const {
        return with<detail::predicate>(streams_property_filter, f, &initial.raw());
    }
    template <typename F> property compact_map(const value &initial, F f) const {
        return with<detail::transform>(streams_property_compact_map, f, &initial.raw());
    }
    template <typename F> property scan(const value &initial, F f) const {
        return with<detail::combine>(streams_property_scan, f, &initial.raw());
    }
    property remove_duplicates() const {
        return made(streams_property_remove_duplicates(get(), nullptr, nullptr, nullptr));
    }
    template <typename F> property remove_duplicates(F f) const {
        return with<detail::relation>(streams_property_remove_duplicates, f);
    }
    template <typename F> property flat_map(F f) const {
        return with<detail::expand_property>(streams_property_flat_map, f);
    }
    property receive_on(const scheduler &on) const {
        return made(streams_property_receive_on(get(), on.get()));
    }

    /* Of several: a list of their values, or what f makes of them. They change once, however many of them
     * do. */
    static property combine_latest(const std::vector<property> &several) {
        return combined(streams_property_combine_latest, several, nullptr, nullptr, nullptr);
    }
    template <typename F> static property combine_latest(const std::vector<property> &several, F f) {
        return combined_with(streams_property_combine_latest, several, f);
    }
    static property zip(const std::vector<property> &several) {
        return combined(streams_property_zip, several, nullptr, nullptr, nullptr);
    }
    template <typename F> static property zip(const std::vector<property> &several, F f) {
        return combined_with(streams_property_zip, several, f);
    }

private:
    static property made(streams_property *raw) { return property(detail::checked(raw)); }
    template <template <typename> class Kind, typename Function, typename F, typename... Before>
    property with(Function function, F &f, Before... before) const {
        return made(detail::with<Kind>(function, std::move(f), get(), before...));
    }
    template <typename Function, typename... Callback>
    static property combined(Function function, const std::vector<property> &several, Callback... callback) {
        std::vector<streams_property *> raw;
        raw.reserve(several.size());
        for (const property &each : several) raw.push_back(each.get());
        return made(function(raw.data(), raw.size(), callback...));
    }
    template <typename Function, typename F>
    static property combined_with(Function function, const std::vector<property> &several, F &f) {
        auto context = std::make_unique<F>(std::move(f));
        return combined(
            function, several, detail::combine_values<F>::call, context.release(), detail::destroy<F>);
    }
};

namespace detail {

/* The two functions of a binding. */
template <typename Get, typename Set> struct lens {
    Get get;
    Set set;

    static streams_status get_whole(void *context, streams_value *out) noexcept {
        return guarded([&] { give(out, [&]() -> decltype(auto) { return of<lens>(context).get(); }); });
    }
    static streams_status set_whole(void *context, const streams_value *in) noexcept {
        return guarded([&] { (void)call_one(of<lens>(context).set, *in); });
    }
    static streams_status get_part(void *context, const streams_value *in, streams_value *out) noexcept {
        return guarded(
            [&] { give(out, [&]() -> decltype(auto) { return call_one(of<lens>(context).get, *in); }); });
    }
    static streams_status set_part(
        void *context, const streams_value *whole, const streams_value *part, streams_value *out) noexcept {
        return guarded([&] {
            give(out, [&]() -> decltype(auto) { return call_two(of<lens>(context).set, *whole, *part); });
        });
    }
};

} // namespace detail

/* Reads, sets and watches a value that is kept elsewhere. A copy stands for the same binding. */
class binding : public shared_handle<streams_binding> {
public:
    using shared_handle::shared_handle;

    /* Of two functions: the value that get returns, and set takes. Subscribers get what is set through the
     * binding, or what changes publishes. */
    template <typename Get, typename Set> binding(Get get, Set set, const publisher &changes = publisher())
        : shared_handle(nullptr) {
        using functions = detail::lens<Get, Set>;
        std::unique_ptr<functions> kept(new functions{ std::move(get), std::move(set) });
        *this = made(streams_binding_create(functions::get_whole, functions::set_whole, kept.release(),
            detail::destroy<functions>, changes ? changes.reference() : nullptr));
    }
    /* Of a value that stays the same, or that of a current-value subject. */
    static binding constant(const value &only) { return made(streams_binding_constant(&only.raw())); }
    static binding of(const subject &kept) { return made(streams_binding_of_subject(kept.get())); }

    /* Reads and sets the value; throws what a function of the binding throws. */
    value get_value() const { return detail::made_value(streams_binding_get_value, get()); }
    void set_value(const value &next) const { detail::check(streams_binding_set_value(get(), &next.raw())); }
    /* A publisher of the value and those that follow, and a property that has it. */
    publisher values() const { return publisher(detail::checked(streams_binding_values(get()))); }
    streams::property property() const {
        return streams::property(detail::checked(streams_binding_property(get())));
    }

    /* Of a part of the value: get makes the part of the whole, and set the whole of the whole and the part.
     * part is for one that may be missing for a while. */
    template <typename Get, typename Set> binding map(Get get_part, Set set_part) const {
        return with(streams_binding_map, std::move(get_part), std::move(set_part));
    }
    template <typename Get, typename Set> binding part(Get get_part, Set set_part) const {
        return with(streams_binding_part, std::move(get_part), std::move(set_part));
    }
    /* Of an item of a list. */
    binding element(std::size_t index) const { return made(streams_binding_element(get(), index)); }

private:
    static binding made(streams_binding *raw) { return binding(detail::checked(raw)); }
    template <typename Function, typename Get, typename Set>
    binding with(Function function, Get get_part, Set set_part) const {
        using functions = detail::lens<Get, Set>;
        std::unique_ptr<functions> kept(new functions{ std::move(get_part), std::move(set_part) });
        return made(function(
            get(), functions::get_part, functions::set_part, kept.release(), detail::destroy<functions>));
    }
};

/* Named values that can be read, set and watched, and notify before they change. A copy stands for the same
 * object. */
class observable_object : public shared_handle<streams_observable_object> {
public:
    observable_object() : shared_handle(detail::checked(streams_observable_object_create())) {}
    using shared_handle::shared_handle;

    /* Adds a value, which stays for as long as the object. */
    void add(const std::string &name, const value &initial) {
        detail::check(streams_observable_object_add(get(), name.c_str(), &initial.raw()));
    }
    value get_value(const std::string &name) const {
        return detail::made_value(streams_observable_object_get_value, get(), name.c_str());
    }
    /* Notifies all subscribers, and then sets it. */
    void set_value(const std::string &name, const value &next) {
        detail::check(streams_observable_object_set_value(get(), name.c_str(), &next.raw()));
    }
    /* A publisher of a value, before each change; the fast way to read, set and watch one is its binding. */
    streams::publisher publisher(const std::string &name) const {
        return streams::publisher(detail::checked(streams_observable_object_publisher(get(), name.c_str())));
    }
    streams::binding binding(const std::string &name) const {
        return streams::binding(detail::checked(streams_observable_object_binding(get(), name.c_str())));
    }
    /* A publisher of null before any value changes. */
    streams::publisher will_change() const {
        return streams::publisher(detail::checked(streams_observable_object_will_change(get())));
    }
    /* Notifies, before a change of something that is none of the values. */
    void send_will_change() { detail::check(streams_observable_object_send_will_change(get())); }
};

inline cancellable subscribable::assign_to_binding(const binding &to) const {
    return cancellable(detail::checked(streams_assign_to_binding(reference(), to.get())));
}
inline cancellable subscribable::assign_to_published(
    const observable_object &object, const std::string &name) const {
    return cancellable(detail::checked(streams_assign_to_published(reference(), object.get(), name.c_str())));
}

} // namespace streams

#endif /* STREAMS_STATE_HPP */
