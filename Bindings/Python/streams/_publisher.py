"""Publisher: the ways to subscribe, and the operators but for those of the classes that it derives from."""

import ctypes
import functools
import json
import operator
from typing import (
    TYPE_CHECKING,
    Any,
    Awaitable,
    Callable,
    Generator,
    Iterator,
    List,
    Optional,
    Tuple,
    TypeVar,
    overload,
)

from . import _host, _iterate, _sink
from ._buffering import Buffering
from ._debugging import Debugging
from ._demand import UNLIMITED, as_count, as_demand, as_int64
from ._errors import check, create_error, exception_of, made, untraced
from ._filtering import Filtering
from ._handle import (
    COMBINE,
    COMPARE,
    DESTROY,
    EXPAND,
    PREDICATE,
    RECOVER,
    TRANSFORM,
    TRANSFORM_ERROR,
    as_callable,
    as_plain,
)
from ._library import library
from ._operators import as_subject
from ._reducing import Reducing
from ._schedulers import EventLoop, Seconds
from ._sharing import Sharing
from ._subscription import Cancellable, Subscription
from ._timed import Timed
from ._values import Value

if TYPE_CHECKING:
    import asyncio

    from ._asyncio import Values
    from ._subjects import CurrentValueSubject, Subject

T = TypeVar("T")
U = TypeVar("U")
V = TypeVar("V")
W = TypeVar("W")


class Publisher(Buffering[T], Debugging[T], Filtering[T], Reducing[T], Sharing[T], Timed[T]):
    """A stream of values that has not begun: each subscriber starts it, and never gets more than it has demanded.

    Every operator returns a new publisher and leaves this one as it is. Functions that are given to operators may
    raise: the stream then fails, and its subscriber gets that very exception. The publisher and its streams keep them,
    which Python's collector cannot see: see streams.weak.
    """

    def _of(self, handle: int) -> "Publisher[Any]":
        return Publisher._adopt(handle)

    def _connectable_of(self, handle: int) -> "Connectable[Any]":
        return Connectable._adopt(handle)

    # ---- values --------------------------------------------------------------------------------------------------

    def map(self, transform: "Callable[[T], U]") -> "Publisher[U]":
        """Transforms each value.

        >>> Sequence([1, 2]).map(lambda n: n * 10)               # 10, 20
        """
        return _called(library.streams_map, self, TRANSFORM, as_plain(transform, "transform"), "transform")

    def filter(self, is_included: "Callable[[T], Any]") -> "Publisher[T]":
        """Passes on the values for which the function's result is true. A dropped value uses up no demand.

        >>> Sequence([1, 2, 3]).filter(lambda n: n != 2)         # 1, 3
        """
        return _called(library.streams_filter, self, PREDICATE, as_plain(is_included, "is_included"), "is_included")

    def compact_map(self, transform: "Callable[[T], Optional[U]]") -> "Publisher[U]":
        """Transforms each value and drops the results that are None. A dropped value uses up no demand.

        >>> Sequence(["1", "x"]).compact_map(lambda s: int(s) if s.isdigit() else None)      # 1
        """
        return _called(library.streams_compact_map, self, TRANSFORM, as_plain(transform, "transform"), "transform")

    def encode(self, encoder: Any = json) -> "Publisher[Any]":
        """Encodes each value: with `encoder.dumps`, or by a function. Without an encoder values become JSON.

        >>> Sequence([{"id": 1}]).encode()                       # '{"id": 1}'
        """
        function = _coder(encoder, "dumps", "encoder")
        return _called(library.streams_encode, self, TRANSFORM, function, "encoder")

    def decode(self, decoder: Any = json) -> "Publisher[Any]":
        """Decodes each value: with `decoder.loads`, or by a function. Without a decoder values are JSON.

        >>> Sequence(['{"id": 1}']).decode()                     # {"id": 1}
        """
        function = _coder(decoder, "loads", "decoder")
        return _called(library.streams_decode, self, TRANSFORM, function, "decoder")

    def remove_duplicates(self, by: "Optional[Callable[[T, T], Any]]" = None) -> "Publisher[T]":
        """Drops a value that is the same as the one before it: that equals it, or for which `by` says so.

        >>> Sequence([1, 1, 2, 1]).remove_duplicates()           # 1, 2, 1
        """
        same = operator.eq if by is None else as_plain(by, "by")
        return _called(library.streams_remove_duplicates_by, self, COMPARE, same, "by")

    def scan(self, initial: U, combine: "Callable[[U, T], U]") -> "Publisher[U]":
        """Combines each value with what is accumulated so far, and publishes every intermediate result.

        >>> Sequence([1, 2, 3]).scan(0, operator.add)            # 1, 3, 6
        """
        with Value(initial) as value:
            return _called(library.streams_scan, self, COMBINE, combine, "combine", value)

    def reduce(self, initial: U, combine: "Callable[[U, T], U]") -> "Publisher[U]":
        """Combines all values and publishes the result once the stream finishes.

        >>> Sequence([1, 2, 3]).reduce(0, operator.add)          # 6
        """
        with Value(initial) as value:
            return _called(library.streams_reduce, self, COMBINE, combine, "combine", value)

    try_map = map
    try_filter = filter
    try_compact_map = compact_map
    try_scan = scan
    try_reduce = reduce
    """Combine's names for operators whose functions may fail. Here all may, so they are the same."""

    def try_remove_duplicates(self, by: "Callable[[T, T], Any]") -> "Publisher[T]":
        """The same as remove_duplicates(by): functions may raise here as everywhere."""
        return self.remove_duplicates(as_callable(by, "by"))

    # ---- several values ------------------------------------------------------------------------------------------

    def collect(self, count: Optional[int] = None) -> "Publisher[List[T]]":
        """Collects all values into one list, or with a count into lists of so many, of which the last may be shorter.

        Each list demanded demands `count` values.

        >>> Sequence([1, 2, 3]).collect(2)                       # [1, 2], [3]
        """
        if count is None:
            return _new(library.streams_collect(self._take()))
        number = as_int64(count, "count")
        return _new(library.streams_collect_count(self._take(), number))

    def prefix(self, count: int) -> "Publisher[T]":
        """Passes on the first values, then finishes and cancels upstream.

        A count of 0 passes on nothing, and finishes when the first value comes.

        >>> Sequence([1, 2, 3]).prefix(2)                        # 1, 2
        """
        number = as_int64(count, "count")
        return _new(library.streams_prefix(self._take(), number))

    def drop_first(self, count: int = 1) -> "Publisher[T]":
        """Drops the first values and passes on the rest.

        >>> Sequence([1, 2, 3]).drop_first()                     # 2, 3
        """
        number = as_int64(count, "count")
        return _new(library.streams_drop_first(self._take(), number))

    # ---- several publishers --------------------------------------------------------------------------------------

    def flat_map(self, transform: "Callable[[T], Publisher[U]]", *, max_publishers: int = UNLIMITED) -> "Publisher[U]":
        """Makes a publisher of each value and passes on what all of these publish.

        At most max_publishers of them run at a time; more values are demanded as they finish.

        >>> Sequence([1, 2]).flat_map(lambda n: Sequence([n] * n))          # 1, 2, 2
        """
        bound = as_demand(max_publishers, "max_publishers")
        return _called(library.streams_flat_map, self, EXPAND, _expanding(transform), "transform", bound)

    @overload
    def switch_to_latest(self: "Publisher[Publisher[U]]") -> "Publisher[U]": ...
    @overload
    def switch_to_latest(self, transform: "Callable[[T], Publisher[U]]") -> "Publisher[U]": ...

    def switch_to_latest(self, transform: "Optional[Callable[[Any], Publisher[Any]]]" = None) -> "Publisher[Any]":
        """Makes a publisher of each value and passes on what the latest of these publishes.

        The one before is cancelled. Without a function the values are publishers themselves. All values are demanded at
        once, and of the latest publisher what was demanded and has not come. It finishes when this publisher and the
        latest have.

        >>> results = typed.debounce(0.3, loop).switch_to_latest(search)
        """
        made_of = _expanding(_itself if transform is None else transform)
        return _called(library.streams_switch_to_latest, self, EXPAND, made_of, "transform")

    def merge(self, *others: "Publisher[T]") -> "Publisher[T]":
        """Passes on what any of the publishers publishes; finishes when all have finished."""
        return _joined(library.streams_merge, self, *others)

    @overload
    def combine_latest(self, a: "Publisher[U]", /) -> "Publisher[Tuple[T, U]]": ...
    @overload
    def combine_latest(self, a: "Publisher[U]", b: "Publisher[V]", /) -> "Publisher[Tuple[T, U, V]]": ...
    @overload
    def combine_latest(
        self, a: "Publisher[U]", b: "Publisher[V]", c: "Publisher[W]", /
    ) -> "Publisher[Tuple[T, U, V, W]]": ...
    @overload
    def combine_latest(self, *others: "Publisher[Any]") -> "Publisher[Tuple[Any, ...]]": ...

    def combine_latest(self, *others: "Publisher[Any]") -> "Publisher[Any]":
        """Publishes a tuple of the latest value of each publisher, whenever one of them publishes and all have.

        >>> width.combine_latest(height).map(lambda both: both[0] * both[1])
        """
        return _joined(library.streams_combine_latest, self, *others).map(tuple)

    @overload
    def zip(self, a: "Publisher[U]", /) -> "Publisher[Tuple[T, U]]": ...
    @overload
    def zip(self, a: "Publisher[U]", b: "Publisher[V]", /) -> "Publisher[Tuple[T, U, V]]": ...
    @overload
    def zip(self, a: "Publisher[U]", b: "Publisher[V]", c: "Publisher[W]", /) -> "Publisher[Tuple[T, U, V, W]]": ...
    @overload
    def zip(self, *others: "Publisher[Any]") -> "Publisher[Tuple[Any, ...]]": ...

    def zip(self, *others: "Publisher[Any]") -> "Publisher[Any]":
        """Publishes a tuple of the first value of each publisher, then one of the second, and so on.

        >>> Sequence("ab").zip(Sequence([1, 2, 3]))              # ("a", 1), ("b", 2)
        """
        return _joined(library.streams_zip, self, *others).map(tuple)

    def append(self, other: "Publisher[T]") -> "Publisher[T]":
        """Passes on what this publisher publishes, and when it has finished what the other does.

        >>> Sequence([1, 2]).append(Just(3))                     # 1, 2, 3
        """
        return self._with(library.streams_append, other)

    def prepend(self, other: "Publisher[T]") -> "Publisher[T]":
        """Passes on what the other publishes, and when that has finished what this publisher does.

        >>> Sequence([2, 3]).prepend(Just(1))                    # 1, 2, 3
        """
        return self._with(library.streams_prepend, other)

    # ---- failures ------------------------------------------------------------------------------------------------

    def catch(self, handler: "Callable[[BaseException], Publisher[T]]") -> "Publisher[T]":
        """Replaces a stream that has failed by the publisher that the handler makes of the exception.

        A handler that raises fails the stream, so this is Combine's try_catch too. What is no Exception, such as a
        KeyboardInterrupt, is not caught.

        >>> readings.catch(lambda error: Just(0.0))
        """
        as_callable(handler, "handler")

        def recover(error: int) -> int:
            found = exception_of(error)
            if not isinstance(found, Exception):
                raise found
            with untraced(found):
                return handed_over(handler(found), "handler")
            return made(library.streams_fail(error))

        return _called(library.streams_catch, self, RECOVER, recover, "handler")

    try_catch = catch

    def map_error(self, transform: "Callable[[BaseException], BaseException]") -> "Publisher[T]":
        """Replaces the exception that the stream fails with by the one that the function makes of it.

        What the function raises takes its place too. What is no Exception, such as a KeyboardInterrupt, stays as it is.

        >>> readings.map_error(lambda error: SensorError(str(error)))
        """
        as_callable(transform, "transform")

        def change(error: int) -> int:
            found = exception_of(error)
            if not isinstance(found, Exception):
                return create_error(found)
            with untraced(found):
                found = transform(found)
            return create_error(found)

        return _called(library.streams_map_error, self, TRANSFORM_ERROR, change, "transform")

    def assert_no_failure(self, prefix: str = "") -> "Publisher[T]":
        """For failures that would be programming errors: fails with an AssertionError in the place of the exception.

        Its cause is that exception. What is no Exception, such as a KeyboardInterrupt, passes through.

        >>> settings.assert_no_failure("settings").sink(apply)
        """
        if not isinstance(prefix, str):
            raise TypeError(f"prefix must be a str, not {type(prefix).__name__}")

        def unexpected(error: BaseException) -> BaseException:
            failure = AssertionError(f"{prefix}: {error!r}" if prefix else repr(error))
            failure.__cause__ = error
            return failure

        return self.map_error(unexpected)

    def replace_error(self, value: T) -> "Publisher[T]":
        """Publishes a value in the place of the exception that the stream fails with, and finishes.

        What is no Exception, such as a KeyboardInterrupt, passes through.

        >>> readings.replace_error(0.0)
        """

        def replace(error: int) -> int:
            if not isinstance(exception_of(error), Exception):
                return made(library.streams_fail(error))
            with Value(value) as replacement:
                return made(library.streams_just(replacement))

        return _called(library.streams_catch, self, RECOVER, replace, "value")

    def retry(self, retries: int) -> "Publisher[T]":
        """Subscribes to this publisher again when it fails, at most so many times; the failure after that passes through.

        What was demanded and has not come is demanded of the next attempt. A publisher that fails as soon as it is
        subscribed to is subscribed to again at once, for as long as there are retries.

        >>> requests.retry(3).sink(print)
        """
        number = as_int64(retries, "retries")
        return _new(library.streams_retry(self._take(), number))

    # ---- subscribers ---------------------------------------------------------------------------------------------

    def sink(
        self,
        value: "Optional[Callable[[T], Optional[int]]]" = None,
        completion: "Optional[Callable[[Optional[BaseException]], Any]]" = None,
        demand: int = UNLIMITED,
        *,
        batch: "Optional[Callable[[Any], Optional[int]]]" = None,
        subscription: "Optional[Callable[[Subscription], Any]]" = None,
    ) -> Cancellable:
        """Subscribes: the stream begins, and runs for as long as the result is kept.

        value         is called with each value. What it returns is demanded in addition; None is nothing.
        completion    is called at the end, with None or with the exception that the stream failed with. Without it, a
                      failure is told to sys.unraisablehook, as an UnhandledFailure, or printed with its traceback.
        demand        is how many values are demanded at the start.
        batch         replaces `value`: it is called with as many values as there are at a time. They are a memoryview
                      of "d" or "q" if they are numbers that were sent as such in bulk, and a list otherwise.
        subscription  is called first, with the Subscription, through which more can be requested later.

        An exception raised by value or batch ends the stream, and completion gets it. KeyboardInterrupt, SystemExit and
        whatever else is no Exception does so too, and comes out of the call that caused the delivery besides.

        >>> ticket = prices.filter(lambda price: price > 10).sink(print)
        """
        subscriber, functions = _sink.subscriber(value, completion, demand, batch, subscription)
        try:
            publisher = self._take()
        except BaseException:
            _sink.drop(subscriber)
            raise
        return Cancellable._begin(library.streams_sink, publisher, ctypes.byref(subscriber), functions=functions)

    @overload
    def assign(self, target: "CurrentValueSubject[T]") -> Cancellable: ...
    @overload
    def assign(self, target: Any, name: str) -> Cancellable: ...

    def assign(self, target: Any, name: Optional[str] = None) -> Cancellable:
        """Sets an attribute of an object, or a current-value subject, to each value.

        >>> ticket = temperatures.assign(display, "text")
        """
        if name is not None:
            if not isinstance(name, str):
                raise TypeError(f"name must be the name of an attribute, not {type(name).__name__}")
            return self.sink(functools.partial(setattr, target, name))
        subject = as_subject(target)
        publisher = self._take()
        return Cancellable._begin(library.streams_assign, publisher, subject)

    def subscribe(self, subject: "Subject[T]") -> Cancellable:
        """Sends everything on to the subscribers of a subject, the end included."""
        handle = as_subject(subject)
        publisher = self._take()
        return Cancellable._begin(library.streams_subscribe, publisher, handle)

    # ---- values for a loop ---------------------------------------------------------------------------------------

    def iterate(self, buffer: int = 1, *, loop: Optional[EventLoop] = None) -> "Generator[T, None, None]":
        """The values, for a `for` loop. It demands what it can hold, `buffer` values, and never more.

        It subscribes, and demands, when the first value is asked for; from then on whenever half of the buffer is free.
        A stream that fails raises its exception. Leaving the loop cancels, as soon as the iterator is let go of or
        closed with close().

        Where the values come from other threads, it waits for them; Ctrl-C ends that with a KeyboardInterrupt. What is
        to run on an EventLoop of this very thread only can if somebody runs the loop: give it as `loop`.

        >>> for word in typed.debounce(0.3, loop).iterate(buffer=100, loop=loop):
        ...     print(word)
        """
        room = as_demand(buffer, "buffer")
        if room == 0:
            raise ValueError("buffer must be at least 1")
        if loop is not None and not isinstance(loop, EventLoop):
            raise TypeError(f"loop must be an EventLoop, not {type(loop).__name__}")
        return _iterate.iterate(self, room, loop)

    def __iter__(self) -> "Iterator[T]":
        """`for value in publisher` is the same as `for value in publisher.iterate()`; so list(publisher) runs it.

        >>> list(Sequence([1, 2, 3]).map(str))
        ['1', '2', '3']
        """
        return self.iterate()

    def first_value(self, timeout: Optional[Seconds] = None, *, loop: Optional[EventLoop] = None) -> T:
        """Runs the stream until its first value, which is the result, and cancels it.

        A stream that fails before raises its exception, and one that finishes NoValueError, a LookupError. After
        `timeout`, TimeoutError is raised. A `loop` is run meanwhile: see iterate.

        >>> Sequence([1, 2, 3]).first_value()
        1
        """
        found = _iterate.first_value(self, timeout, loop)
        del self  # not to be in the traceback of what is raised
        return found()

    def run(self, timeout: Optional[Seconds] = None, *, loop: Optional[EventLoop] = None) -> Optional[T]:
        """Runs the stream to its end and returns the last value, or None if there was none.

        A stream that fails raises its exception. After `timeout` it is cancelled, and TimeoutError is raised: while it
        waits, or at its next value. A `loop` is run meanwhile: see iterate.

        >>> Sequence([1, 2, 3]).run()
        3
        """
        found = _iterate.run(self, timeout, loop)
        del self
        return found()

    # ---- asyncio -------------------------------------------------------------------------------------------------

    def values(self, buffer: int = 1) -> "Values[T]":
        """The values for `async for`, in asyncio or trio. It demands what it can hold, `buffer` values, and never more.

        It subscribes at once, and demands when the next value is waited for and half of the buffer is free. A stream
        that fails raises its exception. A large buffer is faster where the values come from another thread or are
        waited for: they wake the loop once.

        Leaving the loop cancels, as soon as the iterator is let go of. With `async with`, or `await values.aclose()`,
        what that ends in asyncio has ended before the program goes on: also when its task is cancelled.

        >>> async with from_async_iterable(read_sensor).values(buffer=16) as values:
        ...     async for value in values:
        ...         await store(value)
        """
        from ._asyncio import Values

        return Values(self, buffer)

    def __aiter__(self) -> "Values[T]":
        """`async for value in publisher` is the same as `async for value in publisher.values()`."""
        return self.values()

    def __await__(self) -> "Generator[Any, None, T]":
        """`await publisher` runs the stream to its end, with unlimited demand, and is its last value.

        A stream that fails raises its exception, and one that finishes without a value NoValueError, a LookupError. It
        is cancelled with the task that waits.

        >>> total = await prices.reduce(0, operator.add)
        """
        from ._asyncio import last_value

        return last_value(self).__await__()

    def map_async(
        self,
        function: "Callable[[T], Awaitable[U]]",
        limit: int = 1,
        ordered: bool = True,
        *,
        loop: "Optional[asyncio.AbstractEventLoop]" = None,
    ) -> "Publisher[U]":
        """Awaits a coroutine function of each value, in an asyncio loop, and passes on the results.

        At most `limit` values are demanded whose results have not been taken: so many calls run at a time. The results
        come in the order of the values; with ordered=False as they are there. Nothing is demanded before a subscriber
        demands.

        A call that raises fails the stream, at once, and cancels the others; a failure of the stream itself waits for
        the results of what came before it. When the stream is cancelled, so are the calls. They run in `loop`; without
        it, in the loop that runs where someone subscribes.

        >>> pages = urls.map_async(fetch, limit=10)
        """
        from ._map_async import map_async

        return _new(map_async(self, function, limit, ordered, loop))


class Connectable(Publisher[T]):
    """A publisher that publishes nothing until it is connected: see Publisher.make_connectable and multicast."""

    def _take(self) -> int:
        return made(library.streams_connectable_publisher(self._handle))

    def connect(self) -> Cancellable:
        """Subscribes to the publisher that this was made of, for all subscribers.

        When nobody holds the result any more, or it is cancelled, that ends; the subscribers stay, and hear no more
        until the next connection. A second connection besides sends everything a second time.
        """
        return Cancellable._begin(library.streams_connect, self._handle)

    def autoconnect(self) -> "Publisher[T]":
        """A publisher that connects for its first subscriber, and disconnects after the last one has cancelled."""
        check(library.streams_retain(self._handle))
        return Publisher._adopt(made(library.streams_autoconnect(self._handle)))


def _new(handle: Any) -> "Publisher[Any]":
    """The publisher that an operator has returned."""
    return Publisher._adopt(made(handle))


def _called(
    function: Any, publisher: "Publisher[Any]", shape: Any, callback: Any, name: str, *extra: Any
) -> "Publisher[Any]":
    """Applies an operator that takes a callback; the extra arguments come before it."""
    as_callable(callback, name)
    taken = publisher._take()
    context = library.streams_callable_create(_host.number, callback)
    return _new(function(taken, *extra, shape, context, DESTROY))


def _joined(function: Any, *publishers: Any) -> "Publisher[Any]":
    """Applies an operator that takes an array of publishers."""
    taken: List[int] = []
    try:
        for index, each in enumerate(publishers):
            taken.append(handed_over(each, f"argument {index}"))
    except BaseException:
        for handle in taken:
            library.streams_release(handle)
        raise
    return _new(function((ctypes.c_void_p * len(taken))(*taken), len(taken)))


def handed_over(publisher: Any, name: str) -> int:
    """A reference to a publisher that a callback has returned, or that is an argument."""
    if not isinstance(publisher, Publisher):
        verb = "be" if name.startswith("argument") else "return"
        import inspect

        if inspect.iscoroutine(publisher):
            publisher.close()
            raise TypeError(f"{name} must {verb} a Publisher, not a coroutine; see from_async_iterable")
        raise TypeError(f"{name} must {verb} a Publisher, not {type(publisher).__name__}")
    return publisher._take()


def _expanding(transform: Any) -> "Callable[[Any], int]":
    """A function that makes publishers, as the library calls it."""
    as_callable(transform, "transform")

    def expand(value: Any) -> int:
        return handed_over(transform(value), "transform")

    return expand


def _coder(coder: Any, method: str, name: str) -> Any:
    """The function by which a coder makes something of a value."""
    function = getattr(coder, method, coder)
    if not callable(function):
        raise TypeError(f"{name} must have a method {method}, or be callable, and is a {type(coder).__name__}")
    return as_plain(function, name)


def _itself(value: T) -> T:
    return value
