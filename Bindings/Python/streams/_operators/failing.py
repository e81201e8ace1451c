"""The operators for streams that fail."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Callable

from .._native import host
from .._native.errors import check, create_error, exception_of, made
from .._native.failures import Handling
from .._native.handle import DESTROY, PREDICATE, RECOVER, TRANSFORM, TRANSFORM_ERROR, as_callable
from .._native.library import library
from .._native.values import Value
from .._program.demand import as_int64
from .._program.texts import text_of
from .._program.types import T_co, U
from .._subscriptions.sink import explained
from .._subscriptions.stream import handed_over
from .base import Operators
from .event import Event, error_of, event_of, goes_on

if TYPE_CHECKING:
    from .publisher import Publisher


class Failing(Operators[T_co]):
    """Publisher's operators for exceptions."""

    def catch(self, handler: Callable[[Exception], Publisher[U]]) -> Publisher[T_co | U]:
        """When the stream fails, continues with the publisher that the handler makes from the exception.

        A handler that raises fails the stream, so this is Combine's try_catch too. A BaseException that is not an
        Exception, such as KeyboardInterrupt, is not caught.

        >>> readings.catch(lambda error: Just(0.0))
        """
        as_callable(handler, "handler")
        step = self._step

        def recover(error: int) -> int:
            found = explained(error, step)
            if not isinstance(found, Exception):
                raise found
            with Handling(found, error):
                return handed_over(handler(found), "handler")
            return made(library.streams_fail(error))

        return self._calling(library.streams_catch, RECOVER, recover, "handler")

    try_catch = catch

    def map_error(self, transform: Callable[[Exception], BaseException]) -> Publisher[T_co]:
        """Replaces the exception with which the stream fails by the one that the function returns.

        An exception that the function raises replaces it too. A BaseException that is not an Exception, such as
        KeyboardInterrupt, stays as it is.

        >>> readings.map_error(lambda error: SensorError(str(error)))
        """
        as_callable(transform, "transform")
        step = self._step

        def change(error: int) -> int:
            found = explained(error, step)
            if not isinstance(found, Exception):
                return create_error(found)
            with Handling(found, error):
                return create_error(transform(found))
            check(library.streams_retain(error))
            return error

        return self._calling(library.streams_map_error, TRANSFORM_ERROR, change, "transform")

    def assert_no_failure(self, prefix: str = "") -> Publisher[T_co]:
        """For failures that would be programming errors: fails with an AssertionError in place of the exception.

        Its cause is that exception. A BaseException that is not an Exception, such as KeyboardInterrupt, passes through.

        >>> settings.assert_no_failure("settings").sink(apply)
        """
        if not isinstance(prefix, str):
            raise TypeError(f"prefix must be a str, not {type(prefix).__name__}")

        def unexpected(error: BaseException) -> BaseException:
            failure = AssertionError(f"{prefix}: {text_of(error)}" if prefix else text_of(error))
            failure.__cause__ = error
            return failure

        return self.map_error(unexpected)

    def replace_error(self, value: U) -> Publisher[T_co | U]:
        """Publishes a value in place of the exception with which the stream fails, and finishes.

        A BaseException that is not an Exception, such as KeyboardInterrupt, passes through.

        >>> readings.replace_error(0.0)
        """

        def replace(error: int) -> int:
            if not isinstance(exception_of(error), Exception):
                return made(library.streams_fail(error))
            with Value(value) as replacement:
                return made(library.streams_just(replacement))

        return self._calling(library.streams_catch, RECOVER, replace, "value")

    def materialize(self) -> Publisher[Event]:
        """Publishes the events of this publisher, its values and its end, each as an Event, and then finishes.

        The end waits for demand as any value does.

        >>> Sequence([1]).materialize()                          # Event("value", 1), Event("finished")
        """
        lists = made(library.streams_materialize(self._take()))
        return self._of(_then(library.streams_map, lists, TRANSFORM, _as_event))

    def dematerialize(self: Operators[Event]) -> Publisher[Any]:
        """The reverse of materialize: turns Events back into values and the end. The first end cancels this publisher.

        >>> Sequence([Event("value", 1), Event("failed", error=KeyError(2))]).dematerialize()
        """
        values = _then(library.streams_prefix_while, self._take(), PREDICATE, goes_on)
        values = _then(library.streams_map, values, TRANSFORM, operator.attrgetter("value"))
        return self._of(_then(library.streams_map_error, values, TRANSFORM_ERROR, error_of))

    def retry(self, retries: int) -> Publisher[T_co]:
        """Subscribes to this publisher again when it fails, at most `retries` times; the failure after that passes
        through.

        The demand that has not been delivered passes to the next attempt. A publisher that fails as soon as it is
        subscribed to is subscribed to again immediately, while there are retries. A BaseException that is not an Exception,
        such as KeyboardInterrupt, always passes through.

        >>> requests.retry(3).sink(print)
        """
        number = as_int64(retries, "retries")
        return self._applied(library.streams_retry, number)


def _as_event(said: list[Any]) -> Event:
    return event_of(*said)


def _then(function: Any, publisher: int, shape: Any, callback: Any) -> int:
    """The handle that a library function makes of a publisher, which it consumes, and a callback."""
    return made(function(publisher, shape, library.streams_callable_create(host.number, callback), DESTROY))
