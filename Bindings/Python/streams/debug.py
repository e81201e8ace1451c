"""For whoever looks at streams: which run at the moment, what they are made of, and what they do.

live()                      where the streams were made that run now
publisher.tree()            what a pipeline is made of; to_dot and to_mermaid make graphs of it
publisher.track("label")    a line about each call between a publisher and its subscribers
trace()                     the same for everything that is made while it is on
record(publisher)           what a stream does and when, as text or as a marble diagram
"""

import gc

from ._inspect.graphs import to_dot, to_mermaid
from ._inspect.marks import Mark
from ._inspect.recording import Recording, marbles, record
from ._native.tracing import Tracing, trace
from ._program.places import Place
from ._subscriptions.subscription import Cancellable

__all__ = ["Mark", "Place", "Recording", "Tracing", "live", "marbles", "record", "to_dot", "to_mermaid", "trace"]


def live() -> list[Place]:
    """Where the streams were made that run now, and whose cancellable somebody holds: one entry for each, in no order.

    Among them are those whose cancellable only an object holds that nobody knows any more, but that the stream keeps alive
    through a function of an operator: see streams.weak. The file is "?" where C called the package, and no line of Python.

    >>> for place in streams.debug.live():
    ...     print(place)
    app.py:12, in connect
    """
    steps = [each._step for each in gc.get_objects() if isinstance(each, Cancellable) and each._is_running()]
    return [step.place or Place("?", 0, "?") for step in steps]
