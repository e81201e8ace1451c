"""Pipelines whose values a scheduler delivers."""

import itertools
import threading

import reactivex
import streams
from pipelines import VALUES, pipe, rx_subject, streams_subject
from reactivex import operators as ops
from reactivex.scheduler import EventLoopScheduler


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
