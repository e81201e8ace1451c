/*
 * streams.hpp - streams.h for C++17 and later: publishers, subscribers, demand.
 *
 * Nothing but this header and libstreams is needed. The program below reads three temperatures as a stream,
 * converts them and prints them.
 *
 *     #include <cstdio>
 *     #include <streams.hpp>
 *
 *     int main() {
 *         const double scale = 1.8;
 *         streams::sequence({ 40.1, 31.2, 50.4 })
 *             .map([scale](double f) { return (f - 32) / scale; })
 *             .run([](double celsius) { std::printf("%.1f\n", celsius); });
 *     }
 *
 * Compile it with
 *
 *     c++ -std=c++17 program.cpp $(pkg-config --cflags --libs streams)
 *
 * What a function of streams.h says of demand, failures and threads holds for the one of the same name here:
 * publisher's map is streams_map. Seven rules tell what is different.
 *
 * 1. HANDLES are objects that release themselves. A copy of a publisher, a subject or a scheduler stands for
 *    the same one. A cancellable, a promise and a scope tree have one owner, and end with it: keep what sink
 *    returns. get lends the handle to functions of C, release gives it away, and the constructor takes one
 *    over, so that the two languages can be mixed. Operators do not use up the publisher that they are
 *    applied to.
 *
 * 2. FUNCTIONS of yours may be lambdas with captures, function objects or pointers. They are moved into the
 *    stream and destroyed after their last call. Their parameters say what they take: after [](int n), an
 *    int. One with several parameters gets the items of a list, as zip publishes them; one without
 *    parameters gets nothing; and a generic one, as [](auto v), gets a value_view. Two subscriptions to one
 *    publisher share the function, and may call it at the same time: what a mutable one changes is then
 *    shared too.
 *
 * 3. VALUES become C++ types, and C++ types values, by value_traits. A value of another type than a function
 *    takes throws bad_value. What is lent to a function, as a std::string_view, a value_view or a const
 *    reference to an object, is valid for the length of the call; a copy of it, or a value, may be kept.
 *
 * 4. EXCEPTIONS. What a function throws fails its stream, and comes out as itself: to the on_completion of a
 *    sink as a std::exception_ptr, to catch_failure and map_error as what they take, and from run, to_vector
 *    and get_value as an exception. It is the same exception object, on whichever thread. A failure that is
 *    no C++ exception comes as a streams::failure. To other languages an exception is an error with its
 *    what() as the message; the domain is "c++", and for a std::system_error that of its category, with its
 *    code. No exception passes through the library.
 *
 *    Some functions cannot fail: on_completion, on_subscription, those of handle_events, actions of
 *    schedulers, what writes text, destructors, == and to_string of objects. An exception in one of these
 *    ends the process, as it does on a std::thread. So does a failure that reaches a sink without
 *    on_completion, since nobody would see it.
 *
 * 5. ERRORS of calls throw a streams::error with the status and a sentence that names the argument at fault.
 *    An emitter's functions return false instead when the stream is over: that is not an error.
 *
 * 6. TIMES are std::chrono::nanoseconds, which any std::chrono duration of whole numbers becomes by itself.
 *
 * 7. THREADS. As rule 6 of streams.h says. Handles are as safe as a std::shared_ptr: two threads may use
 *    copies of one, and call functions of one at a time as long as none assigns to it, moves or destroys it.
 *    A pthread_cancel that takes effect in a function of yours ends the process.
 *
 * CONTENTS. Each part is a header in the folder streams, and this one includes them all.
 *
 *     handles.hpp       handles, errors of calls
 *     values.hpp        values, owned and lent
 *     conversions.hpp   what each C++ type is as a value
 *     failures.hpp      failures of streams as exceptions
 *     callables.hpp     functions as callbacks; nothing for programs
 *     schedulers.hpp    loops, queues, pools, virtual time
 *     subscribers.hpp   what subscribes: sink, run, to_vector; subscriptions, cancellables
 *     publisher.hpp     publishers and their operators
 *     custom.hpp        publishers of values; publishers and operators of your own
 *     subjects.hpp      subjects, promises, connectables, traces
 *     state.hpp         observable objects, properties, bindings
 *     scopes.hpp        functions that run again when what they read changes
 */

#ifndef STREAMS_HPP
#define STREAMS_HPP

#include "streams/scopes.hpp"

#endif /* STREAMS_HPP */
