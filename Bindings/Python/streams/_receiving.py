"""The ways to subscribe, and to wait for values."""

import functools
import weakref
from typing import TYPE_CHECKING, Any, Callable, Generator, Iterator, List, Optional, Sequence, Type, Union, overload

from . import _host, _iterate, _sink
from ._chains import Step, made_here, sink_here
from ._demand import UNLIMITED, as_demand
from ._handle import as_callable
from ._library import library
from ._operators import Operators, as_subject, as_target
from ._owner import Functions, owner_of
from ._schedulers import EventLoop, Seconds
from ._subscription import Cancellable, LimitedCancellable, Subscription
from ._types import AnySubject, T_co, U

if TYPE_CHECKING:
    from ._asyncio import Values
    from ._binding import Binding
    from ._observable import PublishedPublisher
    from ._subjects import CurrentValueSubject

_number, _calls, _ticket = _host.number, _host.calls, Cancellable._of


class Receiving(Operators[T_co]):
    """What subscribes to a Publisher."""

    def sink(
        self,
        value: "Optional[Callable[[T_co], Optional[int]]]" = None,
        completion: "Optional[Callable[[Optional[BaseException]], Any]]" = None,
        demand: int = UNLIMITED,
        *,
        batch: "Optional[Callable[[Sequence[T_co]], Optional[int]]]" = None,
        subscription: "Optional[Callable[[Subscription], Any]]" = None,
    ) -> Cancellable:
        """Subscribes: the stream begins, and runs for as long as the result is kept.

        value         is called with each value. What it returns is demanded in addition; None is nothing.
                      A function whose number means something else, as that of a file's write, stands in another's body.
        completion    is called at the end, with None or with the exception that the stream failed with. Without it, a
                      failure is told to sys.unraisablehook, as an UnhandledFailure, or printed with its traceback.
        demand        is how many values are demanded at the start. What comes beyond the demand is dropped by a subject,
                      and counted (`dropped` of the ticket); a DroppedValuesWarning says so when the ticket is let go of.
        batch         replaces `value`: it is called with as many values as there are at a time. They are a memoryview
                      of "d" or "q" if they are numbers that were sent as such in bulk, and a list otherwise. An array
                      that was sent is seen where it lies: see Subject.send_many.
        subscription  is called first, with the Subscription, through which more can be requested later.

        An exception raised by value or batch ends the stream, and completion gets it. KeyboardInterrupt, SystemExit and
        whatever else is no Exception does so too, and comes out of the call that caused the delivery besides.

        >>> ticket = prices.filter(lambda price: price > 10).sink(print)
        """
        step = sink_here(_sink.SinkStep, self._step, batch if value is None else value)
        amount = demand if demand is UNLIMITED else as_demand(demand)
        ended = step if completion is None else _sink.ended(completion, step)
        if batch is not None or subscription is not None:
            kind = Cancellable if demand is UNLIMITED else LimitedCancellable
            return self._sink(kind, step, *_sink.subscriber(value, batch, subscription, ended, amount))
        function: Callable[..., Any] = _sink.ignore if value is None else value
        call = _calls.get(type(function))
        if call is None:
            as_callable(function, "value")
        functions = Functions((function, ended))
        owner = owner_of(functions)
        handle = library.streams_host_sink(self._take(), _number, amount, function, ended, owner and id(owner), call)
        if demand is UNLIMITED:
            return _ticket(handle, step, functions)
        return LimitedCancellable._of(handle, step, functions)

    def _sink(self, kind: Type[Cancellable], step: Step, subscriber: Any, functions: List[Any]) -> Cancellable:
        try:
            publisher = self._take()
        except BaseException:
            _sink.drop(subscriber)
            raise
        return kind._of(library.streams_sink(publisher, subscriber), step, functions)

    @overload
    def assign(self: "Receiving[U]", to: "Union[Binding[U], CurrentValueSubject[U], PublishedPublisher[U]]") -> Cancellable: ...
    @overload
    def assign(self, to: Any, name: str, *, weak: bool = False) -> Cancellable: ...

    def assign(self, to: Any, name: Optional[str] = None, *, weak: bool = False) -> Cancellable:
        """Sets something to each value: an attribute of an object, a current-value subject, a binding, or a published
        attribute, given as its publisher.

        >>> ticket = temperatures.assign(display, "text")
        >>> ticket = temperatures.assign(to=weather.published.temperature)

        The ticket keeps the object of an attribute. With weak=True it does not, and the stream is cancelled when the
        object is gone; nor does it keep the object of a published attribute, which may so be assigned to from what is
        derived from the object itself.
        """
        if name is not None:
            if not isinstance(name, str):
                raise TypeError(f"name must be the name of an attribute, not {type(name).__name__}")
            return _set_weakly(self, to, name) if weak else self.sink(functools.partial(setattr, to, name))
        if weak:
            raise TypeError("weak is for an attribute of an object, which has a name")
        assign, *target = as_target(to)
        return Cancellable._of(assign(self._take(), *target), made_here(self._step))

    def subscribe(self, subject: "AnySubject[T_co]") -> Cancellable:
        """Sends everything on to the subscribers of a subject, the end included."""
        handle, step = as_subject(subject), made_here(self._step)
        return Cancellable._of(library.streams_subscribe(self._take(), handle), step)

    # ---- values for a loop -----------------------------------------------------------------------------------------

    def iterate(self, buffer: int = _iterate.BUFFER, *, loop: Optional[EventLoop] = None) -> "Generator[T_co, None, None]":
        """The values, for a `for` loop. It demands what it can hold, `buffer` values, and never more.

        It subscribes, and demands, when the first value is asked for; from then on whenever half of the buffer is free.
        So a source that makes values when they are demanded, such as a generator, is up to 256 values ahead of the loop,
        and the first value comes when those are made that were demanded with it. Where that takes long, as with lines
        that somebody types, or what is made must be used, iterate(buffer=1) takes one value at a time.

        A source that waits for nobody, such as a subject, loses what it sends while the buffer is full;
        iterate(buffer=UNLIMITED) has room for all, and demands without end: a source without end never comes to one.

        A stream that fails raises its exception. Leaving the loop cancels, as soon as the iterator is let go of or
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
        return _iterate.iterate(_iterate.Room(self, room), loop)

    def __iter__(self) -> "Iterator[T_co]":
        """`for value in publisher` is the same as `for value in publisher.iterate()`.

        Who collects, as list(publisher), sorted(publisher) and [*publisher] do, demands without limit, as a sink does:
        the list has what a sink would be given, in its order.

        >>> list(Sequence([1, 2, 3]).map(str))
        ['1', '2', '3']
        """
        return _iterate.begin(self)

    def __length_hint__(self) -> Any:
        # Asked by who collects, which a loop does not, right after __iter__.
        _iterate.all_are_wanted(self)
        return NotImplemented

    def first_value(self, timeout: Optional[Seconds] = None, *, loop: Optional[EventLoop] = None) -> T_co:
        """Runs the stream until its first value, which is the result, and cancels it.

        A stream that fails before raises its exception, and one that finishes NoValueError, a LookupError. After
        `timeout`, TimeoutError is raised; without one it waits for as long as that takes, until Ctrl-C. A `loop` is run
        meanwhile: see iterate.

        >>> Sequence([1, 2, 3]).first_value()
        1
        """
        found = _iterate.first_value(self, timeout, loop)
        del self  # not to be in the traceback of what is raised
        return found()

    def run(self, timeout: Optional[Seconds] = None, *, loop: Optional[EventLoop] = None) -> Optional[T_co]:
        """Runs the stream to its end and returns the last value, or None if there was none.

        A stream that fails raises its exception. After `timeout` it is cancelled, and TimeoutError is raised: while it
        waits, or at its next value. Without one it waits for as long as the stream goes on: for ever, if that never
        ends, until Ctrl-C. A `loop` is run meanwhile: see iterate.

        >>> Sequence([1, 2, 3]).run()
        3
        """
        found = _iterate.run(self, timeout, loop)
        del self
        return found()

    # ---- asyncio ---------------------------------------------------------------------------------------------------

    def values(self, buffer: int = _iterate.BUFFER) -> "Values[T_co]":
        """The values for `async for`, in asyncio or trio. It demands what it can hold, `buffer` values, and never more.

        It subscribes, and demands, at once; later whenever the next value is waited for and half of the buffer is free.
        So what makes values when they are demanded is up to 256 values ahead of the loop: where each is to be taken only
        when its turn has come, as a job from a queue, values(buffer=1) does that. A source that waits for nobody, such as
        a subject, loses what it sends while the buffer is full; values(buffer=UNLIMITED) has room for all.

        A stream that fails raises its exception. A large buffer is faster where the values come from another thread or
        are waited for: they wake the loop once.

        Leaving the loop cancels, as soon as the iterator is let go of. With `async with`, or `await values.aclose()`,
        what that ends in asyncio has ended before the program goes on: also when its task is cancelled.

        >>> async with from_async_iterable(read_sensor).values(buffer=16) as values:
        ...     async for value in values:
        ...         await store(value)
        """
        from ._asyncio import Values

        return Values(self, buffer)

    def __aiter__(self) -> "Values[T_co]":
        """`async for value in publisher` is the same as `async for value in publisher.values()`."""
        return self.values()

    def __await__(self) -> "Generator[Any, None, T_co]":
        """`await publisher` runs the stream to its end, with unlimited demand, and is its last value.

        A stream that fails raises its exception, and one that finishes without a value NoValueError, a LookupError. It
        is cancelled with the task that waits.

        >>> total = await prices.reduce(0, operator.add)
        """
        from ._asyncio import last_value

        return last_value(self).__await__()


def _set_weakly(publisher: Receiving[Any], target: Any, name: str) -> Cancellable:
    """Sets an attribute for as long as its object lives, which the stream does not keep."""
    tickets: "List[weakref.ref[Cancellable]]" = []

    def end(_: Any) -> None:
        for ticket in filter(None, [each() for each in tickets]):
            ticket.cancel()

    known = weakref.ref(target, end)

    def set(value: Any) -> None:
        found = known()
        if found is not None:
            setattr(found, name, value)

    ticket = publisher.sink(set)
    tickets.append(weakref.ref(ticket))
    return ticket
