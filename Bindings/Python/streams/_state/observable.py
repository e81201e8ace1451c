"""Observable objects: classes with attributes that can be watched."""

from __future__ import annotations

import copyreg
import operator
import weakref
from collections.abc import Iterator
from typing import (
    Any,
    Callable,
    ClassVar,
    Generic,
    SupportsIndex,
    TypeVar,
    overload,
)

from .._native import host
from .._native.errors import Status, check, check_sent, made
from .._native.handle import Setter
from .._native.library import library
from .._native.method import native_attribute
from .._native.tracing import Labels
from .._operators.publisher import Publisher
from .._program.chains import made_here
from .._program.escapes import pending, raise_pending
from .._program.types import T
from .binding import Binding, adopted
from .property import Property

_MISSING: Any = object()
Self = TypeVar("Self", bound="ObservableObject")
# The private attributes of an object and of its class that belong to this module.
_HANDLE, _PUBLISHED = "_ObservableObject__handle", "_ObservableObject__published"


class Published(Generic[T]):
    """An attribute of an ObservableObject that can be watched: Combine's @Published.

    >>> class Weather(ObservableObject):
    ...     temperature = Published(20.0)
    >>> weather = Weather()
    >>> cancellable = weather.published.temperature.sink(print)
    20.0
    >>> weather.temperature = 25.0
    25.0

    Without an initial value the attribute does not exist until it is first set, which is not published. For a list, or
    another mutable value, pass a function that makes one for each object: Published(default_factory=list).

    Subscribers get a value before the attribute has it, as in Combine: if one of them sets the attribute, that value is
    replaced by the one being published. Subscribers of a Property of the attribute get a value that the attribute has
    already, and can correct it:

    >>> def limit(temperature):
    ...     if temperature > 40:
    ...         weather.temperature = 40.0
    >>> limited = Property(weather.published.temperature).all_values.sink(limit)
    >>> weather.temperature = 90.0
    90.0
    40.0
    >>> weather.temperature
    40.0

    Pyright infers the type of an attribute without an annotation from the methods that set it. Annotate it for the right
    type:

    >>> class Room(ObservableObject):
    ...     temperature: Published[float] = Published(20.0)
    ...
    ...     def __init__(self, temperature: float):
    ...         self.temperature = temperature
    """

    @overload
    def __init__(self) -> None: ...
    @overload
    def __init__(self, initial: T) -> None: ...
    @overload
    def __init__(self, *, default_factory: Callable[[], T]) -> None: ...

    def __init__(self, initial: Any = _MISSING, *, default_factory: Any = None) -> None:
        if default_factory is None and type(initial).__hash__ is None:
            raise ValueError(f"all objects would share one {type(initial).__name__}: use default_factory")
        if default_factory is not None and (initial is not _MISSING or not callable(default_factory)):
            raise TypeError("Published takes an initial value, or a default_factory that makes one")
        self._initial = initial
        self._factory = default_factory

    def __set_name__(self, owner: type, name: str) -> None:
        if not issubclass(owner, ObservableObject):
            raise TypeError(f"{owner.__name__} must be an ObservableObject for {name} to be Published")
        if "\0" in name:
            raise ValueError(f"the name {name!r} has a NUL in it")

    @overload
    def __get__(self, instance: None, owner: Any) -> Published[T]: ...
    @overload
    def __get__(self, instance: ObservableObject, owner: Any) -> T: ...

    def __get__(self, instance: Any, owner: Any) -> Any:
        if instance is None:
            return self
        raise TypeError("a Published belongs in the body of its class")

    def __set__(self, instance: ObservableObject, value: T) -> None:
        self.__get__(instance, None)


class _Handle(int):
    """The handle of a library object, released with this object. The library looks for it in the object's memory."""

    _life = host.life

    def __del__(self) -> None:
        if self._life.running:
            library.streams_release(self)
            if pending:
                raise_pending()


class ObservableObject:
    """The base of a class with attributes that can be watched: Combine's ObservableObject.

    >>> class Car(ObservableObject):
    ...     charge = Published(50.0)
    ...
    ...     def drive(self, kilometers):
    ...         self.charge -= kilometers * 0.14
    >>> car = Car()
    >>> cancellable = car.published.charge.sink(lambda charge: print(f"{charge} kWh"))
    50.0 kWh
    >>> car.drive(100)
    36.0 kWh

    A Published attribute is read and set like any other. When it is set, object_will_change publishes first; then the
    attribute's own publisher publishes the new value, while reading it still gives the old one; then it is stored. An
    exception in a subscriber ends only its own stream.

    published  has the publishers: car.published.charge. Type checkers know more of car.published[Car.charge].
    bindings   has the bindings: car.bindings.charge, or car.bindings[Car.charge].

    The publishers do not keep the object; once it is gone, they send only what is set through a binding that is left.
    __init__ need not be called. Classes may be derived further, be dataclasses (without slots=True) and have __slots__, and
    objects can be pickled and copied: copies have the same values, and no subscribers. All may be used from any thread; a
    thread that sets an attribute waits for its turn to publish.

    An object and its cancellables may refer to each other: see help(Cancellable). The collector does not see published
    values, nor those of subjects: let a child refer to its parent by a weakref.ref; see help(weak).
    """

    # The only slot of a class comes first: that is where the library looks for the handle.
    __slots__ = ("__handle", "__weakref__")

    # The published attributes by name, each with its setter and the objects that its native attribute needs.
    __published: ClassVar[dict[str, tuple[Published[Any], Any, Any]]] = {}
    __handle: int

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        own = vars(cls)
        if any(name in own.get("__slots__", ()) for name in own.get(_PUBLISHED, ())):
            raise TypeError(f"{cls.__name__} cannot have slots where it has published attributes: leave out slots=True")
        cls.__published = {}
        for base in reversed(cls.__mro__[1:]):
            cls.__published.update(vars(base).get(_PUBLISHED, {}))
        for name, each in list(own.items()):
            cls.__published.pop(name, None)
            if isinstance(each, Published):
                attribute, kept = native_attribute(cls, name)
                setattr(cls, name, attribute)
                cls.__published[name] = each, attribute.__set__, kept

    def __new__(cls: type[Self], *arguments: Any, **options: Any) -> Self:
        make: Any = super().__new__
        if make is object.__new__:
            if (arguments or options) and cls.__init__ is object.__init__:
                raise TypeError(f"{cls.__name__}() takes no arguments")
            arguments, options = (), {}
        self: Self = make(cls, *arguments, **options)
        object.__setattr__(self, _HANDLE, _Handle(made(library.streams_observable_object_create())))
        for each, set, _ in cls.__published.values():
            if each._factory is not None:
                set(self, each._factory())
            elif each._initial is not _MISSING:
                set(self, each._initial)
        return self

    @property
    def object_will_change(self) -> ObservableObjectPublisher:
        """Publishes None before one of the attributes changes, also those of base classes. An object can call its `send`
        before another change.

        >>> cancellable = car.object_will_change.sink(lambda _: print(car.charge, "will change"))
        """
        publisher: ObservableObjectPublisher = ObservableObjectPublisher.__new__(ObservableObjectPublisher)
        publisher._own(made(library.streams_observable_object_will_change(self.__handle)))
        publisher._object = weakref.ref(self)
        return publisher

    @property
    def published(self) -> Publishers:
        """The publishers of the attributes: each publishes the current value, and then each value that is set.

        >>> cancellable = car.published.charge.sink(print)
        """
        return Publishers(self)

    @property
    def bindings(self) -> Bindings:
        """The bindings of the attributes, which read, set and watch one without the object.

        >>> charge = car.bindings.charge
        >>> charge.value = 40.0
        """
        return Bindings(self)

    # ---- copies ----------------------------------------------------------------------------------------------------

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        # The oldest protocols make an object without calling its class.
        return super().__reduce_ex__(max(operator.index(protocol), 2))

    def __getstate__(self) -> Any:
        slots: list[str] = getattr(copyreg, "_slotnames")(type(self))
        names = [name for name in (*slots, *self.__published) if name != _HANDLE and hasattr(self, name)]
        values = {name: getattr(self, name) for name in names}
        return getattr(self, "__dict__", None), values

    def __setstate__(self, state: Any) -> None:
        fields, values = state
        if fields:
            self.__dict__.update(fields)
        for name, value in values.items():
            object.__setattr__(self, name, value)


class ObservableObjectPublisher(Publisher[None]):
    """Publishes None before an object changes: see ObservableObject.object_will_change."""

    _object: weakref.ref[ObservableObject]

    def send(self) -> None:
        """Notifies the subscribers that the object is about to change."""
        owner = self._object()
        if owner is not None:
            check_sent(library.streams_observable_object_send_will_change(handle_of(owner)))


class PublishedPublisher(Publisher[T]):
    """The publisher of an attribute: see ObservableObject.published. Publisher.assign takes one as its target."""

    _object: weakref.ref[ObservableObject]
    _name: str

    _is_followed = True

    def _followed(self) -> Property[T]:
        """A property of the attribute, or of its last value if the object is gone."""
        owner = self._object()
        return Property(self.first_value()) if owner is None else _binding(owner, self._name).property

    def _setter(self) -> Setter[T]:
        owner = self._object()
        handle = 0 if owner is None else handle_of(owner)
        return Setter(library.streams_assign_to_published, handle, self._name.encode())


class _Projection:
    """The base of Publishers and Bindings: one item for each published attribute of an object."""

    __slots__ = ("_owner",)

    def __init__(self, owner: ObservableObject) -> None:
        self._owner = owner

    def _named(self, key: Any) -> str:
        """The name of a published attribute; a key is the class's own attribute of that name."""
        kind: Any = type(self._owner)
        name: Any = key if isinstance(key, str) else getattr(key, "__name__", None)
        if name not in getattr(kind, _PUBLISHED) or key not in (name, getattr(kind, name)):
            raise AttributeError(f"{kind.__name__} has no published {name or key!r}")
        return str(name)

    def __reduce__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} cannot be copied or pickled")

    def __iter__(self) -> Iterator[str]:
        return iter(getattr(self._owner, _PUBLISHED))

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]


class Publishers(_Projection):
    """The publishers of an object's attributes: see ObservableObject.published. Iterating gives their names."""

    __slots__ = ()

    def __getattr__(self, name: str) -> PublishedPublisher[Any]:
        return _publisher(self._owner, self._named(name))

    def __getitem__(self, key: Published[T]) -> PublishedPublisher[T]:
        return _publisher(self._owner, self._named(key))


class Bindings(_Projection):
    """The bindings of an object's attributes: see ObservableObject.bindings. Iterating gives their names."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Binding[Any]:
        return _binding(self._owner, self._named(name))

    def __getitem__(self, key: Published[T]) -> Binding[T]:
        return _binding(self._owner, self._named(key))


def made_of_attribute(function: Any, owner: ObservableObject, name: str) -> int:
    """The handle that a library function makes of an attribute, which must have a value."""
    handle = function(handle_of(owner), name.encode())
    if not handle and library.streams_last_status() == Status.INVALID_ARGUMENT:
        raise AttributeError(f"{type(owner).__name__}.{name} has no value yet: it has no initial one, and has not been set")
    return made(handle)


def handle_of(owner: ObservableObject) -> _Handle:
    """The handle of the library's object."""
    handle: _Handle = getattr(owner, _HANDLE)
    return handle


def _binding(owner: ObservableObject, name: str) -> Binding[Any]:
    """A binding of an attribute. All are one for the library, since only what is derived from one changes in turn."""
    known: dict[str, Binding[Any]] = vars(handle_of(owner)).setdefault("bindings", {})
    first = known.get(name)
    if first is None:
        first = adopted(made_of_attribute(library.streams_observable_object_binding, owner, name))
        first = known.setdefault(name, first)  # another thread may have been faster
    check(library.streams_retain(first._handle))
    return adopted(first._handle)


def _publisher(owner: ObservableObject, name: str) -> PublishedPublisher[Any]:
    kind: type[PublishedPublisher[Any]] = PublishedPublisher
    publisher = kind._adopt(made_of_attribute(library.streams_observable_object_publisher, owner, name))
    publisher._object, publisher._name = weakref.ref(owner), name
    publisher._step = step = made_here(None)
    step.name, step.arguments = f"{type(owner).__name__}.published", (("", repr(name)),)
    if Labels.are_shown:
        Labels.give(publisher._handle, step)
    return publisher
