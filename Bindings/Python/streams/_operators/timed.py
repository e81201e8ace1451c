"""The operators that measure time or change the thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

from .._native import host
from .._native.errors import create_error, exception_of, made
from .._native.failures import Handling
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
    """Publisher's operators with schedulers. Functions that these run see the subscriber's context variables: see
    Scheduler."""

    def debounce(self, due_time: Seconds, scheduler: Scheduler) -> Publisher[T_co]:
        """Publishes a value only when no other has come for `due_time` after it.

        All values are demanded; a value whose time comes while there is no demand is lost. The end is scheduled
        immediately, and drops the value that waits.

        >>> typed.debounce(0.3, scheduler).sink(search)
        """
        time, handle = as_duration(due_time, "due_time"), as_scheduler(scheduler)
        return self._applied(library.streams_debounce, time, handle)

    def throttle(self, interval: Seconds, scheduler: Scheduler, latest: bool) -> Publisher[T_co]:
        """Publishes at most one value in each interval: the first immediately, and another when `interval` has passed
        since the last one that was sent.

        Of the values that come in between it keeps the latest, or the first. All values are demanded; a value that comes
        while there is no demand is dropped. The end waits for the value that is kept.

        >>> positions.throttle(0.05, scheduler, latest=True).sink(move)
        """
        time, handle = as_duration(interval, "interval"), as_scheduler(scheduler)
        return self._applied(library.streams_throttle, time, handle, bool(latest))

    def delay(self, interval: Seconds, scheduler: Scheduler) -> Publisher[T_co]:
        """Publishes each value, and the end, `interval` later, to functions that see the subscriber's context variables
        (contextvars).

        >>> alarms.delay(5, scheduler).sink(wake)
        """
        time, handle = as_duration(interval, "interval"), as_scheduler(scheduler)
        return self._applied(library.streams_delay, time, handle)

    def timeout(self, interval: Seconds, scheduler: Scheduler, error: BaseException | None = None) -> Publisher[T_co]:
        """Ends the stream when no value comes for `interval`: it fails with the exception, or finishes without one.

        The time starts at the subscription, and starts again at the first request and at each value. An ImmediateScheduler
        is refused, since its time does not pass.

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
        """Publishes for each value the time since the value before, or since the subscription: whole nanoseconds, as an
        int.

        >>> clicks.measure_interval(scheduler).map(lambda time: time / 1e9).sink(print)     # seconds
        """
        return self._applied(library.streams_measure_interval, as_scheduler(scheduler))

    def collect_by_time(self, interval: Seconds, scheduler: Scheduler) -> Publisher[list[T_co]]:
        """Collects the values of each interval, counted from the subscription, into a list; an interval without values has
        none.

        If all lists are demanded, all values are. Otherwise each request demands one value, and each value the next; values
        in between from a source that cannot wait, such as a subject, are lost. The remaining values come before the end; a
        failure drops them.

        >>> measurements.collect_by_time(60, scheduler).sink(store)
        """
        time, handle = as_duration(interval, "interval"), as_scheduler(scheduler)
        return self._applied(library.streams_collect_by_time, time, handle)

    def collect_by_time_or_count(self, interval: Seconds, count: int, scheduler: Scheduler) -> Publisher[list[T_co]]:
        """Collects values as collect_by_time does, and also publishes a list when it has `count` values.

        Each list demanded demands `count` values. The demand that a sink's function returns for a list of an interval
        demands none, as in Combine: request more in the function instead.

        >>> measurements.collect_by_time_or_count(60, 100, scheduler).sink(store)
        """
        time, handle = as_duration(interval, "interval"), as_scheduler(scheduler)
        number = as_int64(count, "count")
        return self._applied(library.streams_collect_by_time_or_count, time, number, handle)

    def receive_on(self, scheduler: Scheduler) -> Publisher[T_co]:
        """Delivers values and the end on a scheduler, on the thread where that runs actions.

        Values that are delivered together there come as one batch. No more values are under way than were demanded. The
        receiving functions see the subscriber's context variables (contextvars), not the sender's.

        >>> lines.receive_on(background).map(parse).receive_on(loop).sink(show)
        """
        return self._applied(library.streams_receive_on, as_scheduler(scheduler))

    def subscribe_on(self, scheduler: Scheduler) -> Publisher[T_co]:
        """Subscribes to this publisher, demands and cancels on a scheduler; values come on the thread that sends them.

        >>> slow.subscribe_on(background).receive_on(loop).sink(show)
        """
        return self._applied(library.streams_subscribe_on, as_scheduler(scheduler))

    def retry_backoff(
        self, backoff: Backoff, scheduler: Scheduler, when: Callable[[Exception], Any] | None = None
    ) -> Publisher[T_co]:
        """Subscribes to this publisher again when it fails, each time after a longer wait.

        The demand that has not been delivered passes to the next attempt. The failure after the last attempt passes
        through, and so does one for which `when(exception)` is not true, or an exception that `when` raises. A
        BaseException that is not an Exception, such as KeyboardInterrupt, always passes through.

        >>> status.retry_backoff(Backoff(retries=5, jitter=0.3), loop, when=is_temporary).sink(show)
        """
        decide = None if when is None else as_plain(when, "when")

        def is_worthwhile(error: int) -> bool:
            found = exception_of(error)
            if not isinstance(found, Exception):
                return False
            if decide is None:
                return True
            with Handling(found, error):
                return bool(decide(found))
            return False

        plan, handle = as_backoff(backoff), as_scheduler(scheduler)
        context = made(library.streams_callable_create(host.number, is_worthwhile))
        return self._applied(library.streams_retry_backoff, plan, handle, ERROR_PREDICATE, context, DESTROY)
