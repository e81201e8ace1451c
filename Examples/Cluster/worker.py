"""A worker: takes jobs from the consumer that it shares with others, and reports how many it has done.

    worker.py SERVER NAME MICROSECONDS

A job takes so many microseconds, in which the worker sleeps. It is acknowledged when its function has returned, so what a
worker had when it was killed goes to another.
"""

import json
import os
import sys
import time

from streams import Interval, SerialQueue, nats


def fail(error):
    """Ends the program: a stream that never ends has ended."""
    print(error, file=sys.stderr, flush=True)
    os._exit(1)


def main(server, name, microseconds):
    work = int(microseconds) / 1e6
    done = {"total": 0, "again": 0}

    def process(job):
        time.sleep(work)
        done["again"] += job.deliveries > 1
        done["total"] += 1

    with nats.Connection(server, name=name) as connection, SerialQueue() as queue:
        jobs = connection.stream("JOBS").consumer("workers", most=50)
        each = Interval(0.5, queue, first=0).map(lambda _: json.dumps(done))
        reports = connection.send_all(each, f"stats.{name}")
        with reports.sink(None, fail), jobs.sink(process, fail):
            sys.stdin.read()  # it ends when whoever has started the program closes it, or is killed
        print(json.dumps(done))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: worker.py SERVER NAME MICROSECONDS")
    main(*sys.argv[1:])
