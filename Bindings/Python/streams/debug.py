"""What runs at the moment: for the hunt for streams that should have ended."""

import gc
from typing import List

from ._places import Place
from ._subscription import Cancellable

__all__ = ["Place", "live"]


def live() -> List[Place]:
    """Where the streams were made that run now, and whose ticket somebody holds: one entry for each, in no order.

    Among them are those whose ticket only an object holds that nobody knows any more, but that the stream keeps alive
    through a function of an operator: see streams.weak.

    >>> for place in streams.debug.live():
    ...     print(place)
    app.py:12, in connect
    """
    return [each._place for each in gc.get_objects() if isinstance(each, Cancellable) and each._is_running()]
