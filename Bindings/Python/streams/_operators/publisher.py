"""Publisher, which is composed here of a class for each family of its operators, and Connectable.

Operators return publishers, so the signatures of the families name the class that is made of them: a circle that a class
with such methods cannot be without. It is there for type checkers only. When a program runs, no family imports this
module: what they need of Publisher is in Operators, and is filled in here (_of, _connectable_of).
"""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any, Generic

from .._native import host
from .._native.errors import check, made
from .._native.library import library
from .._program.chains import made_here
from .._program.types import K, T_co
from .._subscriptions.subscribing import Subscribing
from .._subscriptions.subscription import Cancellable
from .buffering import Buffering
from .combining import Combining
from .debugging import Debugging
from .dividing import Dividing
from .failing import Failing
from .filtering import Filtering
from .names import refuse
from .receiving import Receiving
from .reducing import Reducing
from .sharing import Sharing
from .timed import Timed
from .transforming import Transforming


class Families(
    Buffering[T_co],
    Combining[T_co],
    Debugging[T_co],
    Dividing[T_co],
    Failing[T_co],
    Filtering[T_co],
    Receiving[T_co],
    Subscribing[T_co],
    Reducing[T_co],
    Sharing[T_co],
    Timed[T_co],
    Transforming[T_co],
):
    """All operators. Publisher has this one base, since help(streams) shows each class once for each of its bases."""


class Publisher(Families[T_co]):
    """A stream of values that has not begun: each subscriber starts it, and never gets more than it has demanded.

    Every operator returns a new publisher and leaves this one as it is. Functions that are given to operators may
    raise: the stream then fails, and its subscriber gets that very exception. The publisher and its streams keep them,
    which Python's collector cannot see: see streams.weak. So it is with a failure that a publisher keeps, as Fail, share or
    a subject that has failed: its traceback leads to the variables of who catches it. Where the publisher is one of these,
    it is not released before close().
    """

    _made_by = "Just, Sequence, from_iterable, create and operators"

    if not TYPE_CHECKING:  # who checks types knows what there is

        def __getattr__(self, name: str) -> Any:
            return refuse(self, name)

        def __getitem__(self, key: Any) -> Any:
            wanted = "output_in(range(...))" if isinstance(key, slice) else "output_at(index)"
            raise TypeError(f"a {type(self).__name__} has no items to be taken by []: {wanted} gives a publisher of them")

    def __init__(self, *_: Any, **__: Any) -> None:
        raise TypeError(f"a {type(self).__name__} is not made by itself: {self._made_by} make one")

    def _of(self, handle: int, callback: Any = None) -> Publisher[Any]:
        kind: type[Publisher[Any]] = Publisher
        publisher = kind._adopt(handle)
        publisher._step = made_here(self._step, callback)
        return publisher

    def _connectable_of(self, handle: int) -> Connectable[Any]:
        kind: type[Connectable[Any]] = Connectable
        publisher = kind._adopt(handle)
        publisher._step = made_here(self._step)
        return publisher


# What is said of wrong arguments names the class that programs know.
for _family in Families.__bases__:
    for _method in vars(_family).values():
        if isinstance(_method, FunctionType):
            _method.__qualname__ = f"Publisher.{_method.__name__}"


def source(handle: int, callback: Any = None) -> Publisher[Any]:
    """A publisher that begins a pipeline."""
    kind: type[Publisher[Any]] = Publisher
    publisher = kind.__new__(kind)
    publisher._own(handle, callback)
    return publisher


class GroupedPublisher(Publisher[T_co], Generic[K, T_co]):
    """The values of a publisher that have the same key: see Publisher.group_by."""

    _key: K

    @property
    def key(self) -> K:
        """What the values have in common."""
        return self._key


def divided(handle: int, *key: Any) -> Publisher[Any]:
    """One of the publishers that another one publishes: a group, if it has a key."""
    if not key:
        kind: type[Publisher[Any]] = Publisher
        return kind._adopt(handle)
    grouped: type[GroupedPublisher[Any, Any]] = GroupedPublisher
    group = grouped._adopt(handle)
    group._key = key[0]
    return group


host.make_publishers(divided)


class Connectable(Publisher[T_co]):
    """A publisher that publishes nothing until it is connected: see Publisher.make_connectable and multicast."""

    def _take(self) -> int:
        return made(library.streams_connectable_publisher(self._handle))

    def connect(self) -> Cancellable:
        """Subscribes to the publisher that this was made of, for all subscribers.

        When nobody holds the result any more, or it is cancelled, that ends; the subscribers stay, and hear no more
        until the next connection. So it does when this and all publishers made of it are gone. A second connection besides
        sends everything a second time.
        """
        return Cancellable._of(library.streams_connect(self._handle), made_here(self._step))

    def autoconnect(self) -> Publisher[T_co]:
        """A publisher that connects for its first subscriber, and disconnects after the last one has cancelled."""
        check(library.streams_retain(self._handle))
        return self._of(made(library.streams_autoconnect(self._handle)))
