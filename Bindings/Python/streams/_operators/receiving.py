"""The ways to wait for values."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any

from .._aio import iteration
from .._program.demand import as_demand
from .._program.types import T_co
from .._schedulers.schedulers import EventLoop, Seconds
from .._subscriptions.subscribing import Subscribing

if TYPE_CHECKING:
    from .._aio.values import Values


class Receiving(Subscribing[T_co]):
    """Publisher's methods that wait for values."""

    # ---- values for a loop -----------------------------------------------------------------------------------------

    def iterate(self, buffer: int = iteration.BUFFER, *, loop: EventLoop | None = None) -> Generator[T_co, None, None]:
        """The values, for a `for` loop. It demands what it can hold, `buffer` values, and never more.

        It subscribes, and demands, when the loop asks for the first value; from then on it demands whenever half of the
        buffer is free. So a source that makes values on demand, such as a generator, is up to 256 values ahead of the loop,
        and the first value comes when all values of the first demand are made. If that takes long, as with lines that a
        user types, or if every value that is made must be used, iterate(buffer=1) takes one value at a time.

        Values of a source that cannot wait, such as a subject, are lost while the buffer is full; iterate(buffer=UNLIMITED)
        has room for all, and demands without limit: an endless source that makes values on demand then never returns.

        A stream that fails raises its exception. Leaving the loop cancels, as soon as the iterator is released or
        closed with close().

        It waits for values that come from other threads; Ctrl-C ends the wait with a KeyboardInterrupt. If the stream needs
        an EventLoop of this very thread, pass it as `loop`: it then runs during the wait.

        >>> for word in typed.debounce(0.3, loop).iterate(loop=loop):
        ...     print(word)
        """
        room = as_demand(buffer, "buffer")
        if room == 0:
            raise ValueError("buffer must be at least 1")
        if loop is not None and not isinstance(loop, EventLoop):
            raise TypeError(f"loop must be an EventLoop, not {type(loop).__name__}")
        return iteration.iterate(iteration.Room(self, room), loop)

    def __iter__(self) -> Iterator[T_co]:
        """`for value in publisher` is the same as `for value in publisher.iterate()`.

        list(publisher), sorted(publisher) and [*publisher] demand without limit, as a sink does: the list has the values
        that a sink would get, in the same order.

        >>> list(Sequence([1, 2, 3]).map(str))
        ['1', '2', '3']
        """
        return iteration.begin(self)

    def __length_hint__(self) -> Any:
        # list() and its kin ask for the length right after __iter__; a loop does not.
        iteration.all_are_wanted(self)
        return NotImplemented

    def first_value(self, timeout: Seconds | None = None, *, loop: EventLoop | None = None) -> T_co:
        """Runs the stream until its first value, which is the result, and cancels it.

        A stream that fails before a value raises its exception; one that finishes raises NoValueError, a LookupError. After
        `timeout`, TimeoutError is raised; without it the call waits until Ctrl-C. A `loop` runs during the wait: see
        iterate.

        >>> Sequence([1, 2, 3]).first_value()
        1
        """
        found = iteration.first_value(self, timeout, loop)
        del self  # keeps it out of the traceback of an exception
        return found()

    def run(self, timeout: Seconds | None = None, *, loop: EventLoop | None = None) -> T_co | None:
        """Runs the stream to its end and returns the last value, or None if there was none.

        A stream that fails raises its exception. After `timeout` it is cancelled, and TimeoutError is raised: while it
        waits, or at its next value. Without it the call waits until the stream ends, or until Ctrl-C. A `loop` runs during
        the wait: see iterate.

        >>> Sequence([1, 2, 3]).run()
        3
        """
        found = iteration.run(self, timeout, loop)
        del self
        return found()

    # ---- asyncio ---------------------------------------------------------------------------------------------------

    def values(self, buffer: int = iteration.BUFFER) -> Values[T_co]:
        """The values for `async for`, in asyncio or trio. It demands what it can hold, `buffer` values, and never more.

        It subscribes, and demands, immediately; later it demands whenever the loop waits for a value and half of the buffer
        is free. So a source that makes values on demand is up to 256 values ahead of the loop: if each value must be taken
        only in its turn, such as a job from a queue, use values(buffer=1). Values of a source that cannot wait, such as a
        subject, are lost while the buffer is full; values(buffer=UNLIMITED) has room for all.

        A stream that fails raises its exception. A large buffer is faster if values come from another thread, or if the
        loop waits for them: many values wake the loop once.

        Leaving the loop cancels, as soon as the iterator is released. `async with`, or `await values.aclose()`, also waits
        until the stream's async generators and tasks have ended, even when its own task is cancelled. See Values.aclose.

        >>> async with from_async_iterable(read_sensor).values(buffer=16) as values:
        ...     async for value in values:
        ...         await store(value)
        """
        from .._aio.values import Values

        return Values(self, buffer)

    def __aiter__(self) -> Values[T_co]:
        """`async for value in publisher` is the same as `async for value in publisher.values()`."""
        return self.values()

    def __await__(self) -> Generator[Any, None, T_co]:
        """`await publisher` runs the stream to its end, with unlimited demand, and returns its last value.

        A stream that fails raises its exception; one that finishes without a value raises NoValueError, a LookupError.
        Cancelling the task that waits cancels the stream. It returns, or raises, when the stream's async generators and
        tasks have ended: see Values.aclose.

        >>> total = await prices.reduce(0, operator.add)
        """
        from .._aio.values import last_value

        return last_value(self).__await__()
