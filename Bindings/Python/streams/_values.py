"""Python values on their way into the library: one by one as objects, numbers in bulk as plain arrays."""

import ctypes
import struct
from array import array
from typing import Any, Iterable, NamedTuple, Optional, Tuple

from . import _ffi, _host
from ._errors import check
from ._library import library

INT64S = "int64s"
DOUBLES = "doubles"
OBJECTS = "objects"

_NUMBERS = {"d": DOUBLES, "q": INT64S}
if array("l").itemsize == 8:
    _NUMBERS["l"] = INT64S
_CTYPES: Any = {DOUBLES: ctypes.c_double, INT64S: ctypes.c_int64}


class Packed(NamedTuple):
    """Values as an array of C: numbers, or the addresses of Python objects."""

    kind: str
    array: Any
    size: int
    kept: Any
    """What must live as long as the array is used."""


def pack(values: Iterable[Any]) -> Packed:
    """Makes an array of C of many values.

    A buffer of numbers is used where it lies. Other values are looked at first: if all are floats, or all are integers
    of 64 bits, they become plain numbers, and else they stay the objects that they are.
    """
    if not isinstance(values, (list, tuple)):
        packed = _pack_buffer(values)
        if packed is not None:
            return packed
    return pack_items(tuple(values))


def pack_items(items: Tuple[Any, ...]) -> Packed:
    """The same for values of which nobody else can change the number."""
    types = set(map(type, items))
    if types == {float}:
        return _numbers(DOUBLES, array("d", items))
    if types == {int}:
        try:
            return _numbers(INT64S, array("q", items))
        except OverflowError:
            pass
    return Packed(OBJECTS, *objects_of(items))


def objects_of(items: Tuple[Any, ...]) -> Tuple[Any, int, Any]:
    """The addresses of objects, how many they are, and what keeps them alive."""
    return (ctypes.c_void_p * len(items))(*map(id, items)), len(items), items


def _numbers(kind: str, numbers: Any) -> Packed:
    count = len(numbers)
    return Packed(kind, (_CTYPES[kind] * count).from_buffer(numbers), count, numbers)


def _pack_buffer(values: Any) -> Optional[Packed]:
    """Packs what offers the buffer protocol: arrays of the standard library and of numpy, memoryviews, bytes."""
    try:
        view = memoryview(values)
    except (TypeError, ValueError, BufferError):
        return None
    with view:
        if view.ndim != 1:
            raise ValueError(f"a buffer of values must have one dimension, and this one has {view.ndim}")
        kind = _NUMBERS.get(view.format.lstrip("@=<" if _LITTLE else "@=>"))
        if kind is None:
            items = _items_of(view)
            return None if items is None else pack_items(items)
        kept = memoryview(values) if view.c_contiguous and not view.readonly else bytearray(view.tobytes())
        shape = _CTYPES[kind] * (view.nbytes // view.itemsize)
    return Packed(kind, shape.from_buffer(kept), shape._length_, kept)


def _items_of(view: memoryview) -> Optional[Tuple[Any, ...]]:
    """The items of a view of other numbers; None if its format is one that only its maker knows, such as dates."""
    try:
        return tuple(view.tolist())
    except NotImplementedError:
        pass
    if len(view.format) == 2 and view.format[0] in "@=<>!" and view.format[1] in "?bBhHiIlLqQefd":
        return tuple(item for (item,) in struct.iter_unpack(view.format, view.tobytes()))
    return None


_LITTLE = array("h", [1]).tobytes()[0] == 1


class Value(_ffi.streams_value):
    """A Python object as a value of the library, for the length of a `with` block."""

    def __init__(self, value: Any) -> None:
        super().__init__()
        objects = (ctypes.c_void_p * 1)(id(value))
        check(library.streams_host_values(_host.number, objects, 1, ctypes.byref(self)))

    def __enter__(self) -> Any:
        return ctypes.byref(self)

    def __exit__(self, *_: Any) -> None:
        library.streams_value_destroy(ctypes.byref(self))
