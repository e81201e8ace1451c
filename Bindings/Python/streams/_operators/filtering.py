"""The operators that publish some values and drop or replace others."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Callable

from .._native.handle import COMPARE, PREDICATE, TRANSFORM, as_callable, as_plain
from .._native.library import library
from .._native.values import Value
from .._program.demand import as_int64
from .._program.types import T_co, U, V
from .base import Operators

if TYPE_CHECKING:
    from .publisher import Publisher


def itself(value: Any) -> Any:
    return value


class Filtering(Operators[T_co]):
    """Publisher's operators that select single values."""

    def filter(self, is_included: Callable[[T_co], Any]) -> Publisher[T_co]:
        """Publishes the values for which the function's result is true. A dropped value uses up no demand.

        >>> Sequence([1, 2, 3]).filter(lambda n: n != 2)         # 1, 3
        """
        return self._plainly("filter", library.streams_filter, PREDICATE, is_included, "is_included")

    def remove_duplicates(self, by: Callable[[T_co, T_co], Any] | None = None) -> Publisher[T_co]:
        """Drops a value that equals the one before it, or for which `by` returns true.

        >>> Sequence([1, 1, 2, 1]).remove_duplicates()           # 1, 2, 1
        """
        same = operator.eq if by is None else as_plain(by, "by")
        return self._calling(library.streams_remove_duplicates_by, COMPARE, same, "by")

    def try_remove_duplicates(self, by: Callable[[T_co, T_co], Any]) -> Publisher[T_co]:
        """Combine's other name for remove_duplicates(by): here any function may raise."""
        return self.remove_duplicates(as_callable(by, "by"))

    def distinct(self, key: Callable[[T_co], Any] | None = None) -> Publisher[T_co]:
        """Drops each value that equals one before it, however long ago, or whose key does.

        The values, or their keys, must be hashable, and are kept as long as the subscription. A dropped value uses up no
        demand.

        >>> Sequence([1, 2, 1, 3]).distinct()                    # 1, 2, 3
        >>> Sequence(["a", "bc", "d"]).distinct(len)             # "a", "bc"
        """
        # Without a key the values are compared as Python does: to the library a number from a batch is no Python object.
        function = itself if key is None else as_plain(key, "key")
        return self._calling(library.streams_distinct_by, TRANSFORM, function, "key")

    try_filter = filter
    """Combine's name for the operator whose function may fail. Here any function may, so it is filter."""

    def prefix(self, count: int) -> Publisher[T_co]:
        """Publishes the first values, then finishes and cancels upstream.

        With a count of 0 it publishes nothing, and finishes when the first value comes.

        >>> Sequence([1, 2, 3]).prefix(2)                        # 1, 2
        """
        number = as_int64(count, "count")
        return self._applied(library.streams_prefix, number)

    def drop_first(self, count: int = 1) -> Publisher[T_co]:
        """Drops the first values and publishes the rest.

        >>> Sequence([1, 2, 3]).drop_first()                     # 2, 3
        """
        number = as_int64(count, "count")
        return self._applied(library.streams_drop_first, number)

    def first(self) -> Publisher[T_co]:
        """Publishes the first value, then finishes and cancels upstream.

        All values are demanded immediately; prefix(1) demands only one.

        >>> price = await prices.first()
        """
        return self._applied(library.streams_first)

    def first_where(self, predicate: Callable[[T_co], Any]) -> Publisher[T_co]:
        """Publishes the first value for which the function's result is true, then finishes and cancels upstream.

        >>> Sequence([1, 2, 3]).first_where(lambda n: n > 1)     # 2
        """
        return self._plainly("first_where", library.streams_first_where, PREDICATE, predicate, "predicate")

    def last(self) -> Publisher[T_co]:
        """Publishes the last value, once the stream finishes.

        >>> Sequence([1, 2, 3]).last()                           # 3
        """
        return self._applied(library.streams_last)

    def last_where(self, predicate: Callable[[T_co], Any]) -> Publisher[T_co]:
        """Publishes the last value for which the function's result is true, once the stream finishes.

        >>> Sequence([1, 2, 3]).last_where(lambda n: n < 3)      # 2
        """
        return self._plainly("last_where", library.streams_last_where, PREDICATE, predicate, "predicate")

    def drop_while(self, predicate: Callable[[T_co], Any]) -> Publisher[T_co]:
        """Drops values until the function's result is not true for the first time, and publishes that value and the rest.

        A dropped value uses up no demand.

        >>> Sequence([1, 3, 4, 5]).drop_while(lambda n: n % 2)   # 4, 5
        """
        return self._plainly("drop_while", library.streams_drop_while, PREDICATE, predicate, "predicate")

    def prefix_while(self, predicate: Callable[[T_co], Any]) -> Publisher[T_co]:
        """Publishes values until the function's result is not true, then finishes and cancels upstream.

        >>> Sequence([1, 3, 4, 5]).prefix_while(lambda n: n % 2)         # 1, 3
        """
        return self._plainly("prefix_while", library.streams_prefix_while, PREDICATE, predicate, "predicate")

    def drop_until_output(self, other: Publisher[Any]) -> Publisher[T_co]:
        """Drops values until the other publisher publishes one, and then publishes all that follow.

        A dropped value uses up demand, as in Combine: a subscriber with limited demand, such as a loop, may then wait for
        ever. A buffer(100, "by_request", "drop_oldest") after this operator demands all. If the other ends without a value,
        the stream ends in the same way.

        >>> temperatures.drop_until_output(start_button).sink(show)
        """
        return self._with(library.streams_drop_until_output, other)

    def prefix_until_output(self, other: Publisher[Any]) -> Publisher[T_co]:
        """Publishes values until the other publisher publishes one, then finishes and cancels upstream.

        An end of the other without a value has no effect, even a failure.

        >>> temperatures.prefix_until_output(stop_button).sink(show)
        """
        return self._with(library.streams_prefix_until_output, other)

    def output_at(self, index: int) -> Publisher[T_co]:
        """Publishes the value with this index, the first being 0, then finishes and cancels upstream.

        A dropped value uses up no demand.

        >>> Sequence("abc").output_at(1)                         # "b"
        """
        return self._applied(library.streams_output_at, as_int64(index, "index"))

    def output_in(self, lower: int, upper: int) -> Publisher[T_co]:
        """Publishes the values with indices from lower to below upper, then finishes and cancels upstream.

        A dropped value uses up no demand.

        >>> Sequence("abcd").output_in(1, 3)                     # "b", "c"
        """
        first, end = as_int64(lower, "lower"), as_int64(upper, "upper")
        return self._applied(library.streams_output_in, first, end)

    def ignore_output(self) -> Publisher[T_co]:
        """Publishes no value, only the end. All values are demanded immediately.

        >>> uploads.ignore_output().sink(completion=report)
        """
        return self._applied(library.streams_ignore_output)

    def replace_nil(self: Operators[V | None], value: U) -> Publisher[V | U]:
        """Replaces each None by a value.

        >>> Sequence([1, None]).replace_nil(0)                   # 1, 0
        """
        with Value(value) as replacement:
            return self._applied(library.streams_replace_nil, replacement)

    def replace_empty(self, value: U) -> Publisher[T_co | U]:
        """Publishes all values, or the given one if the stream finishes without any.

        >>> Sequence([]).replace_empty(0)                        # 0
        """
        with Value(value) as replacement:
            return self._applied(library.streams_replace_empty, replacement)
