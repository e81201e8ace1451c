"""Batches of values, as Python functions take and return them."""

from __future__ import annotations

import sys
from typing import Any, Callable

from . import ffi_generated as ffi
from .values import OBJECTS, pack, pack_items

_LETTERS: dict[int, str] = {ffi.streams_value_kind.INT64S: "q", ffi.streams_value_kind.DOUBLES: "d"}


def view(numbers: Any, letter: str) -> memoryview:
    """A memoryview of the library's numbers, from bytes or from an object with its own memory, for a function to read."""
    found = memoryview(numbers).toreadonly()
    return found if found.format == letter else found.cast("B").cast(letter)  # type: ignore[call-overload]


def with_view(function: Callable[[Any], Any], letter: str) -> Callable[[Any], Any]:
    """Wraps a function, which then gets a memoryview of the numbers."""

    def numbers(packed: Any) -> Any:
        return function(view(packed, letter))

    return numbers


def whole(transform: Callable[[Any], Any]) -> Callable[[Any, int], Any]:
    """Wraps a function of arrays as a function of the library's batches."""

    def transformed(batch: Any, kind: int) -> Any:
        given = _given(batch, kind)
        count = len(given)
        result = transform(given)
        try:
            packed = pack(result)
        except TypeError:
            raise TypeError(
                f"map_batch: as many values as were given must be returned, not {type(result).__name__}"
            ) from None
        if packed.size != count:
            raise ValueError(f"map_batch: {count} values were given, and {packed.size} returned")
        return packed.kept if packed.kind == OBJECTS else packed.array

    return transformed


def _given(batch: Any, kind: int) -> Any:
    """The argument for a function: an array if the values are numbers, a numpy array if the program uses numpy, else a
    list."""
    numpy = sys.modules.get("numpy")
    letter = _LETTERS.get(kind)
    if letter is None:
        packed = pack_items(tuple(batch))
        if packed.kind == OBJECTS:
            if numpy is not None and all(isinstance(each, numpy.generic) for each in batch):
                return numpy.asarray(batch)
            return batch
        batch, letter = packed.array, packed.array.format
    if numpy is None:
        return view(batch, letter)
    return numpy.frombuffer(memoryview(batch).toreadonly(), numpy.float64 if letter == "d" else numpy.int64)
