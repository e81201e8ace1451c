"""The operators that make one stream from several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, overload

from .._native.handle import COMBINE_VALUES, EXPAND, as_callable, as_plain
from .._native.library import library
from .._program.demand import UNLIMITED, as_demand
from .._program.types import S, T, T_co, U, V, W, X, Y, Z
from .._subscriptions.stream import handed_over
from .base import Operators

if TYPE_CHECKING:
    from .publisher import Publisher


class Combining(Operators[T_co]):
    """Publisher's operators with other publishers."""

    def flat_map(self, transform: Callable[[T_co], Publisher[U]], *, max_publishers: int = UNLIMITED) -> Publisher[U]:
        """Makes a publisher from each value and publishes the values of all of these.

        At most max_publishers of them run at a time, none with 0; more values are demanded as they finish. With limited
        demand each of them is asked for one value at a time, as with merge.

        >>> Sequence([1, 2]).flat_map(lambda n: Sequence([n] * n))          # 1, 2, 2
        """
        bound = as_demand(max_publishers, "max_publishers")
        return self._calling(library.streams_flat_map, EXPAND, _expanding(transform), "transform", bound)

    def concat_map(self, transform: Callable[[T_co], Publisher[U]]) -> Publisher[U]:
        """Makes a publisher from each value and publishes the values of these, one publisher after the other.

        With unlimited demand nothing is lost: everything is demanded of a publisher that cannot wait, such as a
        subject, and values wait for their turn. A publisher that answers a demand immediately, such as an iterable, can
        itself wait: a value is demanded of it when the previous publisher has finished, so it may be endless; where
        another publisher follows it, as with append and prepend, 256 values ahead. With
        limited demand, as with flat_map and one publisher at a time, no values are kept. A failure drops the values
        that wait.

        >>> Sequence([1, 2]).concat_map(lambda n: Sequence([n] * n))        # 1, 2, 2
        """
        return self._calling(library.streams_concat_map, EXPAND, _expanding(transform), "transform")

    @overload
    def switch_to_latest(self: Operators[Publisher[U]]) -> Publisher[U]: ...
    @overload
    def switch_to_latest(self, transform: Callable[[T_co], Publisher[U]]) -> Publisher[U]: ...

    def switch_to_latest(self, transform: Callable[[Any], Publisher[Any]] | None = None) -> Publisher[Any]:
        """Makes a publisher from each value and publishes the values of the latest one.

        The one before is cancelled. Without a function the values are publishers themselves. All values are demanded
        immediately; the latest publisher gets the demand that has not been delivered. The stream finishes when this
        publisher and the latest have finished.

        >>> results = typed.debounce(0.3, loop).switch_to_latest(search)
        """
        made_of = _expanding(_itself if transform is None else transform)
        return self._calling(library.streams_switch_to_latest, EXPAND, made_of, "transform")

    @overload
    def merge(self, a: Publisher[U], /) -> Publisher[T_co | U]: ...
    @overload
    def merge(self, a: Publisher[U], b: Publisher[V], /) -> Publisher[T_co | U | V]: ...
    @overload
    def merge(self, a: Publisher[U], b: Publisher[V], c: Publisher[W], /) -> Publisher[T_co | U | V | W]: ...
    @overload
    def merge(self, *others: Publisher[U]) -> Publisher[T_co | U]: ...

    def merge(self, *others: Publisher[Any]) -> Publisher[Any]:
        """Publishes the values of all publishers as they come; finishes when all have finished.

        With limited demand, such as that of a loop, each publisher is asked for one value at a time, and for the next when
        that has been passed on. What a subject is sent before then is dropped, unless a buffer() keeps it.
        """
        return self._of(self._joined(library.streams_merge, *others))

    def amb(self, *others: Publisher[U]) -> Publisher[T_co | U]:
        """Publishes the values of the publisher that is first to send a value or to end.

        The others are cancelled.

        >>> near.amb(far).sink(show)
        """
        return self._of(self._joined(library.streams_amb, *others))

    @overload
    def combine_latest(self, a: Publisher[U], /) -> Publisher[tuple[T_co, U]]: ...
    @overload
    def combine_latest(self, a: Publisher[U], b: Publisher[V], /) -> Publisher[tuple[T_co, U, V]]: ...
    @overload
    def combine_latest(self, a: Publisher[U], b: Publisher[V], c: Publisher[W], /) -> Publisher[tuple[T_co, U, V, W]]: ...
    @overload
    def combine_latest(
        self, a: Publisher[U], b: Publisher[V], c: Publisher[W], d: Publisher[X], /
    ) -> Publisher[tuple[T_co, U, V, W, X]]: ...
    @overload
    def combine_latest(
        self, a: Publisher[U], b: Publisher[V], c: Publisher[W], d: Publisher[X], e: Publisher[Y], /
    ) -> Publisher[tuple[T_co, U, V, W, X, Y]]: ...
    @overload
    def combine_latest(
        self,
        a: Publisher[U],
        b: Publisher[V],
        c: Publisher[W],
        d: Publisher[X],
        e: Publisher[Y],
        f: Publisher[Z],
        /,
    ) -> Publisher[tuple[T_co, U, V, W, X, Y, Z]]: ...
    @overload
    def combine_latest(
        self,
        a: Publisher[U],
        b: Publisher[V],
        c: Publisher[W],
        d: Publisher[X],
        e: Publisher[Y],
        f: Publisher[Z],
        g: Publisher[S],
        /,
    ) -> Publisher[tuple[T_co, U, V, W, X, Y, Z, S]]: ...
    @overload
    def combine_latest(self, *others: Publisher[Any]) -> Publisher[tuple[Any, ...]]: ...
    @overload
    def combine_latest(self, *, combine: Callable[[T_co], X]) -> Publisher[X]: ...
    @overload
    def combine_latest(self, a: Publisher[U], /, *, combine: Callable[[T_co, U], X]) -> Publisher[X]: ...
    @overload
    def combine_latest(self, a: Publisher[U], b: Publisher[V], /, *, combine: Callable[[T_co, U, V], X]) -> Publisher[X]: ...
    @overload
    def combine_latest(
        self, a: Publisher[U], b: Publisher[V], c: Publisher[W], /, *, combine: Callable[[T_co, U, V, W], X]
    ) -> Publisher[X]: ...
    @overload
    def combine_latest(
        self,
        a: Publisher[Any],
        b: Publisher[Any],
        c: Publisher[Any],
        d: Publisher[Any],
        /,
        *others: Publisher[Any],
        combine: Callable[..., X],
    ) -> Publisher[X]: ...

    def combine_latest(self, *others: Publisher[Any], combine: Callable[..., Any] | None = None) -> Publisher[Any]:
        """Publishes a tuple of the latest value of each publisher, whenever one of them publishes, as soon as all have.

        With a function it publishes the function's results instead. It finishes when all have finished.

        The demand is passed to each publisher, and a value that makes no tuple uses up demand, as in Combine: a subscriber
        with limited demand, such as a loop, may then wait for ever. A buffer(100, "by_request", "drop_oldest") after this
        operator demands all.

        While the subscriber takes a tuple, it may make a publisher send a value, on the same thread: as in Combine, that
        value goes into the next tuple and makes none of its own.

        >>> width.combine_latest(height, combine=operator.mul)
        """
        if combine is None:
            return self._tuples(self._joined(library.streams_combine_latest, *others))
        return self._of(self._joined(library.streams_combine_latest_with, *others, combine=combine), combine)

    @overload
    def zip(self, a: Publisher[U], /) -> Publisher[tuple[T_co, U]]: ...
    @overload
    def zip(self, a: Publisher[U], b: Publisher[V], /) -> Publisher[tuple[T_co, U, V]]: ...
    @overload
    def zip(self, a: Publisher[U], b: Publisher[V], c: Publisher[W], /) -> Publisher[tuple[T_co, U, V, W]]: ...
    @overload
    def zip(
        self, a: Publisher[U], b: Publisher[V], c: Publisher[W], d: Publisher[X], /
    ) -> Publisher[tuple[T_co, U, V, W, X]]: ...
    @overload
    def zip(
        self, a: Publisher[U], b: Publisher[V], c: Publisher[W], d: Publisher[X], e: Publisher[Y], /
    ) -> Publisher[tuple[T_co, U, V, W, X, Y]]: ...
    @overload
    def zip(
        self,
        a: Publisher[U],
        b: Publisher[V],
        c: Publisher[W],
        d: Publisher[X],
        e: Publisher[Y],
        f: Publisher[Z],
        /,
    ) -> Publisher[tuple[T_co, U, V, W, X, Y, Z]]: ...
    @overload
    def zip(
        self,
        a: Publisher[U],
        b: Publisher[V],
        c: Publisher[W],
        d: Publisher[X],
        e: Publisher[Y],
        f: Publisher[Z],
        g: Publisher[S],
        /,
    ) -> Publisher[tuple[T_co, U, V, W, X, Y, Z, S]]: ...
    @overload
    def zip(self, *others: Publisher[Any]) -> Publisher[tuple[Any, ...]]: ...
    @overload
    def zip(self, *, combine: Callable[[T_co], X]) -> Publisher[X]: ...
    @overload
    def zip(self, a: Publisher[U], /, *, combine: Callable[[T_co, U], X]) -> Publisher[X]: ...
    @overload
    def zip(self, a: Publisher[U], b: Publisher[V], /, *, combine: Callable[[T_co, U, V], X]) -> Publisher[X]: ...
    @overload
    def zip(
        self, a: Publisher[U], b: Publisher[V], c: Publisher[W], /, *, combine: Callable[[T_co, U, V, W], X]
    ) -> Publisher[X]: ...
    @overload
    def zip(
        self,
        a: Publisher[Any],
        b: Publisher[Any],
        c: Publisher[Any],
        d: Publisher[Any],
        /,
        *others: Publisher[Any],
        combine: Callable[..., X],
    ) -> Publisher[X]: ...

    def zip(self, *others: Publisher[Any], combine: Callable[..., Any] | None = None) -> Publisher[Any]:
        """Publishes a tuple of the first value of each publisher, then one of the second, and so on.

        With a function it publishes the function's results instead. The whole demand is passed to each publisher, and
        values wait for their partners: an endless publisher, such as that of itertools.count(), needs a limited demand.

        >>> Sequence("ab").zip(Sequence([1, 2, 3]))              # ("a", 1), ("b", 2)
        >>> Sequence([1, 2]).zip(Sequence([3, 4]), combine=operator.mul)         # 3, 8
        """
        if combine is None:
            return self._tuples(self._joined(library.streams_zip, *others))
        return self._of(self._joined(library.streams_zip_with, *others, combine=combine), combine)

    @overload
    def with_latest_from(self, other: Publisher[U]) -> Publisher[tuple[T_co, U]]: ...
    @overload
    def with_latest_from(self, other: Publisher[U], combine: Callable[[T_co, U], V]) -> Publisher[V]: ...

    def with_latest_from(self, other: Publisher[Any], combine: Callable[[Any, Any], Any] | None = None) -> Publisher[Any]:
        """Publishes a tuple of each value and the other publisher's latest value, or a function's result of the two.

        A value that comes before the other's first is dropped, and uses up no demand. All values of the other are
        demanded. The stream ends with this publisher, and fails if the other fails.

        >>> save_button.with_latest_from(text, lambda _, text: text).sink(save)
        """
        made_of = as_plain(_pair if combine is None else combine, "combine")
        return self._with_calling(library.streams_with_latest_from_with, other, COMBINE_VALUES, made_of, "combine")

    def sample(self, trigger: Publisher[Any]) -> Publisher[T_co]:
        """Publishes the latest value whenever the trigger publishes one, unless it has been published already.

        A value stays the latest while there is no demand for it. All values of both are demanded. When this publisher
        has finished, its last value waits for the trigger. When the trigger finishes, the stream finishes, and a value
        that is not demanded by then is dropped. A failure of either fails the stream.

        >>> position.sample(Interval(0.1, loop)).sink(show)
        """
        return self._with(library.streams_sample, trigger, "trigger")

    def append(self, other: Publisher[U]) -> Publisher[T_co | U]:
        """Publishes this publisher's values, and when it has finished, the other publisher's.

        >>> Sequence([1, 2]).append(Just(3))                     # 1, 2, 3
        """
        return self._with(library.streams_append, other)

    def prepend(self, other: Publisher[U]) -> Publisher[T_co | U]:
        """Publishes the other publisher's values, and when it has finished, this publisher's: RxPY's start_with.

        >>> Sequence([2, 3]).prepend(Just(1))                    # 1, 2, 3
        """
        return self._with(library.streams_prepend, other)

    def repeat(self, times: int | None = None) -> Publisher[T_co]:
        """Subscribes to this publisher again when it finishes, until it has been subscribed to `times` times.

        Without a number it repeats for ever. The demand that has not been delivered passes to the next subscription. A
        failure passes through. A publisher that finishes immediately without a value is repeated immediately: without a
        number that never ends.

        >>> Sequence([1, 2]).repeat(2)                           # 1, 2, 1, 2
        """
        bound = UNLIMITED if times is None else as_demand(times, "times")
        return self._applied(library.streams_repeat, bound)


def _expanding(transform: Any) -> Callable[[Any], int]:
    """Wraps a function that makes publishers, for the library to call."""
    as_callable(transform, "transform")

    def expand(value: Any) -> int:
        return handed_over(transform(value), "transform")

    return expand


def _pair(first: T, second: U) -> tuple[T, U]:
    return first, second


def _itself(value: T) -> T:
    return value
