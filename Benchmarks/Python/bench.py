"""Measures the Python package beside reactivex, in one process, in interleaved runs.

    python Benchmarks/Python/bench.py [--json FILE] [--rounds N] [ROW ...]

Every row is measured for both libraries in turn, round after round, and the median of each is taken; so what else the
machine does meets both alike. Compare ratios only. Needs reactivex (Benchmarks/requirements.txt). The rows of `async for`
stand beside a plain async generator, which is the floor, and beside aiostream, if it is installed; those of timers
beside asyncio's call_later, too; those of observed state beside traitlets and psygnal, if they are installed; that of map_batch beside the same function of numpy's, if that is installed. What a timer takes is the growth of a process that sets so many and nothing else.
"""

import argparse
import array
import asyncio
import functools
import gc
import importlib.util
import itertools
import json
import pathlib
import platform
import resource
import statistics
import subprocess
import sys
import threading
import time

import reactivex
import streams
from reactivex import operators as ops
from reactivex.scheduler import EventLoopScheduler
from reactivex.subject import BehaviorSubject

VALUES = 20_000
BATCH = 100_000


def add_one(n):
    return n + 1


def is_even(n):
    return n % 2 == 0


def ignore(_):
    pass


# A row makes a pipeline, and returns a function that runs it and the number of values that this is.


def streams_subject(build, values=VALUES):
    subject = streams.PassthroughSubject()
    ticket = build(subject).sink(ignore)

    def run():
        send = subject.send
        for n in range(values):
            send(n)
        return ticket, build  # which may keep a scheduler

    return run, values


def rx_subject(build, values=VALUES):
    subject = reactivex.Subject()
    ticket = build(subject).subscribe(ignore)

    def run():
        send = subject.on_next
        for n in range(values):
            send(n)
        return ticket

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


def streams_flat_map():
    just = streams.Just(1)
    subject = streams.PassthroughSubject()
    ticket = subject.flat_map(lambda n: just).sink(ignore)

    def run():
        for n in range(VALUES // 4):
            subject.send(n)
        return ticket

    return run, VALUES // 4


def rx_flat_map():
    just = reactivex.just(1)
    subject = reactivex.Subject()
    ticket = subject.pipe(ops.flat_map(lambda n: just)).subscribe(ignore)

    def run():
        for n in range(VALUES // 4):
            subject.on_next(n)
        return ticket

    return run, VALUES // 4


def streams_fan_out():
    subject = streams.PassthroughSubject()
    tickets = [subject.sink(ignore) for _ in range(100)]

    def run():
        for n in range(VALUES // 100):
            subject.send(n)
        return tickets

    return run, VALUES


def rx_fan_out():
    subject = reactivex.Subject()
    tickets = [subject.subscribe(ignore) for _ in range(100)]

    def run():
        for n in range(VALUES // 100):
            subject.on_next(n)
        return tickets

    return run, VALUES


def streams_batch(values):
    def row():
        subject = streams.PassthroughSubject()
        ticket = subject.sink(batch=ignore)

        def run():
            subject.send_many(values)
            return ticket

        return run, len(values)

    return row


def streams_batch_sink(values):
    """A batch through Python functions, which are called with one value at a time."""

    def row():
        subject = streams.PassthroughSubject()
        ticket = subject.map(add_one).filter(is_even).sink(batch=ignore)

        def run():
            subject.send_many(values)
            return ticket

        return run, len(values)

    return row


def streams_map_batch():
    """An array through a function of arrays."""
    subject, numbers = streams.PassthroughSubject(), numpy_numbers()
    ticket = subject.map_batch(fahrenheit).sink(batch=ignore)

    def run():
        subject.send_many(numbers)
        return ticket

    return run, BATCH


def numpy_alone():
    numbers = numpy_numbers()
    return lambda: ignore(fahrenheit(numbers)), BATCH


def numpy_numbers():
    import numpy

    return numpy.arange(float(BATCH))


def fahrenheit(celsius):
    return celsius * 1.8 + 32


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


# ---- time --------------------------------------------------------------------------------------------------------


def delays(count):
    """The same times in each run: half a minute to an hour from now."""
    return [30 + n * 7919 % 3_600_000 / 1000 for n in range(count)]


class StreamsTimers:
    def __init__(self):
        self.loop = streams.EventLoop()

    def set(self, times):
        schedule = self.loop.schedule
        return [schedule(nothing, each) for each in times]

    def clear(self, timers):
        for each in timers:
            each.cancel()


class AsyncioTimers:
    def __init__(self):
        self.loop = asyncio.new_event_loop()

    def set(self, times):
        call_later = self.loop.call_later
        return [call_later(each, nothing) for each in times]

    def clear(self, timers):
        for each in timers:
            each.cancel()
        self.loop.call_soon(self.loop.stop)
        self.loop.run_forever()  # which takes them out


class RxTimers:
    """On the one of reactivex's schedulers that does not start a thread for each timer."""

    def set(self, times):
        self.scheduler = EventLoopScheduler()
        schedule = self.scheduler.schedule_relative
        return [schedule(each, nothing) for each in times]

    def clear(self, timers):
        for each in timers:
            each.dispose()
        self.scheduler.dispose()  # it keeps what was cancelled until it would have been due


def nothing(*_):
    pass


TIMERS = {"streams": StreamsTimers, "asyncio": AsyncioTimers, "reactivex": RxTimers}


def timer_counts(kind):
    """How many timers are set; a million would take reactivex a minute each time."""
    return (1000, 10_000, 100_000) if kind == "reactivex" else (1000, 10_000, 100_000, 1_000_000)


def timers(kind, count):
    def row():
        side, times = TIMERS[kind](), delays(count)
        return lambda: side.clear(side.set(times)), count

    return row


def timer_rows():
    for peer in ("asyncio", "reactivex"):
        for count in timer_counts(peer):
            name = f"a timer set and taken back, {count:,} wait / {peer}"
            yield name, timers("streams", count), timers(peer, count), None


def memory():
    """How much memory the process takes, in bytes. (The most that it took would begin with what its parent takes.)"""
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def bytes_of_timers(kind, count):
    """By how much this process, which is to be a new one, grows for each of so many timers."""
    side, times = TIMERS[kind](), delays(count)
    kept = side.set(times[:1])
    before = memory()
    kept += side.set(times)
    return round((memory() - before) / count)


def bytes_in_a_new_process(kind, count):
    command = [sys.executable, __file__, "--bytes", kind, str(count)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def timer_bytes():
    """The bytes that a timer takes, for each kind and number."""
    found = {}
    for kind in TIMERS:
        found[kind] = {count: bytes_in_a_new_process(kind, count) for count in timer_counts(kind)[1:]}
    return found


def arrivals():
    """A function for a sink that takes values on another thread, and one that waits for so many."""
    number, all_are_here = itertools.count(1), threading.Event()

    def take(_):
        if next(number) % VALUES == 0:
            all_are_here.set()

    def wait():
        assert all_are_here.wait(60)
        all_are_here.clear()

    return take, wait


def handed_over(subject, send, attend, to):
    """A row in which this thread sends, and another receives."""
    take, wait = arrivals()
    kept = attend(take), to

    def run():
        for n in range(VALUES):
            send(n)
        wait()
        return kept

    return run, VALUES


def streams_receive_on():
    subject, queue = streams.PassthroughSubject(), streams.SerialQueue()
    return handed_over(subject, subject.send, subject.receive_on(queue).sink, queue)


def rx_observe_on():
    subject, scheduler = reactivex.Subject(), EventLoopScheduler()
    observable = subject.pipe(ops.observe_on(scheduler))
    return handed_over(subject, subject.on_next, observable.subscribe, scheduler)


def streams_debounce():
    loop = streams.EventLoop()
    return streams_subject(lambda p: p.debounce(1000, loop), VALUES // 4)


def rx_debounce():
    return rx_subject(pipe(ops.debounce(1000, EventLoopScheduler())), VALUES // 4)


# ---- observed state ----------------------------------------------------------------------------------------------


class Car(streams.ObservableObject):
    charge = streams.Published(0)


def set_often(target, name, count, kept):
    """A row that sets an attribute, whose observers are `kept`; what is counted is each of their calls."""

    def run():
        for n in range(VALUES // count):
            setattr(target, name, n)
        return kept

    return run, VALUES // count * count


def streams_published(count):
    car = Car()
    return set_often(car, "charge", count, [car.published.charge.sink(ignore) for _ in range(count)])


def rx_behavior(count):
    subject = BehaviorSubject(0)
    tickets = [subject.subscribe(ignore) for _ in range(count)]

    def run():
        for n in range(VALUES // count):
            subject.on_next(n)
        return tickets

    return run, VALUES // count * count


def observers(count):
    """Functions that are not the same: psygnal and traitlets take each once."""
    return [functools.partial(ignore) for _ in range(count)]


def traitlets_observed(count):
    import traitlets

    class Observed(traitlets.HasTraits):
        charge = traitlets.Any(0)

    car, functions = Observed(), observers(count)
    for each in functions:
        car.observe(each, "charge")
    return set_often(car, "charge", count, functions)


def psygnal_evented(count):
    import dataclasses

    import psygnal

    @psygnal.evented
    @dataclasses.dataclass
    class Evented:
        charge: int = 0

    car, functions = Evented(), observers(count)
    for each in functions:
        car.events.charge.connect(each)
    return set_often(car, "charge", count, functions)


# A loop that calls the functions and does nothing else is 3.4 times as fast with 10 observers, and 2.7 with 100.
BARS = {1: 3.0, 10: 2.0, 100: 1.5}


def observed_rows():
    peers = [("BehaviorSubject", rx_behavior, None)]
    if importlib.util.find_spec("traitlets"):
        peers.append(("traitlets", traitlets_observed, 1.0))
    if importlib.util.find_spec("psygnal"):
        peers.append(("psygnal", psygnal_evented, 1.0))
    for (peer, theirs, bar), count in itertools.product(peers, (1, 10, 100)):
        name = f"set, and tell {count} observer{'s' * (count > 1)} / {peer}"
        ours, other = functools.partial(streams_published, count), functools.partial(theirs, count)
        yield name, ours, other, BARS[count] if peer == "BehaviorSubject" else bar


NUMBERS = array.array("d", range(BATCH))
ROWS = [
    # name, ours, reactivex's, how many times as fast it is to be
    ("subject → sink", lambda: streams_subject(lambda p: p), lambda: rx_subject(pipe()), 1.7),
    (
        "subject → map → filter → sink",
        lambda: streams_subject(lambda p: p.map(add_one).filter(is_even)),
        lambda: rx_subject(pipe(ops.map(add_one), ops.filter(is_even))),
        2.0,
    ),
    (
        "subject → 5 × map → sink",
        lambda: streams_subject(five_maps),
        lambda: rx_subject(pipe(*[ops.map(add_one)] * 5)),
        2.0,
    ),
    ("sequence → map → filter → sink", streams_sequence, rx_sequence, None),
    ("iterator → map → filter → sink", streams_generator, rx_generator, None),
    ("subject → flat_map(just) → sink", streams_flat_map, rx_flat_map, None),
    ("subject → 100 sinks", streams_fan_out, rx_fan_out, None),
    ("100,000 numbers of an array → batch sink", streams_batch(NUMBERS), rx_values(pipe()), 100.0),
    ("100,000 numbers of a list → batch sink", streams_batch(NUMBERS.tolist()), rx_values(pipe()), None),
    ("100,000 objects → batch sink", streams_batch(list(map(str, NUMBERS))), rx_values(pipe()), None),
    (
        "100,000 numbers → map → filter → batch sink",
        streams_batch_sink(NUMBERS),
        rx_values(pipe(ops.map(add_one), ops.filter(is_even))),
        None,
    ),
    ("async for, buffer of 256 / async generator", streams_values(256), async_for(mapped, VALUES), 0.33),
    ("async for, buffer of 1 / async generator", streams_values(1), async_for(mapped, VALUES), None),
    ("subject → debounce → sink", streams_debounce, rx_debounce, 3.0),
    ("subject → receive_on → sink / observe_on", streams_receive_on, rx_observe_on, None),
    *timer_rows(),
    *observed_rows(),
]
if importlib.util.find_spec("numpy"):
    ROWS.append(("100,000 numbers → map_batch → batch sink / numpy", streams_map_batch, numpy_alone, 0.83))
if importlib.util.find_spec("aiostream"):
    row = ("async for, buffer of 256 / aiostream", streams_values(256), async_for(aiostream_loop, VALUES), None)
    ROWS.append(row)


def nanoseconds(run, values):
    """How long a run takes for each value."""
    start = time.perf_counter_ns()
    run()
    return (time.perf_counter_ns() - start) / values


def rounds_of(sides):
    """Rows of a million take seconds."""
    return 3 if sides[0][1] > BATCH else sys.maxsize


def measure(rows, rounds):
    """The median time of both sides of each row."""
    prepared = [(ours(), theirs()) for _, ours, theirs, _ in rows]
    times = [([], []) for _ in rows]
    gc.collect()
    gc.disable()
    try:
        for turn, (sides, found) in itertools.product(range(rounds + 1), zip(prepared, times)):
            if turn > rounds_of(sides):
                continue
            for (run, values), list_of_times in zip(sides, found):
                elapsed = nanoseconds(run, values)
                if turn:  # the first round warms up
                    list_of_times.append(elapsed)
    finally:
        gc.enable()
    return [tuple(map(statistics.median, found)) for found in times]


def table(results):
    yield f"{'Python, ns a value':<56}{'streams':>9}{'peer':>11}{'ratio':>9}{'bar':>7}"
    for row in results:
        bar = f"{row['bar']:g}" if row["bar"] else ""
        mark = "" if row["met"] else "  missed"
        yield f"{row['name']:<56}{row['streams']:>9.1f}{row['reactivex']:>11.1f}{row['ratio']:>9.2f}{bar:>7}{mark}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", metavar="FILE", type=pathlib.Path, help="write the results, too")
    parser.add_argument("--bytes", nargs=2, metavar=("KIND", "COUNT"), help="print what a timer takes, and no more")
    parser.add_argument("--rounds", type=int, default=11, help="how often each row is measured")
    parser.add_argument("rows", nargs="*", metavar="ROW", help="measure only rows whose name contains this")
    options = parser.parse_args()
    if options.bytes:
        print(bytes_of_timers(options.bytes[0], int(options.bytes[1])))
        return 0
    rows = [row for row in ROWS if not options.rows or any(part in row[0] for part in options.rows)]
    results = []
    for (name, _, _, bar), (ours, theirs) in zip(rows, measure(rows, options.rounds)):
        ratio = theirs / ours
        met = bar is None or ratio >= bar
        results.append({"name": name, "streams": ours, "reactivex": theirs, "ratio": ratio, "bar": bar, "met": met})
    print("\n".join(table(results)))
    found = timer_bytes() if not options.rows else {}
    for kind, each in found.items():
        sizes = [f"{size} bytes where {count:,} wait" for count, size in each.items()]
        print(f"A timer takes {kind} {', '.join(sizes)}")
    if options.json:
        about = {"python": platform.python_version(), "unit": "ns a value", "rounds": options.rounds}
        about["bytes of timers"] = found
        options.json.write_text(json.dumps({**about, "rows": results}, indent=2, ensure_ascii=False) + "\n")
    return 0 if all(row["met"] for row in results) else 1


if __name__ == "__main__":
    sys.exit(main())
