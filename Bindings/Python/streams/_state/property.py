"""Properties: values that can be read now, watched from now on, and derived from."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, Generic, Protocol, overload

from .._native import host
from .._native.errors import check_outcome, check_retained, made
from .._native.handle import (
    COMBINE,
    COMBINE_VALUES,
    COMPARE,
    DESTROY,
    EXPAND_PROPERTY,
    PREDICATE,
    TRANSFORM,
    Handle,
    as_plain,
)
from .._native.library import library
from .._native.method import native_value
from .._native.values import Value
from .._operators.publisher import Publisher, source
from .._program.chains import made_here
from .._program.escapes import pending, raise_pending
from .._program.texts import text_of
from .._program.types import T_co, U, V, W
from .._publishers.subjects import CurrentValueSubject
from .._schedulers.schedulers import Scheduler, as_scheduler
from .._subscriptions.stream import Stream


class Followed(Protocol[T_co]):
    """An object that a property follows by a property of its own: a Binding, or the publisher of a published attribute."""

    def _followed(self) -> Property[T_co]: ...


class Property(Handle, Generic[T_co]):
    """A value that can be read now and watched from now on, and cannot be set.

    It is constant, or follows a CurrentValueSubject, a published attribute, a binding or another property, or starts with a
    value and continues with those of a publisher. Values derived from it are properties, too.

    >>> celsius = CurrentValueSubject(20)
    >>> temperature = Property(celsius)
    >>> fahrenheit = temperature.map(lambda degrees: degrees * 9 / 5 + 32)
    >>> fahrenheit.value
    68.0
    >>> both = temperature.combine_latest(fahrenheit)
    >>> cancellable = both.all_values.sink(print)
    (20, 68.0)
    >>> celsius.value = 100
    (100, 212.0)

    **Consistency.** When a source changes, every property derived from it is computed once, each after those that it is
    derived from. Only then are subscribers notified, each at most once: `both` above never shows an old value beside a new
    one. Two properties made of one subject are two sources, which change one after the other.

    A property of a published attribute changes after a value has been stored, and is equal to it: a subscriber of the
    property may set the attribute. If a subscriber of the attribute's own publisher sets it, that value is replaced, as in
    Combine, by the one that is being published.

    **Order.** A change that a function or a subscriber makes takes effect when the one before has been delivered to all; one
    that a function makes while its property is being made, when that is there. If each change leads to another, 1,000
    times, or to several, and 50,000 have come of one, they count as a circle without an end: the source has no value, but a
    StreamLimitError, until it is changed again.

    **Failures.** A function that raises leaves its property, and all properties derived from it, without a value until the
    next one: reading raises the exception, and the streams of subscribers fail with it. The failure of a publisher does so
    too. Until then the exception is kept with its traceback, and so with the variables of the functions that it went
    through and of their callers: if the property is one of these variables, both stay until close().

    **Lifetime.** A property, and a cancellable of its publishers, keep the properties that it is derived from; nothing
    keeps the properties derived from it. Functions belong to the property, where Python's collector does not see them: use
    streams.weak for a function that refers to an object that keeps the property. May be used from any thread; reading never
    waits.
    """

    @overload
    def __init__(self, value: CurrentValueSubject[T_co] | Property[T_co] | Followed[T_co]) -> None: ...
    @overload
    def __init__(self, value: T_co) -> None: ...
    @overload
    def __init__(self, value: T_co, then: Publisher[T_co]) -> None: ...

    def __init__(self, value: Any, then: Any = None) -> None:
        kind: Any = Property
        if then is None:
            value = _in_place_of(value)
        if then is not None:
            if not isinstance(then, Stream):
                raise TypeError(f"then must be a Publisher, not {type(then).__name__}")
            with Value(value) as initial:
                self._handle = owned(library.streams_property_of_publisher, initial, then._take())
        elif isinstance(value, CurrentValueSubject):
            self._handle = owned(library.streams_property_of_subject, value._handle)
        elif isinstance(value, kind):
            check_retained(library.streams_retain(value._handle), value._handle, "property")
            self._handle = int(value._handle)
        elif isinstance(value, Stream):
            raise TypeError("a Property of a publisher needs a value to begin with: Property(value, then=publisher)")
        else:
            with Value(value) as constant:
                self._handle = made(library.streams_property_create(constant))

    @property
    def value(self) -> T_co:
        """The current value. If there is none, raises the exception of the function or publisher that failed."""
        raise NotImplementedError  # replaced by the library's function: see _native/method.py

    @property
    def all_values(self) -> Publisher[T_co]:
        """Publishes the current value to a new subscriber, and then later ones.

        A subscriber that is behind on demand gets the latest. The publisher finishes when all sources have, and keeps the
        property.
        """
        return source(made(library.streams_property_all_values(self._handle)))

    @property
    def subsequent_values(self) -> Publisher[T_co]:
        """Publishes only the values that come after a subscription; otherwise as all_values."""
        return source(made(library.streams_property_subsequent_values(self._handle)))

    def map(self, transform: Callable[[T_co], U]) -> Property[U]:
        """The result of a function for the value."""
        return self._derived(library.streams_property_map, TRANSFORM, transform, "transform")

    def filter(self, initial_fallback: T_co | U, is_included: Callable[[T_co], Any]) -> Property[T_co | U]:
        """The last value for which the function's result is true; the fallback if there has been none.

        >>> even = number.filter(0, lambda n: n % 2 == 0)
        """
        return self._derived_from(library.streams_property_filter, initial_fallback, PREDICATE, is_included, "is_included")

    def compact_map(self, initial_fallback: U, transform: Callable[[T_co], U | None]) -> Property[U]:
        """The last result of a function that is not None; the fallback if there has been none."""
        return self._derived_from(library.streams_property_compact_map, initial_fallback, TRANSFORM, transform, "transform")

    def scan(self, initial: U, next_partial_result: Callable[[U, T_co], U]) -> Property[U]:
        """Starts with the initial value, and then has the function's result for its last result and each new value.

        >>> total = amount.scan(0, operator.add)
        """
        return self._derived_from(
            library.streams_property_scan, initial, COMBINE, next_partial_result, "next_partial_result"
        )

    def remove_duplicates(self, predicate: Callable[[T_co, T_co], Any] | None = None) -> Property[T_co]:
        """The value, which does not change when an equal one comes, or one that a function of the two considers equal."""
        if predicate is None:
            nothing = None, None, None
            return _made(library.streams_property_remove_duplicates, self._handle, *nothing)
        return self._derived(library.streams_property_remove_duplicates, COMPARE, predicate, "predicate")

    def flat_map(self, transform: Callable[[T_co], Property[U]]) -> Property[U]:
        """The value of the property that a function returns for each value; the property before is not followed any more.

        The property that it returns must not be derived from the result.
        """
        as_plain(transform, "transform")

        def expand(value: Any) -> int:
            inner = transform(value)
            if not isinstance(inner, Property):
                raise TypeError(f"transform must return a Property, not {type(inner).__name__}")
            check_retained(library.streams_retain(inner._handle), inner._handle, "property")
            return inner._handle

        return self._derived(library.streams_property_flat_map, EXPAND_PROPERTY, expand, "transform")

    def receive_on(self, scheduler: Scheduler) -> Property[T_co]:
        """This property's value, which changes on a scheduler.

        It is a separate source: combined with this property it is behind until the scheduler has run.
        """
        return _made(library.streams_property_receive_on, self._handle, as_scheduler(scheduler))

    @overload
    def combine_latest(self, a: Property[U], /) -> Property[tuple[T_co, U]]: ...
    @overload
    def combine_latest(self, a: Property[U], b: Property[V], /) -> Property[tuple[T_co, U, V]]: ...
    @overload
    def combine_latest(self, a: Property[U], b: Property[V], c: Property[W], /) -> Property[tuple[T_co, U, V, W]]: ...
    @overload
    def combine_latest(self, a: Property[U], /, *, combine: Callable[[T_co, U], V]) -> Property[V]: ...
    @overload
    def combine_latest(self, *others: Property[Any]) -> Property[tuple[Any, ...]]: ...
    @overload
    def combine_latest(self, *others: Property[Any], combine: Callable[..., U]) -> Property[U]: ...

    def combine_latest(self, *others: Property[Any], combine: Callable[..., Any] | None = None) -> Property[Any]:
        """A tuple of the values of several properties, or a function's result for them. If several change with the same
        source, it changes once.

        >>> text = name.combine_latest(age, combine="{} is {}".format)
        """
        return self._joined(library.streams_property_combine_latest, others, combine)

    @overload
    def zip(self, a: Property[U], /) -> Property[tuple[T_co, U]]: ...
    @overload
    def zip(self, a: Property[U], b: Property[V], /) -> Property[tuple[T_co, U, V]]: ...
    @overload
    def zip(self, a: Property[U], b: Property[V], c: Property[W], /) -> Property[tuple[T_co, U, V, W]]: ...
    @overload
    def zip(self, a: Property[U], /, *, combine: Callable[[T_co, U], V]) -> Property[V]: ...
    @overload
    def zip(self, *others: Property[Any]) -> Property[tuple[Any, ...]]: ...
    @overload
    def zip(self, *others: Property[Any], combine: Callable[..., U]) -> Property[U]: ...

    def zip(self, *others: Property[Any], combine: Callable[..., Any] | None = None) -> Property[Any]:
        """A tuple of the first values of several properties, then of the second ones, and so on, or a function's results
        for them. Values that have no partner yet wait."""
        return self._joined(library.streams_property_zip, others, combine)

    def __repr__(self) -> str:
        return with_value(self, super().__repr__())

    # ---- making them -------------------------------------------------------------------------------------------------

    def _derived(self, function: Any, shape: Any, callback: Any, name: str, *extra: Any) -> Property[Any]:
        as_plain(callback, name)
        made_here(None, callback)
        context = library.streams_callable_create(host.number, callback)
        return _made(function, self._handle, *extra, shape, context, DESTROY)

    def _derived_from(self, function: Any, initial: Any, shape: Any, callback: Any, name: str) -> Property[Any]:
        with Value(initial) as value:
            return self._derived(function, shape, callback, name, value)

    def _joined(self, function: Any, others: tuple[Any, ...], combine: Any) -> Property[Any]:
        for each in others:
            if not isinstance(each, Property):
                raise TypeError(f"a Property is needed, not {type(each).__name__}")
        made_of = as_plain(_together if combine is None else combine, "combine")
        made_here(None, made_of)
        handles = [each._handle for each in (self, *others)]
        context = library.streams_callable_create(host.number, made_of)
        array = (ctypes.c_void_p * len(handles))(*handles)
        return _made(function, array, len(handles), COMBINE_VALUES, context, DESTROY)


def _in_place_of(value: Any) -> Any:
    """The property of a Followed object, which is followed in its place."""
    kind: Any = Handle
    return value._followed() if isinstance(value, kind) and value._is_followed else value


def with_value(handle: Any, text: str) -> str:
    """A representation that includes the value."""
    try:
        shown = text_of(handle.value)
    except Exception as error:
        shown = f"without a value, {type(error).__name__}"
    return f"{text[:-1]}: {shown}>"


def owned(function: Any, *arguments: Any) -> int:
    """The handle that a library function makes, during which it may call Python functions."""
    handle = function(*arguments)
    if pending:
        try:
            raise_pending()
        except BaseException:
            library.streams_release(handle)
            raise
    if not handle:
        check_outcome(library.streams_last_status())
    return int(handle)


def _made(function: Any, *arguments: Any) -> Property[Any]:
    kind: type[Property[Any]] = Property
    return kind._adopt(owned(function, *arguments))


def _together(*values: Any) -> tuple[Any, ...]:
    return values


setattr(Property, "value", native_value(Property, "property", can_be_set=False))
