"""The operators that keep values until they are demanded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

from .._native import ffi_generated as ffi
from .._native.errors import create_error
from .._native.handle import MAKE_ERROR, as_plain
from .._native.library import library
from .._program.demand import as_int64
from .._program.types import T_co
from .base import Operators

if TYPE_CHECKING:
    from typing import Literal

    from .publisher import Publisher


class Buffering(Operators[T_co]):
    """Publisher's operators for values without demand."""

    def buffer(
        self,
        size: int,
        prefetch: Literal["keep_full", "by_request"],
        when_full: Literal["drop_newest", "drop_oldest"] | Callable[[], BaseException],
    ) -> Publisher[T_co]:
        """Keeps up to `size` values until there is demand for them.

        With "keep_full" it demands as many values as it can hold, and another one for each that it delivers; with
        "by_request" it demands all. A value for which there is no room is dropped with "drop_newest", and replaces the
        oldest with "drop_oldest". With a function that returns an exception, or an exception class, a value without
        room cancels upstream; the next request gets the values that it demands, and then the exception.

        The finish waits until all values are delivered and one more is demanded. A failure of the upstream does not
        wait, and the values in the buffer are lost.

        >>> sensor.buffer(100, "by_request", "drop_oldest").flat_map(upload, max_publishers=1)
        """
        count, strategy = as_int64(size, "size"), _choice(prefetch, _PREFETCH, "prefetch")
        if callable(when_full):
            make: Callable[[], BaseException] = as_plain(when_full, "when_full")

            def fail(_: None) -> int:
                return create_error(make())

            function = library.streams_buffer_or_fail
            return self._calling(function, MAKE_ERROR, fail, "when_full", count, strategy)
        full = _choice(when_full, _WHEN_FULL, "when_full", ", or a function")
        return self._applied(library.streams_buffer, count, strategy, full)


_PREFETCH = {each.name.lower(): each for each in ffi.streams_prefetch}
_WHEN_FULL = {f"drop_{each.name.lower()}": each for each in ffi.streams_when_full}


def _choice(word: Any, words: Any, name: str, more: str = "") -> int:
    """The library's number for a word."""
    expected = " or ".join(repr(each) for each in words) + more
    if not isinstance(word, str):
        raise TypeError(f"{name} must be {expected}, not {type(word).__name__}")
    if word not in words:
        raise ValueError(f"{name} must be {expected}, not {word!r}")
    return int(words[word])
