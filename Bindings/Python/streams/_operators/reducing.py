"""The operators that reduce all values to one."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Callable

from .._native.handle import COMBINE, ORDER, PREDICATE, as_plain
from .._native.library import library
from .._native.values import Value
from .._program.demand import as_int64
from .._program.types import T_co, U
from .base import Operators

if TYPE_CHECKING:
    from .publisher import Publisher


class Reducing(Operators[T_co]):
    """Publisher's operators over all values. They demand all values immediately, except for collect with a count."""

    def reduce(self, initial: U, combine: Callable[[U, T_co], U]) -> Publisher[U]:
        """Combines all values and publishes the result once the stream finishes.

        All subscribers begin with `initial` itself: if `combine` changes that object, make the publisher in Deferred.

        >>> Sequence([1, 2, 3]).reduce(0, operator.add)          # 6
        """
        with Value(initial) as value:
            return self._calling(library.streams_reduce, COMBINE, combine, "combine", value)

    try_reduce = reduce
    """Combine's name for the operator whose function may fail. Here any function may, so it is reduce."""

    def collect(self, count: int | None = None) -> Publisher[list[T_co]]:
        """Collects all values into one list, or with a count into lists of that many; the last list may be shorter.

        Each list demanded demands `count` values.

        >>> Sequence([1, 2, 3]).collect(2)                       # [1, 2], [3]
        """
        if count is None:
            return self._applied(library.streams_collect)
        number = as_int64(count, "count")
        return self._applied(library.streams_collect_count, number)

    def count(self) -> Publisher[int]:
        """Publishes how many values there were, once the stream finishes.

        >>> Sequence("abc").count()                              # 3
        """
        return self._applied(library.streams_count)

    def sum(self) -> Publisher[Any]:
        """Publishes the sum of all values, once the stream finishes; 0 if there were none.

        >>> Sequence([1, 2, 3]).sum()                            # 6
        """
        with Value(0) as zero:
            return self._calling(library.streams_reduce, COMBINE, operator.add, "combine", zero)

    def min(self) -> Publisher[T_co]:
        """Publishes the least value, once the stream finishes; of equal ones the first.

        >>> Sequence([3, 1, 2]).min()                            # 1
        """
        return self._calling(library.streams_min_by, ORDER, operator.lt, "is_before")

    def max(self) -> Publisher[T_co]:
        """Publishes the greatest value, once the stream finishes; of equal ones the first.

        >>> Sequence([3, 1, 2]).max()                            # 3
        """
        return self._calling(library.streams_max_by, ORDER, operator.lt, "is_before")

    def min_by(self, is_before: Callable[[T_co, T_co], Any]) -> Publisher[T_co]:
        """Publishes the least value in an order of your own: the function returns true if its first argument comes first.

        >>> Sequence(["bb", "a"]).min_by(lambda a, b: len(a) < len(b))   # "a"
        """
        order = as_plain(is_before, "is_before")
        return self._calling(library.streams_min_by, ORDER, order, "is_before")

    def max_by(self, is_before: Callable[[T_co, T_co], Any]) -> Publisher[T_co]:
        """Publishes the greatest value in an order of your own: the function returns true if its first argument comes
        first.

        >>> Sequence(["bb", "a"]).max_by(lambda a, b: len(a) < len(b))   # "bb"
        """
        order = as_plain(is_before, "is_before")
        return self._calling(library.streams_max_by, ORDER, order, "is_before")

    def contains(self, value: object) -> Publisher[bool]:
        """Publishes True, and cancels upstream, when a value equals this one; False if the stream finishes before.

        >>> Sequence([1, 2, 3]).contains(2)                      # True
        """

        def is_same(other: Any) -> Any:
            return other == value

        return self._calling(library.streams_contains_where, PREDICATE, is_same, "value")

    def contains_where(self, predicate: Callable[[T_co], Any]) -> Publisher[bool]:
        """Publishes True, and cancels upstream, when the function's result is true; False if the stream finishes before.

        >>> Sequence([1, 2, 3]).contains_where(lambda n: n > 3)          # False
        """
        return self._plainly("contains_where", library.streams_contains_where, PREDICATE, predicate, "predicate")

    def all_satisfy(self, predicate: Callable[[T_co], Any]) -> Publisher[bool]:
        """Publishes False, and cancels upstream, when the function's result is not true; True if the stream finishes before.

        >>> Sequence([1, 2, 3]).all_satisfy(lambda n: n > 0)     # True
        """
        return self._plainly("all_satisfy", library.streams_all_satisfy, PREDICATE, predicate, "predicate")
