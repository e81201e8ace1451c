"""Bindings, which read, set and watch a value that another object keeps."""

from __future__ import annotations

import functools
import operator
from typing import Any, Callable, Generic, overload

from .._native import host
from .._native.errors import made
from .._native.handle import COMBINE, DESTROY, TRANSFORM, Handle, Setter, as_plain, function_of_library
from .._native.library import library
from .._native.method import native_value
from .._native.values import Value, read_value
from .._operators.publisher import Publisher, source
from .._program.types import K, T, U, V
from .._publishers.subjects import CurrentValueSubject
from .._subscriptions.stream import Stream
from .property import Property, owned, with_value

_GET_VALUE = function_of_library("streams_callable_get_value")
_SET_VALUE = function_of_library("streams_callable_set_value")


class Binding(Handle, Generic[T]):
    """Reads, sets and watches a value that another object keeps: SwiftUI's Binding.

    Code that shows and changes a value needs only its binding: that of a Published attribute, object.bindings.name; of a
    CurrentValueSubject; or of two functions. Parts of a value have bindings too.

    >>> settings = CurrentValueSubject({"volume": 3, "lines": ["a", "b"]})
    >>> volume = Binding(settings)["volume"]
    >>> cancellable = volume.values.sink(print)
    3
    >>> volume.value = 4
    4
    >>> settings.value
    {'volume': 4, 'lines': ['a', 'b']}

    A value that is set can be read immediately. If a function raises, reading and setting raise its exception, and the
    streams of subscribers fail with it; see help(Property) for what the exception keeps. The binding and its subscribers
    keep the object that has the value. The functions belong to the binding, where Python's collector does not see them: see
    streams.weak. May be used from any thread: threads that set different parts by bindings that are derived from one
    binding, or from those of one attribute, do not undo each other's change.
    """

    _is_followed = True

    @overload
    def __init__(self, get: CurrentValueSubject[T]) -> None: ...
    @overload
    def __init__(
        self,
        get: Callable[[], T],
        set: Callable[[T], Any],
        changes: Publisher[Any] | None = None,
    ) -> None: ...

    def __init__(self, get: Any, set: Any = None, changes: Any = None) -> None:
        """Makes a binding of a subject, or of a function that gets the value and one that sets it.

        When a value has been set through this binding, subscribers get the result of `get`; with `changes`, they get only
        the values that it publishes.
        """
        if isinstance(get, CurrentValueSubject) and set is None:
            self._handle = made(library.streams_binding_of_subject(get._handle))
        else:
            as_plain(get, "get")
            as_plain(set, "set")
            if changes is not None and not isinstance(changes, Stream):
                raise TypeError(f"changes must be a Publisher, not {type(changes).__name__}")
            taken = None if changes is None else changes._take()
            context = library.streams_callable_create(host.number, _both_ways(get, set))
            self._handle = made(library.streams_binding_create(_GET_VALUE, _SET_VALUE, context, DESTROY, taken))

    @staticmethod
    def constant(value: U) -> Binding[U]:
        """A binding with a constant value: setting it has no effect."""
        with Value(value) as constant:
            return adopted(library.streams_binding_constant(constant))

    @property
    def value(self) -> T:
        """The value. Setting it sets the value in the object that keeps it."""
        found: T = read_value(library.streams_binding_get_value, self._handle)
        return found

    @value.setter
    def value(self, new: T) -> None:
        raise NotImplementedError  # replaced by the library's function: see _native/method.py

    @property
    def values(self) -> Publisher[T]:
        """Publishes the current value to a new subscriber, and then each later one."""
        return source(made(library.streams_binding_values(self._handle)))

    @property
    def property(self) -> Property[T]:
        """A property with the binding's value."""
        kind: type[Property[T]] = Property
        return kind._adopt(owned(library.streams_binding_property, self._handle))

    def _followed(self) -> Property[T]:
        return self.property

    def map(self, get: Callable[[T], U], set: Callable[[T, U], T]) -> Binding[U]:
        """A binding of the result of `get` for the value. Setting it sets the value to the result of `set`, which gets the
        value and the new result.

        >>> celsius.map(lambda c: c * 1.8 + 32, lambda c, fahrenheit: (fahrenheit - 32) / 1.8)
        """
        return self._derived(library.streams_binding_map, get, set)

    def part(self, get: Callable[[T], U], set: Callable[[T, U], T]) -> Binding[U]:
        """A binding, as from map, of a part that may be missing for a while: if `get` raises, the binding keeps the part's
        last value and publishes nothing. The part must exist now.

        >>> port = settings.part(lambda known: known["port"], lambda known, port: {**known, "port": port})
        """
        return self._derived(library.streams_binding_part, get, set)

    @overload
    def __getitem__(self: Binding[list[V]], key: int) -> Binding[V]: ...
    @overload
    def __getitem__(self: Binding[dict[K, V]], key: K) -> Binding[V]: ...
    @overload
    def __getitem__(self: Binding[Any], key: Any) -> Binding[Any]: ...

    def __getitem__(self, key: Any) -> Binding[Any]:
        """A binding of an item of a list or a dict, which must exist now. Setting it sets a copy with the new item. While
        there is no such item, the binding keeps the last one and publishes nothing; setting a missing item of a list raises
        IndexError.

        >>> first = Binding(names)[0]
        """
        item: Any = operator.itemgetter(key)
        return self.part(item, functools.partial(_with_item, key))

    def attribute(self, name: str) -> Binding[Any]:
        """A binding of an attribute of the value, which must exist now. Setting it sets a copy of the value with the new
        attribute, so the value may be a dataclass, even a frozen one. While there is no such attribute, the binding keeps
        the last value and publishes nothing. A name with dots is that of an attribute of an attribute.

        >>> street = address.attribute("street")
        """
        if not isinstance(name, str):
            raise TypeError(f"name must be the name of an attribute, not {type(name).__name__}")
        whole, dot, last = name.rpartition(".")
        binding = self.attribute(whole) if dot else self
        return binding.part(operator.attrgetter(last), functools.partial(_with_attribute, last))

    def _derived(self, function: Any, get: Any, set: Any) -> Binding[Any]:
        as_plain(get, "get")
        context = library.streams_callable_create(host.number, _part(get, as_plain(set, "set")))
        return adopted(owned(function, self._handle, TRANSFORM, COMBINE, context, DESTROY))

    def _setter(self) -> Setter[T]:
        return Setter(library.streams_assign_to_binding, self._handle)

    def __iter__(self) -> Any:
        raise TypeError("a Binding cannot be iterated: how many items there are may change")

    def __repr__(self) -> str:
        return with_value(self, super().__repr__())


def _with_item(key: Any, whole: Any, part: Any) -> Any:
    """A copy of a list, a tuple or a dict with a new item."""
    kind: Any = tuple
    is_tuple = isinstance(whole, kind)
    other: Any = list(whole) if is_tuple else _copy(whole)
    other[key] = part
    if not is_tuple:
        return other
    return whole._make(other) if hasattr(whole, "_make") else tuple(other)  # keeps the type of a named tuple


def _with_attribute(name: str, whole: Any, part: Any) -> Any:
    kind: Any = tuple
    if isinstance(whole, kind) and name in getattr(whole, "_fields", ()):
        return getattr(whole, "_replace")(**{name: part})
    other = _copy(whole)
    object.__setattr__(other, name, part)
    return other


def _copy(whole: Any) -> Any:
    import copy  # only when it is needed: see _LATER in _native/handle.py

    return copy.copy(whole)


def _both_ways(get: Any, set: Any) -> Callable[..., Any]:
    """One function for getting and setting: to set, the library calls it with a value."""

    def access(*new: Any) -> Any:
        return set(*new) if new else get()

    return access


def _part(get: Any, set: Any) -> Callable[..., Any]:
    """One function for getting and setting a part: the library passes the whole first."""

    def access(whole: Any, *new: Any) -> Any:
        return set(whole, *new) if new else get(whole)

    return access


def adopted(handle: Any) -> Binding[Any]:
    """The binding for a handle that a library function has made."""
    kind: type[Binding[Any]] = Binding
    return kind._adopt(made(handle))


setattr(Binding, "value", native_value(Binding, "binding"))
