"""What `import streams` takes in a new process: time, and memory."""

import statistics
import subprocess
import sys

ROUNDS = 15
# What the package imports of Python's own, which a program may have imported anyway.
OWN = "import collections, contextlib, ctypes, enum, functools, threading, typing, weakref"
PROGRAM = """
import time
begin = time.perf_counter()
{}
taken = time.perf_counter() - begin
import resource
with open("/proc/self/statm") as found:
    print(taken * 1000, int(found.read().split()[1]) * resource.getpagesize() / 1e6)
"""


def measured(statement):
    """Milliseconds, and megabytes of the process."""
    done = subprocess.run([sys.executable, "-c", PROGRAM.format(statement)], check=True, capture_output=True, text=True)
    return tuple(map(float, done.stdout.split()))


def import_costs():
    """The medians of interleaved runs; the memory is that beyond the interpreter's."""
    found = {"nothing": [], "python": [], "streams": []}
    for _ in range(ROUNDS):
        for name, statement in zip(found, ("", OWN, "import streams")):
            found[name].append(measured(statement))
    (_, nothing), (own, _), (taken, memory) = (map(statistics.median, zip(*runs)) for runs in found.values())
    return {"milliseconds": taken, "of them Python's own": own, "megabytes": memory - nothing}
