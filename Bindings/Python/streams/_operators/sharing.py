"""The operators that let several subscribers have the same values."""

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
    """What Publisher does for several subscribers. All values are demanded; one without demand misses them."""

    def share(self, *, replay: int | None = None) -> Publisher[T_co]:
        """Shares one subscription to this publisher among all subscribers.

        It is made for the first and cancelled after the last. The next one then makes another. Once the stream has ended,
        who comes later gets the end only. A failure is kept for them, and an exception keeps the variables of the
        functions it went through: close() releases both.

        Values pass to those who have demanded them, and to nobody else: all are demanded of this publisher. So
        publisher.share().iterate(buffer=1), which demands one after the other, gets of values that come at once the first.
        With replay it gets all that are kept.

        With replay, the latest so many values are kept for who comes late, also after the end, or is behind on demand, as
        for a ReplaySubject; UNLIMITED keeps all.

        >>> prices = from_iterable(download).share()
        >>> answer = from_iterable(ask).share(replay=1)
        """
        if replay is None:
            return self._applied(library.streams_share)
        return self._applied(library.streams_share_replay, as_demand(replay, "replay"))

    def make_connectable(self) -> Connectable[T_co]:
        """Holds the values back until the result is connected, for all its subscribers at once.

        >>> news = articles.make_connectable()
        >>> cancellables = [news.sink(show), news.sink(save)]
        >>> connection = news.connect()
        """
        return self._connectable_of(made(library.streams_make_connectable(self._take())))

    def multicast(self, subject: AnySubject[T_co]) -> Connectable[T_co]:
        """Holds the values back as make_connectable does, and sends them through a subject, which decides what a
        subscriber gets that comes late.

        >>> latest = temperatures.multicast(CurrentValueSubject(0.0)).autoconnect()
        """
        target = as_subject(subject)
        return self._connectable_of(made(library.streams_multicast(self._take(), target)))
