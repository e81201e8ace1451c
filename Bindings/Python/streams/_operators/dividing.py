"""The operators that split a stream into several: groups and windows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

from .._native.ffi_generated import STREAMS_AS_DEMANDED
from .._native.handle import TRANSFORM, as_plain
from .._native.library import library
from .._program.demand import as_demand, as_int64
from .._program.types import K, T_co
from .._schedulers.schedulers import Scheduler, Seconds, as_duration, as_scheduler
from .base import Operators

if TYPE_CHECKING:
    from .publisher import GroupedPublisher, Publisher


def _as_prefetch(count: int | None) -> int:
    if count is None:
        return STREAMS_AS_DEMANDED
    number = as_demand(count, "prefetch")
    if number == 0:
        raise ValueError("prefetch must be at least 1, and is 0")
    return number


class Dividing(Operators[T_co]):
    """Publisher's operators that divide it into publishers, each for one subscriber; share one for more.

    Values without demand wait, and so do values that come before their group or window has a subscriber. `prefetch`
    says how many values may wait, in all groups or windows together: that many are demanded of this publisher, and
    another one for each that has been delivered; while that many wait, no more come. Values of a publisher that cannot
    wait, such as a subject, are then lost. Without `prefetch` the number depends on the demand. If all groups or
    windows are demanded, as by a sink and flat_map, all values are demanded and nothing is lost: values that come
    before their group has a subscriber wait in memory, however many they are. The number is 256 if a limited number of
    groups is demanded, or a limited number of a group's values, as by a loop over a flat_map, while this publisher has
    its values ready, as a Sequence has. UNLIMITED sets no limit in any case.

    Each group or window must be subscribed to, or released: one that is released or cancelled drops its values. Groups
    or windows that are received one after another, as by concat_map, need a prefetch that holds all values of those
    that wait.
    """

    def group_by(self, key: Callable[[T_co], K], *, prefetch: int | None = None) -> Publisher[GroupedPublisher[K, T_co]]:
        """Divides values into groups by their keys. A group is published with its first value, and has the key as `key`.

        There is one group for each key, even after it has been cancelled; all keys are kept until the end. Demand
        counts groups, and a group's own subscriber demands its values. All groups end before the stream does. When the
        stream is cancelled, groups that have a subscriber go on; this publisher is cancelled with the last of them.

        >>> words.group_by(len).flat_map(lambda group: group.collect().map(lambda all: (group.key, all)))
        """
        bound = _as_prefetch(prefetch)
        return self._calling(library.streams_group_by, TRANSFORM, as_plain(key, "key"), "key", bound)

    def window(self, boundaries: Publisher[Any], *, prefetch: int | None = None) -> Publisher[Publisher[T_co]]:
        """Divides values into windows: another one begins with each value of `boundaries`.

        The first is published at the subscription; a window that has not been demanded yet stays open. The stream and
        its windows end with the first end of either publisher. When the stream is cancelled, a window that has a
        subscriber goes on.

        >>> keys.window(pauses).flat_map(lambda window: window.collect()).sink(print)
        """
        bound = _as_prefetch(prefetch)

        def divided(publisher: int, taken: int) -> Any:
            return library.streams_window(publisher, taken, bound)

        return self._with(divided, boundaries, "boundaries")

    def window_by_count(
        self, count: int, skip: int | None = None, *, prefetch: int | None = None
    ) -> Publisher[Publisher[T_co]]:
        """Divides values into windows of `count` values; each begins `skip` values after the one before, by default
        `count`.

        With a smaller skip windows overlap, and a value goes to, and counts in, each open window; with a greater one
        values in between are dropped. A window is published with its first value. It is closed before its last value is
        delivered: a value that is sent during that delivery belongs to the next window.

        >>> from_iterable(range(5)).window_by_count(2).flat_map(lambda window: window.sum())     # 1, 5, 4
        """
        number = as_int64(count, "count")
        step = number if skip is None else as_int64(skip, "skip")
        return self._applied(library.streams_window_by_count, number, step, _as_prefetch(prefetch))

    def window_by_time(
        self, interval: Seconds, scheduler: Scheduler, *, prefetch: int | None = None
    ) -> Publisher[Publisher[T_co]]:
        """Divides values into windows by the clock: another one begins at the end of each interval.

        The first is published at the subscription; a window that has not been demanded yet stays open.

        >>> requests.window_by_time(1, scheduler).flat_map(lambda window: window.count()).sink(show)
        """
        time, handle = as_duration(interval, "interval"), as_scheduler(scheduler)
        return self._applied(library.streams_window_by_time, time, _as_prefetch(prefetch), handle)

    def window_by_time_or_count(
        self, interval: Seconds, count: int, scheduler: Scheduler, *, prefetch: int | None = None
    ) -> Publisher[Publisher[T_co]]:
        """Divides values into windows by the clock, as window_by_time does, and also after each `count` values.

        >>> requests.window_by_time_or_count(1, 100, scheduler).flat_map(store).sink(show)
        """
        time, handle = as_duration(interval, "interval"), as_scheduler(scheduler)
        number, bound = as_int64(count, "count"), _as_prefetch(prefetch)
        return self._applied(library.streams_window_by_time_or_count, time, number, bound, handle)
