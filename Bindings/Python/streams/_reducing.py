"""The operators that make one value of all."""

import operator
from typing import TYPE_CHECKING, Any, Callable, TypeVar

from ._handle import ORDER, PREDICATE, as_plain
from ._library import library
from ._operators import Operators

if TYPE_CHECKING:
    from ._publisher import Publisher

T = TypeVar("T")


class Reducing(Operators[T]):
    """What Publisher says of all values at once. All are demanded at once."""

    def count(self) -> "Publisher[int]":
        """Publishes how many values there were, once the stream finishes.

        >>> Sequence("abc").count()                              # 3
        """
        return self._applied(library.streams_count)

    def min(self) -> "Publisher[T]":
        """Publishes the least value, once the stream finishes; of equal ones the first.

        >>> Sequence([3, 1, 2]).min()                            # 1
        """
        return self.min_by(operator.lt)

    def max(self) -> "Publisher[T]":
        """Publishes the greatest value, once the stream finishes; of equal ones the first.

        >>> Sequence([3, 1, 2]).max()                            # 3
        """
        return self.max_by(operator.lt)

    def min_by(self, is_before: "Callable[[T, T], Any]") -> "Publisher[T]":
        """The same as min in an order of your own: the function's result is true if its first value comes first.

        >>> Sequence(["bb", "a"]).min_by(lambda a, b: len(a) < len(b))   # "a"
        """
        order = as_plain(is_before, "is_before")
        return self._calling(library.streams_min_by, ORDER, order, "is_before")

    def max_by(self, is_before: "Callable[[T, T], Any]") -> "Publisher[T]":
        """The same as max in an order of your own: the function's result is true if its first value comes first.

        >>> Sequence(["bb", "a"]).max_by(lambda a, b: len(a) < len(b))   # "bb"
        """
        order = as_plain(is_before, "is_before")
        return self._calling(library.streams_max_by, ORDER, order, "is_before")

    def contains(self, value: T) -> "Publisher[bool]":
        """Publishes True, and cancels upstream, when a value equals this one; False if the stream finishes before.

        >>> Sequence([1, 2, 3]).contains(2)                      # True
        """

        def is_same(other: T) -> Any:
            return other == value

        return self._calling(library.streams_contains_where, PREDICATE, is_same, "value")

    def contains_where(self, predicate: "Callable[[T], Any]") -> "Publisher[bool]":
        """The same for a value for which the function's result is true.

        >>> Sequence([1, 2, 3]).contains_where(lambda n: n > 3)          # False
        """
        plain = as_plain(predicate, "predicate")
        return self._calling(library.streams_contains_where, PREDICATE, plain, "predicate")

    def all_satisfy(self, predicate: "Callable[[T], Any]") -> "Publisher[bool]":
        """Publishes False, and cancels upstream, when the function's result is not true; True if the stream finishes before.

        >>> Sequence([1, 2, 3]).all_satisfy(lambda n: n > 0)     # True
        """
        plain = as_plain(predicate, "predicate")
        return self._calling(library.streams_all_satisfy, PREDICATE, plain, "predicate")
