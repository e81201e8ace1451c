"""What the tests of schedulers in real time share: every kind, with something that runs it."""

import asyncio
import concurrent.futures
import heapq
import inspect
import itertools
import pathlib
import threading
import time

from streams import (
    AsyncioScheduler,
    Backoff,
    CustomScheduler,
    EventLoop,
    ExecutorScheduler,
    Publisher,
    QueuePool,
    SerialQueue,
)
from turns import LIMIT, turns

LONG = 1000.0  # seconds after which nothing in a test is due
SOON = 0.001

# These ask the scheduler for the time, and have it run nothing.
ASKING = {"measure_interval"}


def needs_scheduler(function):
    return "scheduler" in inspect.signature(function).parameters


def operators():
    """The names of all operators that have a scheduler run something."""
    found = {name: each for name, each in inspect.getmembers(Publisher, inspect.isfunction) if name[0] != "_"}
    return sorted(name for name, each in found.items() if needs_scheduler(each) and name not in ASKING)


def applied(name, publisher, scheduler, time=SOON):
    """The operator, with whatever arguments it needs."""
    given = {"due_time": time, "interval": time, "count": 9, "latest": True, "backoff": Backoff(delay=time, retries=2)}
    operator = getattr(publisher, name)
    parameters = inspect.signature(operator).parameters.values()
    needed = [each.name for each in parameters if each.default is each.empty and each.name != "scheduler"]
    return operator(**{each: given[each] for each in needed}, scheduler=scheduler)


class Oops(BaseException):
    """What is more than a stream's."""


class Log(list):
    """What has run, which a test can wait for from another thread."""

    def __init__(self):
        self.condition = threading.Condition()

    def add(self, entry):
        with self.condition:
            self.append(entry)
            self.condition.notify_all()

    def adds(self, entry):
        return lambda: self.add(entry)

    def wait(self, count):
        with self.condition:
            assert self.condition.wait_for(lambda: len(self) >= count, LIMIT), self
        return list(self)


def descriptors():
    return len(list(pathlib.Path("/proc/self/fd").iterdir()))


class Clock:
    def __init__(self):
        self.time, self.actions = 0.0, []

    def now(self):
        return self.time

    def schedule(self, time, action):
        self.actions.append((time, action))


class Asyncio:
    """An AsyncioScheduler on a loop of its own thread."""

    def __init__(self):
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()
        self.scheduler = AsyncioScheduler(self.loop)

    def end(self):
        self.scheduler.close()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.run_until_complete(turns(3))
        self.loop.close()


class Looped:
    """An EventLoop that a thread runs."""

    def __init__(self):
        self.scheduler = EventLoop()
        self.thread = threading.Thread(target=self.scheduler.run)
        self.thread.start()

    def end(self):
        self.scheduler.stop()
        self.thread.join()
        self.scheduler.close()


class Queue:
    def __init__(self):
        self.scheduler = SerialQueue()

    def end(self):
        self.scheduler.close()


class Pooled:
    def __init__(self):
        self.scheduler = QueuePool(2).queue()

    def end(self):
        self.scheduler.close()


class Executed:
    def __init__(self):
        self.executor = concurrent.futures.ThreadPoolExecutor(1)
        self.scheduler = ExecutorScheduler(self.executor)

    def end(self):
        self.scheduler.close()
        self.executor.shutdown()


class Own:
    """A scheduler of one's own, whose clock is a thread that sleeps until something is due."""

    def __init__(self):
        self.due, self.number, self.is_over = [], itertools.count(), False
        self.condition = threading.Condition()
        self.scheduler = CustomScheduler(self)
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def now(self):
        return time.monotonic()

    def schedule(self, at, action):
        with self.condition:
            heapq.heappush(self.due, (at, next(self.number), action))
            self.condition.notify()

    def run(self):
        while action := self.next_action():
            action()

    def next_action(self):
        with self.condition:
            while not self.is_over:
                left = self.due[0][0] - self.now() if self.due else None
                if left is not None and left <= 0:
                    return heapq.heappop(self.due)[2]
                self.condition.wait(left)
        return None

    def end(self):
        self.scheduler.close()
        with self.condition:
            self.is_over = True
            self.condition.notify()
        self.thread.join()


KINDS = [Asyncio, Looped, Queue, Pooled, Executed, Own]
