"""Measures the Python package beside reactivex, in one process, in interleaved runs.

    python Benchmarks/Python/bench.py [--json FILE] [--rounds N] [ROW ...]

Every row is measured for both libraries in turn, round after round, and the median of each is taken; so what else the
machine does meets both alike. Compare ratios only. Needs reactivex (Tests/Python/requirements.txt). The rows of `async for`
stand beside a plain async generator, which is the floor, and beside aiostream, if it is installed; those of timers
beside asyncio's call_later, too; those of observed state beside traitlets and psygnal, if they are installed; that of
map_batch beside the same function of numpy's, if that is installed. What a timer takes is the growth of a process that
sets so many and nothing else; what the import takes is measured in new processes. The rows are in rows.py.
"""

import argparse
import gc
import itertools
import json
import pathlib
import platform
import statistics
import sys
import time

from imports import import_costs
from pipelines import BATCH
from rows import ROWS
from timers import bytes_of_timers, timer_bytes


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
            # Who comes first finds the memory as another row has left it.
            for (run, values), list_of_times in list(zip(sides, found))[:: -1 if turn % 2 else 1]:
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
    costs = import_costs() if not options.rows else {}
    if costs:
        print("The import takes {:.1f} ms, {:.1f} of them for Python's own modules, and {:.1f} MB".format(*costs.values()))
    if options.json:
        about = {"python": platform.python_version(), "unit": "ns a value", "rounds": options.rounds}
        about["bytes of timers"], about["import"] = found, costs
        options.json.write_text(json.dumps({**about, "rows": results}, indent=2, ensure_ascii=False) + "\n")
    return 0 if all(row["met"] for row in results) else 1


if __name__ == "__main__":
    sys.exit(main())
