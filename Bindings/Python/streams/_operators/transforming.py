"""The operators that transform each value."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from typing import TYPE_CHECKING, Any, Callable, overload

from .._native.batches import whole
from .._native.errors import made
from .._native.handle import COMBINE, TRANSFORM, TRANSFORM_BATCH, as_callable, as_plain
from .._native.library import library
from .._native.values import Value
from .._program.types import Decoder, Encoder, S, T_co, U, V, W, X, Y, Z
from .base import Operators
from .lift import lifted

if TYPE_CHECKING:
    import asyncio

    from .._subscriptions.emitter import Emitter
    from .lift import Operator
    from .publisher import Publisher

_JSON = "json"  # stands for the module, which is imported when it is used


class Transforming(Operators[T_co]):
    """Publisher's operators that transform values."""

    def map(self, transform: Callable[[T_co], U]) -> Publisher[U]:
        """Transforms each value.

        >>> Sequence([1, 2]).map(lambda n: n * 10)               # 10, 20
        """
        return self._plainly("map", library.streams_map, TRANSFORM, transform, "transform")

    def map_batch(self, transform: Callable[[Any], Iterable[U]]) -> Publisher[U]:
        """Transforms all values that come together, by a function of arrays such as those of numpy.

        The function gets an array that was sent with send_many as it is, or in the parts that are demanded. It is a numpy
        array if the program has imported numpy, and else a memoryview, which is read-only; values that are not numbers come
        as a list. The function must return as many values, as an array or an iterable, or the stream fails with a
        ValueError. The results go on together, and are not copied either.

        If few values are demanded at a time, the function gets few: 256 and then 128 with `for`, all with list() and
        collect().

        >>> Sequence(numpy.array([1.0, 4.0])).map_batch(numpy.sqrt)     # 1.0, 2.0
        """
        function = whole(as_plain(transform, "transform"))
        return self._calling(library.streams_map_batch, TRANSFORM_BATCH, function, "transform")

    def compact_map(self, transform: Callable[[T_co], U | None]) -> Publisher[U]:
        """Transforms each value and drops the results that are None. A dropped value uses up no demand.

        >>> Sequence(["1", "x"]).compact_map(lambda s: int(s) if s.isdigit() else None)      # 1
        """
        return self._plainly("compact_map", library.streams_compact_map, TRANSFORM, transform, "transform")

    def pairwise(self) -> Publisher[tuple[T_co, T_co]]:
        """Publishes a tuple of each value and the one before it. The first value uses up no demand.

        >>> Sequence([1, 2, 4]).pairwise()                       # (1, 2), (2, 4)
        """
        return self._tuples(made(library.streams_pairwise(self._take())))

    def scan(self, initial: U, combine: Callable[[U, T_co], U]) -> Publisher[U]:
        """Combines each value with the result so far, and publishes every intermediate result.

        All subscribers begin with `initial` itself: if `combine` changes that object, make the publisher in Deferred.

        >>> Sequence([1, 2, 3]).scan(0, operator.add)            # 1, 3, 6
        """
        with Value(initial) as value:
            return self._calling(library.streams_scan, COMBINE, combine, "combine", value)

    def lift(self, begin: Callable[[Emitter[U]], Operator[T_co] | Callable[[T_co], Any]]) -> Publisher[U]:
        """Applies a custom operator. `begin` is called with an emitter for each subscriber, and returns an Operator, or
        only its function `on_value`.

        The operator may send any number of values: they are delivered on demand, and further values are demanded of the
        publisher when they are needed. `begin` may be a class; use functools.partial to pass more arguments than the
        emitter. Type checkers get the type of the values from the annotation of the emitter, which a lambda cannot have.

        >>> def runs(emitter):                                   # of equal values, and how long they are
        ...     last = None
        ...     def on_value(value):
        ...         nonlocal last
        ...         if last is None or last[0] != value:
        ...             last = [value, 0]
        ...         last[1] += 1
        ...         emitter.send(tuple(last))
        ...     return on_value
        >>> Sequence("aab").lift(runs)                           # ("a", 1), ("a", 2), ("b", 1)
        """
        as_plain(begin, "begin")
        return self._of(lifted(self._take(), begin, self._step), begin)

    @overload
    def encode(self) -> Publisher[str]: ...
    @overload
    def encode(self, encoder: Callable[[T_co], U]) -> Publisher[U]: ...
    @overload
    def encode(self, encoder: Encoder[U]) -> Publisher[U]: ...

    def encode(self, encoder: Any = _JSON) -> Publisher[Any]:
        """Encodes each value: with `encoder.dumps`, or by a function. By default values become JSON.

        >>> Sequence([{"id": 1}]).encode()                       # '{"id": 1}'
        """
        function = _coder(encoder, "dumps", "encoder")
        return self._calling(library.streams_encode, TRANSFORM, function, "encoder")

    @overload
    def decode(self, decoder: Callable[[T_co], U]) -> Publisher[U]: ...
    @overload
    def decode(self) -> Publisher[Any]: ...
    @overload
    def decode(self, decoder: Decoder[U]) -> Publisher[U]: ...

    def decode(self, decoder: Any = _JSON) -> Publisher[Any]:
        """Decodes each value: with `decoder.loads`, or by a function. By default values are JSON.

        >>> Sequence(['{"id": 1}']).decode()                     # {"id": 1}
        """
        function = _coder(decoder, "loads", "decoder")
        return self._calling(library.streams_decode, TRANSFORM, function, "decoder")

    try_map = map
    try_compact_map = compact_map
    try_scan = scan
    """Combine's names for the operators whose functions may fail. Here any function may, so these are aliases."""

    @overload
    def pipe(self, /) -> Publisher[T_co]: ...
    @overload
    def pipe(self, a: Callable[[Publisher[T_co]], U], /) -> U: ...
    @overload
    def pipe(self, a: Callable[[Publisher[T_co]], U], b: Callable[[U], V], /) -> V: ...
    @overload
    def pipe(
        self,
        a: Callable[[Publisher[T_co]], U],
        b: Callable[[U], V],
        c: Callable[[V], W],
        /,
    ) -> W: ...
    @overload
    def pipe(
        self,
        a: Callable[[Publisher[T_co]], U],
        b: Callable[[U], V],
        c: Callable[[V], W],
        d: Callable[[W], X],
        /,
    ) -> X: ...
    @overload
    def pipe(
        self,
        a: Callable[[Publisher[T_co]], U],
        b: Callable[[U], V],
        c: Callable[[V], W],
        d: Callable[[W], X],
        e: Callable[[X], Y],
        /,
    ) -> Y: ...
    @overload
    def pipe(
        self,
        a: Callable[[Publisher[T_co]], U],
        b: Callable[[U], V],
        c: Callable[[V], W],
        d: Callable[[W], X],
        e: Callable[[X], Y],
        f: Callable[[Y], Z],
        /,
    ) -> Z: ...
    @overload
    def pipe(
        self,
        a: Callable[[Publisher[T_co]], U],
        b: Callable[[U], V],
        c: Callable[[V], W],
        d: Callable[[W], X],
        e: Callable[[X], Y],
        f: Callable[[Y], Z],
        g: Callable[[Z], S],
        /,
    ) -> S: ...
    @overload
    def pipe(
        self,
        a: Callable[[Any], Any],
        b: Callable[[Any], Any],
        c: Callable[[Any], Any],
        d: Callable[[Any], Any],
        e: Callable[[Any], Any],
        f: Callable[[Any], Any],
        g: Callable[[Any], Any],
        h: Callable[[Any], Any],
        /,
        *operators: Callable[[Any], Any],
    ) -> Any: ...

    def pipe(self, *operators: Callable[[Any], Any]) -> Any:
        """Passes the publisher to a function, the result to the next one, and so on: for operators of your own, which are
        functions of a publisher.

        >>> def every_hour(readings):
        ...     return readings.collect(60).map(statistics.mean)
        >>> temperatures.pipe(every_hour, warnings).sink(print)
        """
        found: Any = self
        for each in operators:
            found = as_callable(each, "an operator")(found)
        return found

    def map_async(
        self,
        function: Callable[[T_co], Awaitable[U]],
        limit: int = 1,
        ordered: bool = True,
        *,
        loop: asyncio.AbstractEventLoop | None = None,
    ) -> Publisher[U]:
        """Awaits a coroutine function for each value, in an asyncio loop, and publishes the results.

        At most `limit` calls run at a time: it demands no more values until their results have been taken. The results come
        in the order of the values; with ordered=False as soon as they are ready. Nothing is demanded before a subscriber
        demands.

        A call that raises fails the stream immediately, and cancels the others; a failure of this publisher waits for the
        results of the values before it. When the stream is cancelled, so are the calls. They run in `loop`; without it, in
        the loop that runs on the subscribing thread. Each call sees the context variables (contextvars) of its value's
        sender.

        >>> pages = urls.map_async(fetch, limit=10)
        """
        from .._aio.map_async import map_async

        own = self._of(self._take())  # which works when this is closed
        return self._of(map_async(own, function, limit, ordered, loop))


def _coder(coder: Any, method: str, name: str) -> Any:
    """The function with which a coder encodes or decodes a value."""
    if coder is _JSON:
        import json as coder  # see _LATER in _native/handle.py
    function = getattr(coder, method, coder)
    if not callable(function):
        raise TypeError(f"{name} must have a method {method}, or be callable, unlike {type(coder).__name__}")
    return as_plain(function, name)
