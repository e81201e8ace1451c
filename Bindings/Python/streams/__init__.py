"""Publishers, subscribers and demand: Combine's model for Python.

A publisher describes a stream of values. Nothing flows until a subscriber is attached, and never more values flow than
the subscriber has demanded. Operators sit in between. A stream ends once: it finishes, or it fails with an exception.

>>> from streams import *
>>> prices = PassthroughSubject()
>>> euros = prices.filter(lambda price: price > 10).map(lambda price: f"{price} euros")
>>> cancellable = euros.sink(print)
>>> prices.send(42)
42 euros

A stream runs for as long as its cancellable is kept. Values come from

    PassthroughSubject, CurrentValueSubject     what the program sends
    ReplaySubject                               what the program sends, also before a subscriber comes
    Just, Sequence, Empty, Fail, Record         known values
    from_iterable, from_async_iterable          values that are made on demand
    create, Deferred, Future, Interval          functions and timers

and every operator is a method of Publisher: help(Publisher) lists them all, and help(Publisher.map) describes one. This
page continues with all classes, which is long: help(Subject), for example, shows one. A subscriber is

>>> list(Sequence([1, 2, 3]).map(str))          # a loop, or what takes an iterable
['1', '2', '3']
>>> Sequence([1, 2, 3]).first_value()           # a call that waits: first_value, run
1
>>> cancellable = Sequence([1, 2, 3]).sink(print)    # a function, or an attribute or subject: sink, assign, subscribe
1
2
3

or, in asyncio and trio, `async for value in publisher.values()` and `await publisher`. All cancel when they are left.

Demand is how many values a subscriber can take. A sink demands all by default, and its function can return additional
demand:

>>> cancellable = Sequence([1, 2, 3]).sink(print, demand=2)
1
2

A function that raises fails the stream, and the end of the pipeline gets that very exception, with notes that name the
operator and the line that made it. The representation of a publisher shows its operators.

>>> cancellable = Sequence([1, 0]).map(lambda n: 2 / n).sink(print, lambda error: print(repr(error)))
2.0
ZeroDivisionError('division by zero')
>>> euros
<streams.Publisher at 0x...: PassthroughSubject().filter(<lambda>).map(<lambda>)>

State that is read, set and watched is an ObservableObject with Published attributes, or a CurrentValueSubject. A
Property is derived from it and has a current value too; a Binding reads and sets a part of it. Functions that show
state can run again when a value that they have read has changed: see help(ScopeTree).

>>> class Car(ObservableObject):
...     charge = Published(50.0)
>>> car = Car()
>>> cancellable = Property(car.published.charge).map("{} kWh".format).all_values.sink(print)
50.0 kWh
>>> car.charge -= 14
36.0 kWh

Where time passes, or threads change, there is a scheduler: EventLoop, AsyncioScheduler, SerialQueue, QueuePool,
ExecutorScheduler, CustomScheduler, or, for tests, VirtualTimeScheduler, whose time the test advances.

>>> clock = VirtualTimeScheduler()
>>> typed = PassthroughSubject()
>>> cancellable = typed.debounce(0.3, clock).sink(print)
>>> typed.send("st"); typed.send("streams"); clock.advance(1)
streams

**Threads.** A value that is sent has been delivered, or dropped for lack of demand, when `send` returns: a second
thread that sends to the same stream waits for its turn, without the interpreter's lock, and delivers its value itself.
So a callback must not wait for a thread (join it, or ask for its result) that may be sending to the stream that called:
each would wait for the other. The library's own waits cannot deadlock: if two threads deliver on two subjects, and each
sends to the other's subject from there, one of them leaves its value to the other thread and goes on. Values that were
left are delivered before everything that is sent to the same stream later: if a function sends while it is called with
a value, the values that were left are delivered first, while that function is still running. A value that is sent
during this delivery comes after the value that the function sends: it is left too, and `send` returns before it is
delivered. A function may also send to a passthrough subject whose sink has a finite demand. The values that were left
then wait for the demand that the function returns, and the value that it sends waits with them. Cancellations never
wait; a request waits only if values are ready for it, which it then sends. While a thread waits for its turn, Ctrl-C
takes effect only when the thread has got it.

**Depth.** Calls may nest as deep as the stack allows, on threads with small stacks too. Beyond that, sending raises a
RecursionError, and a stream fails with one; its sink gets the failure when the calls have returned, or when one of them is
about to wait for a stream.

**Forks.** The child of a fork may use everything except a stream in which another thread of the parent was running at
that moment; the child may only release that stream. A queue or a pool has no threads in the child: make another. At the
moment of a fork, only threads of Python and of queues may be sending.

See help(weak) and help(Cancellable) for which objects keep each other alive, and help(debug) for the streams that run.
"""

import typing

from ._program import interpreter as _interpreter

_interpreter.check()  # before anything of the library's is loaded

from ._native.errors import (
    ClosedError,
    DroppedValuesWarning,
    NoValueError,
    Status,
    StatusError,
    StatusLimitError,
    StatusMemoryError,
    StatusTimeoutError,
    StatusTypeError,
    StatusValueError,
    StreamError,
    StreamLimitError,
    UnhandledFailure,
)
from ._native.library import version as __version__  # noqa: F401, as it is not among what * imports
from ._native.weak import weak
from ._operators.event import Event
from ._operators.lift import Operator
from ._operators.publisher import Connectable, GroupedPublisher, Publisher
from ._program.demand import UNLIMITED, Demand
from ._publishers.future import Future, Promise
from ._publishers.handles import from_handle, to_handle
from ._publishers.sources import Deferred, Empty, Fail, Interval, Just, Record, Sequence, create, from_iterable
from ._publishers.subjects import CurrentValueSubject, PassthroughSubject, ReplaySubject, Subject
from ._schedulers.backoff import Backoff
from ._schedulers.custom import Clock, CustomScheduler, ExecutorScheduler
from ._schedulers.debouncer import Debouncer, Throttler
from ._schedulers.schedulers import (
    EventLoop,
    ImmediateScheduler,
    QueuePool,
    Scheduled,
    Scheduler,
    SerialQueue,
    VirtualTimeScheduler,
)
from ._state.binding import Binding
from ._state.observable import ObservableObject, ObservableObjectPublisher, Published, PublishedPublisher
from ._state.property import Property
from ._subscriptions.emitter import Emitter, Source
from ._subscriptions.subscription import Cancellable, Subscription

if typing.TYPE_CHECKING:
    from . import debug
    from ._aio.scheduler import AsyncioScheduler
    from ._aio.values import Values
    from ._publishers.async_iterable import from_async_iterable
    from ._state.scopes import Scope, ScopeTree

__all__ = [
    "DroppedValuesWarning",
    "UNLIMITED",
    "AsyncioScheduler",
    "Backoff",
    "Binding",
    "Cancellable",
    "Clock",
    "ClosedError",
    "Connectable",
    "CurrentValueSubject",
    "CustomScheduler",
    "Debouncer",
    "Deferred",
    "Demand",
    "Emitter",
    "Empty",
    "Event",
    "EventLoop",
    "ExecutorScheduler",
    "Fail",
    "Future",
    "GroupedPublisher",
    "ImmediateScheduler",
    "Interval",
    "Just",
    "NoValueError",
    "ObservableObject",
    "ObservableObjectPublisher",
    "Operator",
    "PassthroughSubject",
    "Promise",
    "Property",
    "Published",
    "PublishedPublisher",
    "Publisher",
    "QueuePool",
    "Record",
    "ReplaySubject",
    "Scheduled",
    "Scheduler",
    "Scope",
    "ScopeTree",
    "Sequence",
    "SerialQueue",
    "Source",
    "Status",
    "StatusError",
    "StatusLimitError",
    "StatusMemoryError",
    "StatusTimeoutError",
    "StatusTypeError",
    "StatusValueError",
    "StreamError",
    "StreamLimitError",
    "Subject",
    "Subscription",
    "Throttler",
    "UnhandledFailure",
    "Values",
    "VirtualTimeScheduler",
    "create",
    "debug",
    "from_async_iterable",
    "from_handle",
    "from_iterable",
    "to_handle",
    "weak",
]

# Imported when they are used, since they need asyncio, or take long: see __getattr__.
_LATER = {
    "AsyncioScheduler": "_aio.scheduler",
    "Scope": "_state.scopes",
    "ScopeTree": "_state.scopes",
    "Values": "_aio.values",
    "debug": "debug",
    "from_async_iterable": "_publishers.async_iterable",
}

for _name in __all__:  # they are known, and pickled, under the name by which they are imported
    if _name not in _LATER and hasattr(globals()[_name], "__module__"):
        globals()[_name].__module__ = __name__


def __getattr__(name: str) -> typing.Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    module = importlib.import_module(f".{_LATER[name]}", __name__)
    found = module if name == _LATER[name] else getattr(module, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
