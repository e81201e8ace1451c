"""What type checkers make of pipelines. They read this file, and nobody runs it: Tools/checks/types.py.

A comment `type: ignore` stands where there is a mistake that a type checker must find; one that finds none complains of
the comment.
"""

import operator
import pickle
import sys
from collections.abc import AsyncIterator, Iterator
from collections.abc import Sequence as Values
from typing import Any, Callable, NoReturn, Optional, Union

from streams import (
    Cancellable,
    Connectable,
    CurrentValueSubject,
    Deferred,
    Emitter,
    Empty,
    EventLoop,
    Fail,
    Future,
    GroupedPublisher,
    Interval,
    Just,
    PassthroughSubject,
    Promise,
    Publisher,
    Record,
    ReplaySubject,
    Sequence,
    Subject,
    Subscription,
    create,
    debug,
    from_async_iterable,
    from_iterable,
)
from typing_extensions import assert_type


class Animal: ...


class Cat(Animal): ...


class Dog(Animal): ...


cats: Publisher[Cat] = Just(Cat())
dogs: Publisher[Dog] = Just(Dog())
numbers: Publisher[int] = Sequence([1, 2, 3])
words: Publisher[str] = Sequence(["one", "two"])
perhaps: Publisher[Optional[int]] = Sequence([1, None])
loop = EventLoop()

# ---- a publisher of some type is one of a wider type too, and a subject is not -----------------------------------

animals: Publisher[Animal] = cats


def take_cats(publisher: Publisher[Cat], subject: Subject[Cat]) -> None: ...


def give_animals(publisher: Publisher[Animal], subject: Subject[Animal]) -> None:
    take_cats(publisher, PassthroughSubject[Cat]())  # type: ignore
    take_cats(cats, subject)  # type: ignore


cat_subject: Subject[Cat] = PassthroughSubject[Cat]()
animal_publisher: Publisher[Animal] = cat_subject
animal_subject: Subject[Animal] = cat_subject  # type: ignore
cat_subject.send(Dog())  # type: ignore
current: CurrentValueSubject[int] = CurrentValueSubject(0)
assert_type(current.value, int)
current.value = "text"  # type: ignore
replayed: ReplaySubject[int] = ReplaySubject(2)
assert_type(replayed.map(str), Publisher[str])
replayed.send("text")  # type: ignore

# ---- sources ------------------------------------------------------------------------------------------------------

assert_type(Just(1), Just[int])
assert_type(Sequence("ab"), Sequence[str])
assert_type(Record([1.5], ValueError()), Record[float])
assert_type(Deferred(lambda: cats), Deferred[Cat])
assert_type(Empty().first_value(), NoReturn) if bool(loop) else None
nothing: Publisher[int] = Empty()
failing: Publisher[int] = Fail(ValueError())
assert_type(Interval(1, loop).map(str), Publisher[str])


def ask(promise: "Promise[str]") -> None:
    promise.resolve("yes")


def count() -> Iterator[int]:
    yield 1


async def read() -> AsyncIterator[bytes]:
    yield b""


def dice(emitter: "Emitter[int]") -> Callable[[int], None]:
    emitter.send("six")  # type: ignore

    def produce(most: int) -> None:
        emitter.send(most)

    return produce


class Texts:
    def on_value(self, value: int) -> None: ...


def texts(emitter: "Emitter[str]") -> Texts:
    return Texts()


assert_type(Future(ask), Future[str])
assert_type(from_iterable([1, 2]).lift(dice), Publisher[int])
assert_type(from_iterable([1, 2]).lift(texts), Publisher[str])


class Split:
    def __init__(self, emitter: Emitter[str], separator: str = ",") -> None:
        self.emitter, self.separator = emitter, separator

    def on_value(self, value: str) -> None:
        self.emitter.send_many(value.split(self.separator))


def split_lines(emitter: Emitter[str]) -> Split:
    return Split(emitter, "\n")


assert_type(Sequence(["a,b"]).lift(Split), Publisher[str])
assert_type(Sequence(["a,b"]).lift(split_lines), Publisher[str])
assert_type(from_iterable([1, 2]), Publisher[int])
assert_type(from_iterable(count), Publisher[int])
assert_type(from_async_iterable(read), Publisher[bytes])
assert_type(create(dice), Publisher[int])

# ---- single values ------------------------------------------------------------------------------------------------

assert_type(numbers.map(str), Publisher[str])
assert_type(numbers.map(lambda n: n * 1.5), Publisher[float])
assert_type(numbers.filter(lambda n: n > 1), Publisher[int])
assert_type(words.compact_map(lambda s: int(s) if s.isdigit() else None), Publisher[int])
assert_type(numbers.map_batch(lambda batch: [str(n) for n in batch]), Publisher[str])
assert_type(numbers.scan("", lambda text, n: text + str(n)), Publisher[str])
assert_type(numbers.reduce(0, operator.add), Publisher[int])
assert_type(perhaps.replace_nil(0), Publisher[int])
assert_type(perhaps.replace_nil("none"), Publisher[Union[int, str]])
assert_type(numbers.replace_empty("none"), Publisher[Union[int, str]])
assert_type(numbers.replace_error(None), Publisher[Optional[int]])
assert_type(numbers.collect(2), Publisher[list[int]])
assert_type(numbers.contains("one"), Publisher[bool])
assert_type(numbers.min().max(), Publisher[int])
assert_type(numbers.count(), Publisher[int])
assert_type(numbers.encode(), Publisher[str])
assert_type(numbers.encode(lambda n: bytes([n])), Publisher[bytes])
assert_type(numbers.encode(pickle), Publisher[bytes])
assert_type(words.decode(len), Publisher[int])
assert_type(words.decode(), Publisher[Any])
numbers.map(len)  # type: ignore
numbers.filter(lambda n: n.upper())  # type: ignore
numbers.buffer(3, "sometimes", "drop_newest")  # type: ignore

# ---- operators of one's own ---------------------------------------------------------------------------------------


def lengths(publisher: Publisher[str]) -> Publisher[int]:
    return publisher.map(len)


def shown(publisher: Publisher[object]) -> Cancellable:
    return publisher.sink(print)


assert_type(words.pipe(), Publisher[str])
assert_type(words.pipe(lengths), Publisher[int])
assert_type(words.pipe(lengths, lambda p: p.map(str), lengths, shown), Cancellable)
numbers.pipe(lengths)  # type: ignore
words.pipe(lengths, lengths)  # type: ignore

# ---- several publishers: the types widen ----------------------------------------------------------------------------

assert_type(numbers.merge(numbers), Publisher[int])
assert_type(cats.merge(dogs), Publisher[Union[Cat, Dog]])
assert_type(cats.merge(dogs, words), Publisher[Union[Cat, Dog, str]])
assert_type(cats.merge(dogs, words, numbers), Publisher[Union[Cat, Dog, str, int]])
assert_type(numbers.merge(numbers, numbers, numbers, numbers), Publisher[int])
assert_type(numbers.append(words), Publisher[Union[int, str]])
assert_type(numbers.prepend(words), Publisher[Union[int, str]])
assert_type(numbers.append(Empty()), Publisher[int])
assert_type(numbers.catch(lambda error: words), Publisher[Union[int, str]])
assert_type(numbers.catch(lambda error: Fail(error)), Publisher[int])
assert_type(numbers.flat_map(lambda n: Sequence([str(n)] * n)), Publisher[str])
assert_type(words.map(lambda word: Just(len(word))).switch_to_latest(), Publisher[int])
assert_type(words.switch_to_latest(lambda word: numbers), Publisher[int])
assert_type(numbers.track("n"), Publisher[int])
assert_type(current.track("n", sys.stdout), CurrentValueSubject[int])
assert_type(numbers.tree(), str)
assert_type(debug.record(numbers), debug.Recording[int])
assert_type(debug.record(current).values, list[int])
assert_type(debug.marbles({"n": debug.record(numbers)}), str)
assert_type(debug.to_dot(numbers), str)
with debug.trace(sys.stderr) as tracing:
    assert_type(tracing, debug.Tracing)
numbers.track(3)  # type: ignore
debug.record(3)  # type: ignore
wide: Publisher[Animal] = cats.merge(dogs)
numbers.merge([1, 2])  # type: ignore
numbers.flat_map(lambda n: n)  # type: ignore
numbers.switch_to_latest()  # type: ignore

n, w = numbers, words
assert_type(n.zip(w), Publisher[tuple[int, str]])
assert_type(n.zip(w, n), Publisher[tuple[int, str, int]])
assert_type(n.zip(w, n, w, n, w, n, cats), Publisher[tuple[int, str, int, str, int, str, int, Cat]])
assert_type(n.zip(n, n, n, n, n, n, n, n), Publisher[tuple[Any, ...]])
assert_type(n.zip(w, combine=lambda a, b: a + len(b)), Publisher[int])
assert_type(n.zip(w, cats, combine=lambda a, b, c: [(a, b, c)]), Publisher[list[tuple[int, str, Cat]]])
assert_type(n.zip(n, n, w, combine=lambda a, b, c, d: a + b + c + len(d)), Publisher[int])
assert_type(n.zip(n, n, n, n, combine=max), Publisher[Any])
assert_type(n.zip(combine=lambda a: [a]), Publisher[list[int]])
n.zip(w, combine=lambda a, b: a + b)  # type: ignore
assert_type(n.combine_latest(w, n, w), Publisher[tuple[int, str, int, str]])
assert_type(n.combine_latest(w, combine=lambda a, b: a + len(b)), Publisher[int])
assert_type(n.combine_latest(w, cats, combine=lambda a, b, c: [(a, b, c)]), Publisher[list[tuple[int, str, Cat]]])
assert_type(n.combine_latest(n, n, w, combine=lambda a, b, c, d: a + b + c + len(d)), Publisher[int])
assert_type(n.combine_latest(combine=lambda a: [a]), Publisher[list[int]])
n.combine_latest(w, combine=lambda a, b: a + b)  # type: ignore
assert_type(n.combine_latest(w, n, w, n, w, n, cats), Publisher[tuple[int, str, int, str, int, str, int, Cat]])

# ---- subscribers --------------------------------------------------------------------------------------------------


def one_more(value: int) -> int:
    return 1


def many(values: Values[int]) -> None: ...


def begin(subscription: Subscription) -> None: ...


def end(error: Optional[BaseException]) -> None: ...


assert_type(numbers.sink(print), Cancellable)
numbers.sink(one_more, end, 1, subscription=begin)
numbers.sink(batch=many)
numbers.sink(lambda value: value.upper())  # type: ignore
words.sink(one_more)  # type: ignore
numbers.sink(batch=one_more)  # type: ignore
numbers.sink(print, lambda: None)  # type: ignore
numbers.assign(current)
words.assign(current)  # type: ignore
cats.subscribe(PassthroughSubject[Animal]())
cats.merge(dogs).subscribe(PassthroughSubject[Cat]())  # type: ignore
cats.subscribe(Just(Cat()))  # type: ignore
assert_type(cats.multicast(PassthroughSubject[Cat]()), Connectable[Cat])
assert_type(cats.share(), Publisher[Cat])
assert_type(cats.share(replay=1), Publisher[Cat])
groups = cats.group_by(str)
assert_type(groups, Publisher[GroupedPublisher[str, Cat]])
assert_type(groups.map(lambda group: group.key), Publisher[str])
assert_type(groups.flat_map(lambda group: group), Publisher[Cat])
assert_type(cats.window(Just(1)), Publisher[Publisher[Cat]])
assert_type(cats.window_by_count(2, 1).flat_map(lambda window: window.collect()), Publisher[list[Cat]])
assert_type(cats.window_by_time(1, loop, prefetch=1), Publisher[Publisher[Cat]])
assert_type(cats.window_by_time_or_count(1, 2, loop), Publisher[Publisher[Cat]])
assert_type(numbers.first_value(), int)
assert_type(numbers.run(), Optional[int])
assert_type(list(numbers), list[int])


async def waits() -> None:
    assert_type(await numbers, int)
    async for number in numbers.values(buffer=8):
        assert_type(number, int)

    async def fetch(number: int) -> str:
        return str(number)

    assert_type(numbers.map_async(fetch, limit=3), Publisher[str])
