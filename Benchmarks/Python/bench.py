"""Measures the Python package beside reactivex, in one process, in interleaved runs.

    python Benchmarks/Python/bench.py [--json FILE] [--rounds N] [ROW ...]

Every row is measured for both libraries in turn, round after round, and the median of each is taken; so what else the
machine does meets both alike. Compare ratios only. Needs reactivex (Benchmarks/requirements.txt). The rows of `async for`
stand beside a plain async generator, which is the floor, and beside aiostream, if it is installed.
"""

import argparse
import array
import asyncio
import gc
import importlib.util
import itertools
import json
import pathlib
import platform
import statistics
import sys
import time

import reactivex
import streams
from reactivex import operators as ops

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
        return ticket

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
]
if importlib.util.find_spec("aiostream"):
    row = ("async for, buffer of 256 / aiostream", streams_values(256), async_for(aiostream_loop, VALUES), None)
    ROWS.append(row)


def nanoseconds(run, values):
    """How long a run takes for each value."""
    start = time.perf_counter_ns()
    run()
    return (time.perf_counter_ns() - start) / values


def measure(rows, rounds):
    """The median time of both sides of each row."""
    prepared = [(ours(), theirs()) for _, ours, theirs, _ in rows]
    times = [([], []) for _ in rows]
    gc.collect()
    gc.disable()
    try:
        for turn, (sides, found) in itertools.product(range(rounds + 1), zip(prepared, times)):
            for (run, values), list_of_times in zip(sides, found):
                elapsed = nanoseconds(run, values)
                if turn:  # the first round warms up
                    list_of_times.append(elapsed)
    finally:
        gc.enable()
    return [tuple(map(statistics.median, found)) for found in times]


def table(results):
    yield f"{'Python, ns a value':<46}{'streams':>9}{'peer':>11}{'ratio':>9}{'bar':>7}"
    for row in results:
        bar = f"{row['bar']:g}" if row["bar"] else ""
        mark = "" if row["met"] else "  missed"
        yield f"{row['name']:<46}{row['streams']:>9.1f}{row['reactivex']:>11.1f}{row['ratio']:>9.2f}{bar:>7}{mark}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", metavar="FILE", type=pathlib.Path, help="write the results, too")
    parser.add_argument("--rounds", type=int, default=11, help="how often each row is measured")
    parser.add_argument("rows", nargs="*", metavar="ROW", help="measure only rows whose name contains this")
    options = parser.parse_args()
    rows = [row for row in ROWS if not options.rows or any(part in row[0] for part in options.rows)]
    results = []
    for (name, _, _, bar), (ours, theirs) in zip(rows, measure(rows, options.rounds)):
        ratio = theirs / ours
        met = bar is None or ratio >= bar
        results.append({"name": name, "streams": ours, "reactivex": theirs, "ratio": ratio, "bar": bar, "met": met})
    print("\n".join(table(results)))
    if options.json:
        about = {"python": platform.python_version(), "unit": "ns a value", "rounds": options.rounds}
        options.json.write_text(json.dumps({**about, "rows": results}, indent=2, ensure_ascii=False) + "\n")
    return 0 if all(row["met"] for row in results) else 1


if __name__ == "__main__":
    sys.exit(main())
