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
    """How the values of a Publisher are waited for."""

    # ---- values for a loop -----------------------------------------------------------------------------------------

    def iterate(self, buffer: int = iteration.BUFFER, *, loop: EventLoop | None = None) -> Generator[T_co, None, None]:
        """The values, for a `for` loop. It demands what it can hold, `buffer` values, and never more.

        It subscribes, and demands, when the first value is asked for; from then on whenever half of the buffer is free.
        So a source that makes values when they are demanded, such as a generator, is up to 256 values ahead of the loop,
        and the first value comes when those are made that were demanded with it. Where that takes long, as with lines
        that somebody types, or what is made must be used, iterate(buffer=1) takes one value at a time.

        A source that waits for nobody, such as a subject, loses what it sends while the buffer is full;
        iterate(buffer=UNLIMITED) has room for all, and demands without end: a source without end never comes to one.

        A stream that fails raises its exception. Leaving the loop cancels, as soon as the iterator is released or
        closed with close().

        Where the values come from other threads, it waits for them; Ctrl-C ends that with a KeyboardInterrupt. What is
        to run on an EventLoop of this very thread only can if somebody runs the loop: give it as `loop`.

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

        Who collects, as list(publisher), sorted(publisher) and [*publisher] do, demands without limit, as a sink does:
        the list has what a sink would be given, in its order.

        >>> list(Sequence([1, 2, 3]).map(str))
        ['1', '2', '3']
        """
        return iteration.begin(self)

    def __length_hint__(self) -> Any:
        # Asked by who collects, which a loop does not, right after __iter__.
        iteration.all_are_wanted(self)
        return NotImplemented

    def first_value(self, timeout: Seconds | None = None, *, loop: EventLoop | None = None) -> T_co:
        """Runs the stream until its first value, which is the result, and cancels it.

        A stream that fails before raises its exception, and one that finishes NoValueError, a LookupError. After
        `timeout`, TimeoutError is raised; without one it waits for as long as that takes, until Ctrl-C. A `loop` is run
        meanwhile: see iterate.

        >>> Sequence([1, 2, 3]).first_value()
        1
        """
        found = iteration.first_value(self, timeout, loop)
        del self  # not to be in the traceback of what is raised
        return found()

    def run(self, timeout: Seconds | None = None, *, loop: EventLoop | None = None) -> T_co | None:
        """Runs the stream to its end and returns the last value, or None if there was none.

        A stream that fails raises its exception. After `timeout` it is cancelled, and TimeoutError is raised: while it
        waits, or at its next value. Without one it waits for as long as the stream goes on: for ever, if that never
        ends, until Ctrl-C. A `loop` is run meanwhile: see iterate.

        >>> Sequence([1, 2, 3]).run()
        3
        """
        found = iteration.run(self, timeout, loop)
        del self
        return found()

    # ---- asyncio ---------------------------------------------------------------------------------------------------

    def values(self, buffer: int = iteration.BUFFER) -> Values[T_co]:
        """The values for `async for`, in asyncio or trio. It demands what it can hold, `buffer` values, and never more.

        It subscribes, and demands, at once; later whenever the next value is waited for and half of the buffer is free.
        So what makes values when they are demanded is up to 256 values ahead of the loop: where each is to be taken only
        when its turn has come, as a job from a queue, values(buffer=1) does that. A source that waits for nobody, such as
        a subject, loses what it sends while the buffer is full; values(buffer=UNLIMITED) has room for all.

        A stream that fails raises its exception. A large buffer is faster where the values come from another thread or
        are waited for: they wake the loop once.

        Leaving the loop cancels, as soon as the iterator is released. With `async with`, or `await values.aclose()`,
        what that ends in asyncio has ended before the program goes on: also when its task is cancelled.

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
        """`await publisher` runs the stream to its end, with unlimited demand, and is its last value.

        A stream that fails raises its exception, and one that finishes without a value NoValueError, a LookupError. It
        is cancelled with the task that waits.

        >>> total = await prices.reduce(0, operator.add)
        """
        from .._aio.values import last_value

        return last_value(self).__await__()
