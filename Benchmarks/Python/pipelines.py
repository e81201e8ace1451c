"""Pipelines of Streams and of reactivex, plain generators, and what they are made of."""

import asyncio

import reactivex
import streams
from reactivex import operators as ops

VALUES = 20_000
BATCH = 100_000
ARRAYS = 20  # one takes so little that it would be measured with cold caches


def add_one(n):
    return n + 1


def is_even(n):
    return n % 2 == 0


def ignore(_):
    pass


# A row makes a pipeline, and returns a function that runs it and the number of values that this is.


def streams_subject(build, values=VALUES):
    subject = streams.PassthroughSubject()
    cancellable = build(subject).sink(ignore)

    def run():
        send = subject.send
        for n in range(values):
            send(n)
        return cancellable, build  # which may keep a scheduler

    return run, values


def rx_subject(build, values=VALUES):
    subject = reactivex.Subject()
    cancellable = build(subject).subscribe(ignore)

    def run():
        send = subject.on_next
        for n in range(values):
            send(n)
        return cancellable

    return run, values


def pipe(*operators):
    return lambda source: source.pipe(*operators) if operators else source


def five_maps(publisher):
    for _ in range(5):
        publisher = publisher.map(add_one)
    return publisher


def streams_sequence():
    publisher = streams.Sequence(range(VALUES)).map(add_one).filter(is_even)
    return lambda: publisher.sink(ignore), VALUES


def rx_sequence():
    observable = reactivex.from_iterable(range(VALUES)).pipe(ops.map(add_one), ops.filter(is_even))
    return lambda: observable.subscribe(ignore), VALUES


def streams_generator():
    publisher = streams.from_iterable(lambda: iter(range(VALUES))).map(add_one).filter(is_even)
    return lambda: publisher.sink(ignore), VALUES


def rx_generator():
    return rx_sequence()


def go_through(iterable):
    for _ in iterable:
        pass


def streams_iterated(take):
    """An iterable that is mapped, whose values are taken by a loop or as a list."""
    publisher = streams.from_iterable(lambda: iter(range(VALUES))).map(add_one)
    return lambda: take(publisher), VALUES


def rx_iterated(take):
    observable = reactivex.from_iterable(range(VALUES)).pipe(ops.map(add_one))
    return lambda: observable.subscribe(take()), VALUES


def listed():
    """A function that appends to a list."""
    return [].append


def streams_flat_map():
    just = streams.Just(1)
    subject = streams.PassthroughSubject()
    cancellable = subject.flat_map(lambda n: just).sink(ignore)

    def run():
        for n in range(VALUES // 4):
            subject.send(n)
        return cancellable

    return run, VALUES // 4


def rx_flat_map():
    just = reactivex.just(1)
    subject = reactivex.Subject()
    cancellable = subject.pipe(ops.flat_map(lambda n: just)).subscribe(ignore)

    def run():
        for n in range(VALUES // 4):
            subject.on_next(n)
        return cancellable

    return run, VALUES // 4


def streams_fan_out():
    subject = streams.PassthroughSubject()
    cancellables = [subject.sink(ignore) for _ in range(100)]

    def run():
        for n in range(VALUES // 100):
            subject.send(n)
        return cancellables

    return run, VALUES


def rx_fan_out():
    subject = reactivex.Subject()
    cancellables = [subject.subscribe(ignore) for _ in range(100)]

    def run():
        for n in range(VALUES // 100):
            subject.on_next(n)
        return cancellables

    return run, VALUES


def streams_batch(values):
    def row():
        subject = streams.PassthroughSubject()
        cancellable = subject.sink(batch=ignore)

        def run():
            subject.send_many(values)
            return cancellable

        return run, len(values)

    return row


def streams_batch_sink(values):
    """A batch through Python functions, which are called with one value at a time."""

    def row():
        subject = streams.PassthroughSubject()
        cancellable = subject.map(add_one).filter(is_even).sink(batch=ignore)

        def run():
            subject.send_many(values)
            return cancellable

        return run, len(values)

    return row


def streams_map_batch():
    """An array through a function of arrays."""
    subject, numbers = streams.PassthroughSubject(), numpy_numbers()
    cancellable = subject.map_batch(fahrenheit).sink(batch=ignore)

    def run():
        for _ in range(ARRAYS):
            subject.send_many(numbers)
        return cancellable

    return run, ARRAYS


def numpy_alone():
    numbers = numpy_numbers()

    def run():
        for _ in range(ARRAYS):
            ignore(fahrenheit(numbers))

    return run, ARRAYS


def numpy_numbers():
    import numpy

    return numpy.arange(float(BATCH))


def fahrenheit(celsius):
    return celsius * 1.8 + 32


def often(act, times=VALUES // 20):
    """A row that does something again and again; what is measured is one time."""

    def run():
        for _ in range(times):
            act()

    return run, times


def streams_subscribe():
    publisher = streams.PassthroughSubject().map(add_one).filter(is_even)
    return often(lambda: publisher.sink(ignore).cancel())


def rx_subscribe():
    observable = reactivex.Subject().pipe(ops.map(add_one), ops.filter(is_even))
    return often(lambda: observable.subscribe(ignore).dispose())


def streams_build():
    subject = streams.PassthroughSubject()
    return often(lambda: subject.map(add_one).filter(is_even).sink(ignore).cancel())


def rx_build():
    subject = reactivex.Subject()
    return often(lambda: subject.pipe(ops.map(add_one), ops.filter(is_even)).subscribe(ignore).dispose())


def rx_values(build):
    return lambda: rx_subject(build, BATCH)


def async_for(iterable, values):
    """A row that goes through what a function makes with `async for`."""

    async def go():
        async for _ in iterable():
            pass

    def row():
        loop = asyncio.new_event_loop()
        return lambda: loop.run_until_complete(go()), values

    return row


def streams_values(buffer):
    publisher = streams.from_iterable(lambda: iter(range(VALUES))).map(add_one)
    return async_for(lambda: publisher.values(buffer), VALUES)


async def mapped():
    for n in range(VALUES):
        yield add_one(n)


def aiostream_values():
    from aiostream import stream

    return stream.map(stream.iterate(range(VALUES)), add_one)


async def aiostream_loop():
    async with aiostream_values().stream() as values:
        async for value in values:
            yield value
