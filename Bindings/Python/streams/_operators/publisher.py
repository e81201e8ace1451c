"""Publisher, which is composed here of a class for each family of its operators, and Connectable.

Operators return publishers, so the signatures of the families name the class that is made of them. That cycle exists for
type checkers only. At run time no family imports this module: what they need of Publisher is declared in Operators and
implemented here (_of, _connectable_of).
"""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any, Generic

from .._native import host
from .._native.errors import check_retained, made
from .._native.library import library
from .._native.tracing import Labels
from .._program.chains import Step, made_here
from .._program.types import K, T_co
from .._subscriptions.ends import belonging_to, current
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

_new = object.__new__


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
    """All operators. Publisher has only this base, since help(streams) shows a class once for each of its bases."""


class Publisher(Families[T_co]):
    """A stream of values that has not begun: each subscriber starts it, and never gets more than it has demanded.

    Every operator returns a new publisher and leaves this one as it is. Functions that are passed to operators may raise:
    the stream then fails, and its subscriber gets that very exception. The publisher and its streams keep these functions,
    which Python's collector cannot see: see streams.weak. The collector cannot see either a failure that a publisher keeps,
    such as that of Fail, share or a failed subject; its traceback leads to the local variables of functions that catch it.
    If the publisher is among these variables, it is not released before close().
    """

    _made_by = "Just, Sequence, from_iterable, create and operators"

    if not TYPE_CHECKING:  # type checkers know the attributes

        def __getattr__(self, name: str) -> Any:
            return refuse(self, name)

        def __getitem__(self, key: Any) -> Any:
            wanted = "output_in(range(...))" if isinstance(key, slice) else "output_at(index)"
            raise TypeError(f"a {type(self).__name__} has no items to be taken by []: {wanted} gives a publisher of them")

    def __init__(self, *_: Any, **__: Any) -> None:
        raise TypeError(f"a {type(self).__name__} is not made by itself: {self._made_by} make one")

    def _of(self, handle: int, callback: Any = None) -> Publisher[Any]:
        return self._made(handle, made_here(self._step, callback))

    def _made(self, handle: int, step: Step) -> Publisher[Any]:
        kind: type[Publisher[Any]] = Publisher
        publisher = _new(kind)
        publisher._handle = handle
        publisher._step = step
        if Labels.are_shown:
            Labels.give(handle, step)
        return publisher

    def _connectable_of(self, handle: int) -> Connectable[Any]:
        kind: type[Connectable[Any]] = Connectable
        publisher = kind._adopt(handle)
        publisher._step = made_here(self._step)
        if Labels.are_shown:
            Labels.give(handle, publisher._step)
        return publisher


# Messages about wrong arguments name the public class.
for _family in Families.__bases__:
    for _method in vars(_family).values():
        if isinstance(_method, FunctionType):
            _method.__qualname__ = f"Publisher.{_method.__name__}"


def source(handle: int, callback: Any = None) -> Publisher[Any]:
    """Makes a publisher that begins a pipeline."""
    kind: type[Publisher[Any]] = Publisher
    publisher = kind.__new__(kind)
    publisher._own(handle, callback)
    return publisher


class GroupedPublisher(Publisher[T_co], Generic[K, T_co]):
    """The values of a publisher that have the same key: see Publisher.group_by."""

    _key: K

    @property
    def key(self) -> K:
        """The key that the values have in common."""
        return self._key


def divided(handle: int, *key: Any) -> Publisher[Any]:
    """Makes one of the publishers that another one publishes: a group, if it has a key."""
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
        """Subscribes to the upstream publisher, for all subscribers.

        The connection ends when the result is cancelled or released; the subscribers stay, and get nothing until the next
        connection. It also ends when this publisher and all publishers made of it are gone. A second connection at the same
        time sends everything a second time.
        """
        if current() is not None:
            return belonging_to(None, self.connect)
        return Cancellable._of(library.streams_connect(self._handle), made_here(self._step))

    def autoconnect(self) -> Publisher[T_co]:
        """A publisher that connects for its first subscriber, and disconnects after the last one has cancelled."""
        check_retained(library.streams_retain(self._handle), self._handle, "connectable")
        return self._of(made(library.streams_autoconnect(self._handle)))
