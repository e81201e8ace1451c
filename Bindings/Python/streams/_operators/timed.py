"""The operators that measure time, or go elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

from .._native import host
from .._native.errors import create_error, exception_of, made, untraced
from .._native.handle import DESTROY, ERROR_PREDICATE, as_plain
from .._native.library import library
from .._program.demand import as_int64
from .._program.types import T_co
from .._schedulers.backoff import Backoff, as_backoff
from .._schedulers.schedulers import Scheduler, Seconds, as_duration, as_scheduler
from .base import Operators

if TYPE_CHECKING:
    from .publisher import Publisher


class Timed(Operators[T_co]):
    """What Publisher does with schedulers. What they run sees the context variables of who subscribed: see Scheduler."""

    def debounce(self, due_time: Seconds, scheduler: Scheduler) -> Publisher[T_co]:
        """Passes on a value only when no other has come for `due_time` after it.

        Values are taken in without bound; one whose time comes while there is no demand is lost. The end is scheduled at
        once, and drops the value that waits.

        >>> typed.debounce(0.3, scheduler).sink(search)
        """
        time, handle = as_duration(due_time, "due_time"), as_scheduler(scheduler)
        return self._applied(library.streams_debounce, time, handle)

    def throttle(self, interval: Seconds, scheduler: Scheduler, latest: bool) -> Publisher[T_co]:
        """Passes on at most one value in each interval: the first at once, and another when `interval` has passed.

        Of the values that come meanwhile it keeps the latest, or the first. Values are taken in without bound; one that
        comes while there is no demand is dropped. The end waits for the value that is kept.

        >>> positions.throttle(0.05, scheduler, latest=True).sink(move)
        """
        time, handle = as_duration(interval, "interval"), as_scheduler(scheduler)
        return self._applied(library.streams_throttle, time, handle, bool(latest))

    def delay(self, interval: Seconds, scheduler: Scheduler) -> Publisher[T_co]:
        """Passes on each value, and the end, `interval` later, to functions that see the context variables (contextvars) of
        who subscribed.

        >>> alarms.delay(5, scheduler).sink(wake)
        """
        time, handle = as_duration(interval, "interval"), as_scheduler(scheduler)
        return self._applied(library.streams_delay, time, handle)

    def timeout(self, interval: Seconds, scheduler: Scheduler, error: BaseException | None = None) -> Publisher[T_co]:
        """Ends the stream when no value comes for `interval`: it fails with the exception, or finishes without one.

        The time begins to run when the stream is subscribed to, anew at the first request, and anew at each value. Time
        does not pass on an ImmediateScheduler, which is refused.

        >>> response.timeout(5, scheduler, TimeoutError("no answer")).sink(show, report)
        """
        time, handle = as_duration(interval, "interval"), as_scheduler(scheduler)
        if error is None:
            return self._applied(library.streams_timeout, time, handle, None)
        failure = create_error(error)
        try:
            return self._applied(library.streams_timeout, time, handle, failure)
        finally:
            library.streams_release(failure)

    def measure_interval(self, scheduler: Scheduler) -> Publisher[int]:
        """For each value, the time since the value before, or since the subscription: whole nanoseconds, as an int.

        >>> clicks.measure_interval(scheduler).map(lambda time: time / 1e9).sink(print)     # seconds
        """
        return self._applied(library.streams_measure_interval, as_scheduler(scheduler))

    def collect_by_time(self, interval: Seconds, scheduler: Scheduler) -> Publisher[list[T_co]]:
        """Collects the values of each interval, counted from the subscription, into a list; none makes none.

        Who demands all lists has all values demanded. Else each request demands one value, and each value the next, and what
        comes meanwhile from a source that cannot wait, as a subject, is lost. What is left at the end comes before that; a
        failure drops it.

        >>> measurements.collect_by_time(60, scheduler).sink(store)
        """
        time, handle = as_duration(interval, "interval"), as_scheduler(scheduler)
        return self._applied(library.streams_collect_by_time, time, handle)

    def collect_by_time_or_count(self, interval: Seconds, count: int, scheduler: Scheduler) -> Publisher[list[T_co]]:
        """Collects values as collect_by_time does, and passes a list on also when it has `count` values.

        Each list demanded demands `count` values; what a sink's function returns for a list of an interval demands none,
        as in Combine: request more in it instead.

        >>> measurements.collect_by_time_or_count(60, 100, scheduler).sink(store)
        """
        time, handle = as_duration(interval, "interval"), as_scheduler(scheduler)
        number = as_int64(count, "count")
        return self._applied(library.streams_collect_by_time_or_count, time, number, handle)

    def receive_on(self, scheduler: Scheduler) -> Publisher[T_co]:
        """Passes on values and the end on a scheduler: so they are received where that runs things.

        What is received together there comes as one batch. No more is under way than was demanded. Functions that receive
        it see the context variables (contextvars) of who subscribed, whoever has sent it.

        >>> lines.receive_on(background).map(parse).receive_on(loop).sink(show)
        """
        return self._applied(library.streams_receive_on, as_scheduler(scheduler))

    def subscribe_on(self, scheduler: Scheduler) -> Publisher[T_co]:
        """Subscribes to this publisher, demands and cancels on a scheduler; values come wherever it sends them.

        >>> slow.subscribe_on(background).receive_on(loop).sink(show)
        """
        return self._applied(library.streams_subscribe_on, as_scheduler(scheduler))

    def retry_backoff(
        self, backoff: Backoff, scheduler: Scheduler, when: Callable[[Exception], Any] | None = None
    ) -> Publisher[T_co]:
        """Subscribes to this publisher again when it fails, each time after a longer wait.

        What was demanded and has not come is demanded of the next attempt. The failure after the last attempt passes
        through, and so does one for which `when(exception)` is not true, or what that raises. What is no Exception, such
        as a KeyboardInterrupt, always passes.

        >>> status.retry_backoff(Backoff(retries=5, jitter=0.3), loop, when=is_temporary).sink(show)
        """
        decide = None if when is None else as_plain(when, "when")

        def is_worthwhile(error: int) -> bool:
            found = exception_of(error)
            if not isinstance(found, Exception):
                return False
            if decide is None:
                return True
            with untraced(found):
                return bool(decide(found))
            return False

        plan, handle = as_backoff(backoff), as_scheduler(scheduler)
        context = made(library.streams_callable_create(host.number, is_worthwhile))
        return self._applied(library.streams_retry_backoff, plan, handle, ERROR_PREDICATE, context, DESTROY)
