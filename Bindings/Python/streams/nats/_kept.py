"""Messages of the library, kept by Python objects."""

from __future__ import annotations

from typing import Any, TypeVar

from .._native import ffi_generated as base
from .._native import host
from .._native.errors import check
from .._native.values import _Native
from ._library import library

K = TypeVar("K", bound="Kept")


class Kept:
    """An object that keeps a message of the library, released with this object."""

    __slots__ = ("__weakref__", "_kept", "_subject", "data")

    data: bytes
    """The payload."""
    _kept: int
    _subject: bytes

    def __del__(self, let_go: Any = library.streams_nats_free) -> None:
        try:
            let_go(self._kept)
        except AttributeError:  # it was never made
            pass

    @property
    def header_fields(self) -> list[tuple[str, str]]:
        """All headers: names and values. A name with several values comes several times."""
        with _Native() as out:
            check(library.streams_nats_headers(self._kept, out))
            return [(name, value) for name, value in host.object_of(out)]

    def _value(self) -> Any:
        return base.streams_value.from_address(self._kept)

    # What is kept is released once.

    def __copy__(self: K) -> K:
        return self

    def __deepcopy__(self: K, _: Any) -> K:
        return self

    def __reduce__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} cannot be pickled: its data can")
