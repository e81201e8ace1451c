"""Connectable: a publisher that begins when it is told to."""

from typing import TypeVar

from ._errors import check, made
from ._library import library
from ._publisher import Publisher
from ._subscription import Cancellable

T = TypeVar("T")


class Connectable(Publisher[T]):
    """A publisher that publishes nothing until it is connected: see Publisher.make_connectable and multicast."""

    def _take(self) -> int:
        return made(library.streams_connectable_publisher(self._handle))

    def connect(self) -> Cancellable:
        """Subscribes to the publisher that this was made of, for all subscribers.

        When nobody holds the result any more, or it is cancelled, that ends; the subscribers stay, and hear no more
        until the next connection. A second connection besides sends everything a second time.
        """
        return Cancellable._begin(library.streams_connect, self._handle)

    def autoconnect(self) -> "Publisher[T]":
        """A publisher that connects for its first subscriber, and disconnects after the last one has cancelled."""
        check(library.streams_retain(self._handle))
        return Publisher._adopt(made(library.streams_autoconnect(self._handle)))
