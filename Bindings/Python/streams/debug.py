"""Tools for debugging streams: which streams run, how they are composed, and what they do.

live()                      the lines that made the streams that run now
publisher.tree()            a pipeline as a tree; to_dot and to_mermaid make graphs of it
publisher.track("label")    a line for each call between a publisher and its subscribers
trace()                     tracks everything that is made while it is on
trace_file("run.json")      writes what happens to a file, for viewers such as `python -m streams view run.json`
watch() and streams()       list the live streams, with their values, demand, and what waits in them or was dropped
warn_about_drops()          says where values are dropped
record(publisher)           a stream's events and their times, as text or as a marble diagram
"""

import gc

from ._inspect.graphs import to_dot, to_mermaid
from ._inspect.live import LiveStream, LiveStreams, streams
from ._inspect.marks import Mark
from ._inspect.recording import Recording, marbles, record
from ._native.tracing import Tracing, Watching, trace, trace_file, warn_about_drops, watch
from ._program.places import Place
from ._subscriptions.subscription import Cancellable

__all__ = [
    "LiveStream", "LiveStreams", "Mark", "Place", "Recording", "Tracing", "Watching", "live", "marbles", "record", "streams",
    "to_dot", "to_mermaid", "trace", "trace_file", "warn_about_drops", "watch",
]  # fmt: skip


def live() -> list[Place]:
    """The lines that made the streams that run now and whose cancellable exists: one entry for each, in no order.

    A stream of subscribe(), of connect() or of assign() to a subject, a binding or a published attribute counts as running
    until it is cancelled, also after its end.

    This includes a stream whose cancellable is held only by an otherwise unreachable object, which the stream keeps
    alive through a function of an operator: see streams.weak. The file is "?" if C called the package, and not a line
    of Python.

    >>> for place in streams.debug.live():
    ...     print(place)
    app.py:12, in connect
    """
    # Not isinstance, which asks objects for their __class__: proxies may raise.
    steps = [each._step for each in gc.get_objects() if issubclass(type(each), Cancellable) and each._is_running()]
    return [step.place or Place("?", 0, "?") for step in steps]
