"""The operators that share values among several subscribers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._native.errors import made
from .._native.library import library
from .._program.demand import as_demand
from .._program.types import AnySubject, T_co
from .._subscriptions.stream import as_subject
from .base import Operators

if TYPE_CHECKING:
    from .publisher import Connectable, Publisher


class Sharing(Operators[T_co]):
    """Publisher's operators for several subscribers. They demand all values; a subscriber without demand misses them."""

    def share(self, *, replay: int | None = None) -> Publisher[T_co]:
        """Shares one subscription to this publisher among all subscribers.

        The subscription is made for the first subscriber and cancelled after the last one; the next subscriber then makes
        another. Once the stream has ended, later subscribers get only the end. A failure is kept for them, and an exception
        keeps the variables of the functions it went through: close() releases both.

        All values are demanded of this publisher, and a subscriber gets only those that it has demanded. So
        publisher.share().iterate(buffer=1), which demands one after the other, gets only the first of the values that come
        together. With replay it gets all that are kept.

        With replay, that many latest values are kept for subscribers that come late, also after the end, or that are behind
        on demand, as in a ReplaySubject; UNLIMITED keeps all.

        >>> prices = from_iterable(download).share()
        >>> answer = from_iterable(ask).share(replay=1)
        """
        if replay is None:
            return self._applied(library.streams_share)
        return self._applied(library.streams_share_replay, as_demand(replay, "replay"))

    def make_connectable(self) -> Connectable[T_co]:
        """Sends no values until the result is connected, which starts them for all its subscribers.

        >>> news = articles.make_connectable()
        >>> cancellables = [news.sink(show), news.sink(save)]
        >>> connection = news.connect()
        """
        return self._connectable_of(made(library.streams_make_connectable(self._take())))

    def multicast(self, subject: AnySubject[T_co]) -> Connectable[T_co]:
        """Sends no values until the result is connected, and then sends them through a subject, which decides what a late
        subscriber gets.

        >>> latest = temperatures.multicast(CurrentValueSubject(0.0)).autoconnect()
        """
        target = as_subject(subject)
        return self._connectable_of(made(library.streams_multicast(self._take(), target)))
