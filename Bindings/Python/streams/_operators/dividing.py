"""The operators that make several streams of one: groups and windows."""

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
    """What Publisher is divided into: publishers, each for one subscriber; share one for more.

    What there is no demand for waits, and so does what comes before somebody has subscribed. `prefetch` says how many
    values may wait, in all groups or windows together: this publisher is asked for so many, and for another one for
    each that has been delivered, and no more come while so many wait. What it sends that cannot wait for that, as a
    subject, is lost. If it is left out, it depends on the demand: whoever demands all groups or windows, as a sink and
    flat_map do, has all values asked for, and loses nothing; what comes before somebody has subscribed to a group waits
    in memory, however much it is. Where a limited number of groups is demanded it is 256, and where a limited number of
    a group's values is, as by a loop over a flat_map, and this publisher has its values ready, as a Sequence has.
    UNLIMITED sets no bound in any case.

    Each group or window has to be subscribed to, or released: one that nobody holds any more, or that is cancelled,
    drops its values. Those that are received one after another, as by concat_map, need a prefetch that holds all values
    of those that wait.
    """

    def group_by(self, key: Callable[[T_co], K], *, prefetch: int | None = None) -> Publisher[GroupedPublisher[K, T_co]]:
        """Divides values into groups by their keys. A group is published with its first value, and has the key as `key`.

        There is one group for each key, also when it has been cancelled; all keys are kept until the end. Demand is for
        groups, and a group's own subscriber demands its values. All groups end before the stream does. When that is
        cancelled, those that have been subscribed to go on; this publisher is cancelled with the last of them.

        >>> words.group_by(len).flat_map(lambda group: group.collect().map(lambda all: (group.key, all)))
        """
        bound = _as_prefetch(prefetch)
        return self._calling(library.streams_group_by, TRANSFORM, as_plain(key, "key"), "key", bound)

    def window(self, boundaries: Publisher[Any], *, prefetch: int | None = None) -> Publisher[Publisher[T_co]]:
        """Divides values into windows: another one begins with each value of `boundaries`.

        The first is published at the subscription; one that has not been demanded yet goes on. The stream and its
        windows end with the first end of either publisher. When the stream is cancelled, a window that has been
        subscribed to goes on.

        >>> keys.window(pauses).flat_map(lambda window: window.collect()).sink(print)
        """
        bound = _as_prefetch(prefetch)

        def divided(publisher: int, taken: int) -> Any:
            return library.streams_window(publisher, taken, bound)

        return self._with(divided, boundaries, "boundaries")

    def window_by_count(
        self, count: int, skip: int | None = None, *, prefetch: int | None = None
    ) -> Publisher[Publisher[T_co]]:
        """Divides values into windows of `count`, the next of which begins `skip` values after another, or when it is over.

        With a smaller skip windows overlap, and a value goes to, and counts in, each that is open; with a greater one values
        in between are dropped. A window is published with its first value. It is over before its last one is told: a value
        that is sent meanwhile belongs to the next window.

        >>> from_iterable(range(5)).window_by_count(2).flat_map(lambda window: window.sum())     # 1, 5, 4
        """
        number = as_int64(count, "count")
        step = number if skip is None else as_int64(skip, "skip")
        return self._applied(library.streams_window_by_count, number, step, _as_prefetch(prefetch))

    def window_by_time(
        self, interval: Seconds, scheduler: Scheduler, *, prefetch: int | None = None
    ) -> Publisher[Publisher[T_co]]:
        """Divides values into windows by the clock: another one begins at the end of each interval.

        The first is published at the subscription; one that has not been demanded yet goes on.

        >>> requests.window_by_time(1, scheduler).flat_map(lambda window: window.count()).sink(show)
        """
        time, handle = as_duration(interval, "interval"), as_scheduler(scheduler)
        return self._applied(library.streams_window_by_time, time, _as_prefetch(prefetch), handle)

    def window_by_time_or_count(
        self, interval: Seconds, count: int, scheduler: Scheduler, *, prefetch: int | None = None
    ) -> Publisher[Publisher[T_co]]:
        """Divides values into windows by the clock, as window_by_time, and begins another when one has had `count` values.

        >>> requests.window_by_time_or_count(1, 100, scheduler).flat_map(store).sink(show)
        """
        time, handle = as_duration(interval, "interval"), as_scheduler(scheduler)
        number, bound = as_int64(count, "count"), _as_prefetch(prefetch)
        return self._applied(library.streams_window_by_time_or_count, time, number, bound, handle)
