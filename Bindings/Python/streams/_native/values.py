"""Converts Python values for the library: single values as objects, numbers in bulk as arrays."""

from __future__ import annotations

import ctypes
import struct
from array import array
from collections.abc import Iterable
from typing import Any, NamedTuple, cast

from . import ffi_generated as ffi
from . import host
from .errors import Status, check, check_outcome
from .library import library
from .method import of_words

INT64S = "int64s"
DOUBLES = "doubles"
OBJECTS = "objects"

_LETTERS = {"d": DOUBLES, "q": INT64S}
if array("l").itemsize == 8:
    _LETTERS["l"] = INT64S
# The first characters of formats of numbers in native byte order.
_NATIVE = "@=<" if array("h", [1]).tobytes()[0] == 1 else "@=>"
_NUMBERS = {order + letter: kind for order in ["", *_NATIVE] for letter, kind in _LETTERS.items()}
_FORMATS = {DOUBLES: "d", INT64S: "q"}


class Packed(NamedTuple):
    """Values as an array: numbers, as a memoryview, or the addresses of Python objects, as a C array."""

    kind: str
    array: Any
    size: int
    kept: Any
    """The objects that must live as long as the array is used."""


def pack(values: Iterable[Any]) -> Packed:
    """Makes a C array of many values.

    A buffer of numbers is used without a copy: if its contents change, so do the values that are published later. Other
    values are checked first: if all are floats, or all are 64-bit integers, they become plain numbers; otherwise they stay
    objects.
    """
    if not isinstance(values, (list, tuple)):
        packed = pack_buffer(values)
        if packed is not None:
            return packed
    return pack_items(tuple(values))


def pack_items(items: tuple[Any, ...]) -> Packed:
    """Packs values in a tuple, whose length cannot change."""
    types = set(map(type, items))
    if types == {float}:
        return Packed(DOUBLES, memoryview(array("d", items)), len(items), None)
    if types == {int}:
        try:
            return Packed(INT64S, memoryview(array("q", items)), len(items), None)
        except OverflowError:
            pass
    return Packed(OBJECTS, *objects_of(items))


def objects_of(items: tuple[Any, ...]) -> tuple[Any, int, Any]:
    """The addresses of objects, their number, and the object that keeps them alive."""
    addresses = ctypes.c_void_p * len(items)
    found = addresses.from_address(id(items) + _ITEMS) if _are_in_place else addresses(*map(id, items))
    return found, len(items), items


def _finds_items() -> bool:
    """Whether a tuple is an array of the addresses of its items, which can be used without a copy."""
    probe = (object(), object())
    return list((ctypes.c_void_p * 2).from_address(id(probe) + _ITEMS)) == list(map(id, probe))


_ITEMS = tuple.__basicsize__  # the offset of the items in a tuple
_are_in_place = _finds_items()


def pack_buffer(values: Any) -> Packed | None:
    """Packs an object with the buffer protocol: an array of the standard library or of numpy, a memoryview, bytes."""
    try:
        view = memoryview(values)
    except ValueError:
        if isinstance(values, memoryview):  # a memoryview that has been released
            raise
        return None
    except (TypeError, BufferError):
        return None
    if view.ndim != 1:
        raise ValueError(
            f"a buffer of values must have one dimension, and this one has {view.ndim}: numpy's ravel() gives one"
        )
    kind = _NUMBERS.get(view.format)
    if kind is None or view.itemsize != 8:
        items = _items_of(view)
        return None if items is None else pack_items(items)
    return Packed(kind, view if view.c_contiguous else copied(view, kind), len(view), None)


def copied(view: memoryview, kind: str) -> memoryview:
    """A copy of numbers of a kind, with the alignment that the library's functions require."""
    return cast(memoryview, memoryview(view.tobytes()).cast(_FORMATS[kind]))  # type: ignore[call-overload]


def _items_of(view: memoryview) -> tuple[Any, ...] | None:
    """The items of a view of other numbers; None if memoryview does not know its format, such as that of dates."""
    try:
        return tuple(view.tolist())
    except NotImplementedError:
        pass
    if len(view.format) == 2 and view.format[0] in "@=<>!" and view.format[1] in "?bBhHiIlLqQefd":
        return tuple(item for (item,) in struct.iter_unpack(view.format, view.tobytes()))
    return None


class _Native(ffi.streams_value):
    """A library value, for the duration of a `with` block. Functions take it without `byref`, which costs time."""

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: Any) -> None:
        library.streams_value_destroy(self)


_values_of = of_words(library.streams_host_values, 4)


class Value(_Native):
    """A Python object as a library value."""

    def __init__(self, value: Any) -> None:
        super().__init__()
        objects = (ctypes.c_void_p * 1)(id(value))
        check(_values_of(host.number, ctypes.addressof(objects), 1, ctypes.addressof(self)))


def read_value(read: Any, handle: int) -> Any:
    """The Python object for the value of a handle, which a library function reads."""
    with _Native() as value:
        check_outcome(read(handle, value))
        return host.object_of(value)


class Array(_Native):
    """Numbers as a library array, without a copy if they are aligned for C. Null when the interpreter is shutting down."""

    def __init__(self, packed: Packed) -> None:
        super().__init__()
        numbers = packed.array
        status = library.streams_host_numbers(host.number, id(numbers), self)
        if status == Status.INVALID_VALUE:
            numbers = copied(packed.array, packed.kind)
            status = library.streams_host_numbers(host.number, id(numbers), self)
        if status != Status.TERMINATED:
            check(status)
