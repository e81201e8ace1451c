"""Timers of Streams, asyncio and reactivex: how long one takes to be set and taken back, and how much memory."""

import asyncio
import pathlib
import resource
import subprocess
import sys

import streams
from reactivex.scheduler import EventLoopScheduler

BENCH = pathlib.Path(__file__).with_name("bench.py")


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
    command = [sys.executable, BENCH, "--bytes", kind, str(count)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def timer_bytes():
    """The bytes that a timer takes, for each kind and number."""
    found = {}
    for kind in TIMERS:
        found[kind] = {count: bytes_in_a_new_process(kind, count) for count in timer_counts(kind)[1:]}
    return found
