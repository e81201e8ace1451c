"""Recordings of streams' events and their times, as text and as pictures."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Mapping
from typing import Any, Callable, Generic

from .._operators.publisher import Publisher
from .._program.demand import UNLIMITED
from .._program.texts import text_of
from .._program.types import T
from .._schedulers.schedulers import Scheduler, Seconds, as_nanoseconds
from .._subscriptions.subscription import Cancellable
from .marks import Mark

_COLUMNS = 80  # the length limit of a recording's text, if the caller does not set the length of a moment
_SHOWN = 20  # how many marks a representation shows


class Recording(Generic[T]):
    """The events of a publisher since the subscription, with their times. It runs until close(), or the end of its
    block."""

    def __init__(self, publisher: Any, clock: Callable[[], int], demand: int) -> None:
        # The functions refer to the list, not to the recording, which holds the cancellable.
        self.marks: list[Mark] = []
        """The events, in order; times count from the subscription."""
        self._clock = clock
        self._begin = begin = clock()
        marks = self.marks

        def value(each: T) -> None:
            marks.append(Mark(clock() - begin, "value", each))

        def end(error: BaseException | None) -> None:
            marks.append(Mark(clock() - begin, "finished" if error is None else "failed", error))

        self._cancellable: Cancellable = publisher.sink(value, end, demand)

    @property
    def values(self) -> list[T]:
        """The values that have come."""
        return [mark.value for mark in self.marks if mark.kind == "value"]

    @property
    def has_ended(self) -> bool:
        """Whether the stream has ended."""
        return bool(self.marks) and self.marks[-1].kind != "value"

    def close(self) -> None:
        """Cancels the stream, if it has not ended, and records that."""
        if not self.has_ended:
            try:
                self._cancellable.cancel()
            finally:
                self.marks.append(Mark(self._clock() - self._begin, "cancelled"))

    def __enter__(self) -> Recording[T]:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def text(self, unit: Seconds | None = None, name: Callable[[Any], str] = str) -> str:
        """The recording in marble notation: a character for each moment, which is `unit` seconds long; events of the same
        moment are in parentheses. A value is a character, or in quotes; | finishes, # fails and ! is the call of close().
        The default unit keeps different times apart, as far as there is room.

        >>> recording.text(0.1)
        '1--2-(3|)'
        """
        nanoseconds = _unit(self.marks) if unit is None else as_nanoseconds(unit, "unit")
        if nanoseconds <= 0:
            raise ValueError(f"unit must be positive, and is {unit}")
        return _text(self.marks, nanoseconds, _name if name is str else name)

    def svg(self, title: str = "", name: Callable[[Any], str] = str) -> str:
        """A marble diagram of the recording, as a picture in SVG. Several in one: streams.debug.marbles."""
        return marbles({title: self}, name)

    def _repr_svg_(self) -> str:
        """The picture that notebooks show."""
        return self.svg()

    def __repr__(self) -> str:
        shown = self.marks[:_SHOWN]
        more = f" and {len(self.marks) - _SHOWN} more" if len(self.marks) > _SHOWN else ""
        return f"<streams.debug.Recording {_text(shown, _unit(shown), _name)!r}{more}>"


def _name(value: Any) -> str:
    return text_of(value, str)


def _unit(marks: list[Mark]) -> int:
    """The length of a moment that keeps different times apart, as far as there is room."""
    times = sorted({mark.nanoseconds for mark in marks})
    gaps = [after - before for before, after in zip([0, *times], times) if after > before]
    return max(min(gaps), -(-times[-1] // _COLUMNS)) if gaps else 1


def _text(marks: list[Mark], unit: int, name: Callable[[Any], str]) -> str:
    """The marks in marble notation."""
    parts: list[str] = []
    moment = 0
    for at, group in itertools.groupby(marks, lambda mark: mark.nanoseconds // unit):
        parts.append("-" * (at - moment - (1 if parts else 0)))
        moment = at
        labels = [_quoted(each.label(name)) if each.kind == "value" else each.label(name) for each in group]
        parts += ["(", *labels, ")"] if len(labels) > 1 else labels
    return _joined(filter(None, parts))


def _quoted(text: str) -> str:
    if len(text) == 1 and text not in "-()|#^!'" and not text.isspace():
        return text
    return "'" + text.replace("'", "''") + "'"


def _joined(parts: Iterable[str]) -> str:
    """Joins the parts. A space separates two quotes in a row, which would mean a quote within a value."""
    apart: list[str] = []
    for part in parts:
        if apart and apart[-1].endswith("'") and part.startswith("'"):
            apart.append(" ")
        apart.append(part)
    return "".join(apart)


def record(publisher: Publisher[T], scheduler: Scheduler | None = None, demand: int = UNLIMITED) -> Recording[T]:
    """Subscribes to a publisher and records its events and their times, by the clock of a scheduler, which may be virtual,
    or else by the system's.

    >>> clock = VirtualTimeScheduler()
    >>> with streams.debug.record(Interval(1, clock, count=3), clock) as recording:
    ...     clock.advance(5)
    >>> recording.text(1)
    '-01(2|)'
    >>> open("interval.svg", "w").write(recording.svg())
    """
    if not isinstance(publisher, Publisher):
        raise TypeError(f"publisher must be a Publisher, not {type(publisher).__name__}")
    if scheduler is None:
        return Recording(publisher, time.monotonic_ns, demand)
    if not isinstance(scheduler, Scheduler):
        raise TypeError(f"scheduler must be a Scheduler, not {type(scheduler).__name__}")
    return Recording(publisher, lambda: scheduler.nanoseconds, demand)


def marbles(recordings: Mapping[str, Recording[Any]], name: Callable[[Any], str] = str) -> str:
    """Several recordings as one marble diagram in SVG, one below the other on one time axis, each with its title.

    >>> picture = streams.debug.marbles({"typed": typed, "debounced": debounced})
    """
    from .marbles import diagram  # imported only when it is used

    for each in recordings.values():
        if not isinstance(each, Recording):
            raise TypeError(f"recordings must be Recordings, not {type(each).__name__}")
    return diagram({title: each.marks for title, each in recordings.items()}, _name if name is str else name)
