"""The ways to subscribe to a publisher."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Sequence
from typing import Any, Callable, overload

from .._native import host
from .._native.handle import Target, as_callable
from .._native.library import library
from .._native.owner import Functions, owner_of
from .._program.chains import Step, made_here, sink_here
from .._program.demand import UNLIMITED, as_demand
from .._program.types import AnySubject, T_co, U
from . import sink
from .ends import belonging_to, current
from .stream import Stream, as_setter, as_subject
from .subscription import Cancellable, Subscription

_number, _calls, _cancellable = host.number, host.calls, Cancellable._of


class Subscribing(Stream[T_co]):
    """Publisher's methods that subscribe."""

    def sink(
        self,
        value: Callable[[T_co], int | None] | None = None,
        completion: Callable[[BaseException | None], Any] | None = None,
        demand: int = UNLIMITED,
        *,
        batch: Callable[[Sequence[T_co]], int | None] | None = None,
        subscription: Callable[[Subscription], Any] | None = None,
    ) -> Cancellable:
        """Subscribes: the stream begins, and runs for as long as the result is kept.

        value         is called with each value. A number that it returns is additional demand; None is none.
                      Wrap a function whose result means something else, such as a file's write.
        completion    is called at the end, with None or with the exception that the stream failed with. Without it, a
                      failure goes to sys.unraisablehook, as an UnhandledFailure, or is printed with its traceback.
        demand        is how many values are demanded at the start. A subject drops values beyond the demand, and counts
                      them (`dropped` of the cancellable); a DroppedValuesWarning says so when that is cancelled or
                      released, as for values that an operator has dropped.
        batch         replaces `value`: it is called with all values that come together. They are a memoryview of "d"
                      or "q" if they are numbers that were sent in bulk, and a list otherwise. The memoryview shows the
                      array that was sent, without a copy: see Subject.send_many.
        subscription  is called first, with the Subscription, through which more can be requested later.

        An exception raised by value or batch ends the stream, and completion gets it. So does a BaseException that is not an
        Exception, such as KeyboardInterrupt or SystemExit, which is also raised by the call that caused the delivery.

        >>> cancellable = prices.filter(lambda price: price > 10).sink(print)
        """
        if current() is not None:  # a function of a stream that is waited for has begun this, which is not a part of it
            return belonging_to(None, self.sink, value, completion, demand, batch=batch, subscription=subscription)
        step = sink_here(sink.SinkStep, self._step, batch if value is None else value)
        amount = demand if demand is UNLIMITED else as_demand(demand)
        ended = step if completion is None else sink.ended(completion, step)
        if batch is not None or subscription is not None:
            return self._sink(step, *sink.subscriber(value, batch, subscription, ended, amount))
        return self._plain_sink(step, sink.ignore if value is None else value, ended, amount)

    def _plain_sink(self, step: Step, function: Callable[..., Any], ended: Any, amount: int) -> Cancellable:
        call = _calls.get(type(function))
        if call is None:
            as_callable(function, "value")
        functions = Functions((function, ended))
        owner = owner_of(functions)
        handle = library.streams_host_sink(self._take(), _number, amount, function, ended, owner and id(owner), call)
        return _cancellable(handle, step, functions)

    def _own_sink(
        self,
        value: Callable[[T_co], Any],
        completion: Callable[[Any], Any],
        demand: int,
        subscription: Callable[[Subscription], Any] | None = None,
    ) -> Cancellable:
        """A sink that is a part of the stream on whose behalf this code runs."""
        step = sink_here(sink.SinkStep, self._step, value)
        ended = sink.ended(completion, step)
        if subscription is None:
            return self._plain_sink(step, value, ended, demand)
        return self._sink(step, *sink.subscriber(value, None, subscription, ended, demand))

    def _sink(self, step: Step, subscriber: Any, functions: list[Any]) -> Cancellable:
        try:
            publisher = self._take()
        except BaseException:
            sink.drop(subscriber)
            raise
        return _cancellable(library.streams_sink(publisher, subscriber), step, functions)

    @overload
    def assign(self: Subscribing[U], to: Target[U]) -> Cancellable: ...
    @overload
    def assign(self, to: Any, name: str, *, weak: bool = False) -> Cancellable: ...

    def assign(self, to: Any, name: str | None = None, *, weak: bool = False) -> Cancellable:
        """Sets a target to each value: an attribute of an object, a current-value subject, a binding, or a published
        attribute, passed as its publisher.

        >>> cancellable = temperatures.assign(display, "text")
        >>> cancellable = temperatures.assign(to=weather.published.temperature)

        The cancellable keeps the object of an attribute. With weak=True it does not, and the stream is cancelled when the
        object is gone. It never keeps the object of a published attribute, so values derived from the object itself may be
        assigned to it.
        """
        if name is not None:
            if not isinstance(name, str):
                raise TypeError(f"name must be the name of an attribute, not {type(name).__name__}")
            return _set_weakly(self, to, name) if weak else self.sink(functools.partial(setattr, to, name))
        if weak:
            raise TypeError("weak is for an attribute of an object, which has a name")
        if current() is not None:
            return belonging_to(None, self.assign, to)
        setter, step = as_setter(to), sink_here(sink.SinkStep, self._step, None)
        publisher = sink.reporting(self._take(), step)
        return Cancellable._of(setter.function(publisher, *setter.arguments), step)

    def subscribe(self, subject: AnySubject[T_co]) -> Cancellable:
        """Sends all values and the end to a subject. A failure is the subject's, and is not reported."""
        if current() is not None:
            return belonging_to(None, self.subscribe, subject)
        handle, step = as_subject(subject), made_here(self._step)
        return Cancellable._of(library.streams_subscribe(self._take(), handle), step)


def _set_weakly(publisher: Subscribing[Any], target: Any, name: str) -> Cancellable:
    """Sets an attribute for as long as its object lives, which the stream does not keep."""
    cancellables: list[weakref.ref[Cancellable]] = []

    def end(_: Any) -> None:
        for cancellable in filter(None, [each() for each in cancellables]):
            cancellable.cancel()

    known = weakref.ref(target, end)

    def set(value: Any) -> None:
        found = known()
        if found is not None:
            setattr(found, name, value)

    cancellable = publisher.sink(set)
    cancellables.append(weakref.ref(cancellable))
    return cancellable
