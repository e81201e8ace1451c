"""The list of live streams."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .._native.errors import check
from .._native.library import library
from .._program.demand import UNLIMITED

_HEADS = ("stream", "values", "demand", "waiting", "dropped", "last event", "made at")
_FAMILIES = (
    ("values", "counter", "values that it has sent"),
    ("dropped", "counter", "values that were dropped for lack of demand or room"),
    ("demand", "gauge", "values that it may still send"),
    ("waiting", "gauge", "values that it keeps"),
)


class LiveStream(NamedTuple):
    """A publisher in a live stream."""

    number: int
    """Of the subscription to it."""
    of: int
    """The number of what comes next in the stream; 0 at its end."""
    name: str
    """The operator or source, as a program might spell it."""
    place: str
    """The line that made it."""
    values: int
    """How many it has sent."""
    demand: int
    """How many it may still send; streams.UNLIMITED if as many as it has."""
    waiting: int
    """How many it keeps: a buffer's content, what receive_on and delay have not delivered, what zip has no counterparts
    for."""
    dropped: int
    """How many it has dropped for lack of demand or room."""
    event: str
    """The last that happened: subscribe, subscription, value, request or drop."""
    seconds: float
    """How long ago that was."""


class LiveStreams(list[LiveStream]):
    """The live streams: each publisher below the one that gets its values. As text it is a table."""

    def __str__(self) -> str:
        rows = [_HEADS, *(_row(stream, depth) for stream, depth in self._depths())]
        widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADS))]
        return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)

    def _depths(self) -> Iterator[tuple[LiveStream, int]]:
        depths = {0: -1}
        for stream in self:
            depths[stream.number] = depths.get(stream.of, -1) + 1
            yield stream, depths[stream.number]

    def openmetrics(self) -> str:
        """The values, demands and drops as OpenMetrics text, for Prometheus.

        >>> print(streams.debug.streams().openmetrics())
        # TYPE streams_values counter
        # HELP streams_values values that it has sent
        streams_values_total{stream="1",name="Interval(1)",place="app.py:3, in <module>"} 5
        ...
        """
        lines: list[str] = []
        for name, kind, text in _FAMILIES:
            lines += [f"# TYPE streams_{name} {kind}", f"# HELP streams_{name} {text}"]
            suffix = "_total" if kind == "counter" else ""
            for each in self:
                labels = f'stream="{each.number}",name="{_quoted(each.name)}",place="{_quoted(each.place)}"'
                number = getattr(each, name)
                lines.append(f"streams_{name}{suffix}{{{labels}}} {'+Inf' if number == UNLIMITED else number}")
        return "\n".join([*lines, "# EOF", ""])


def _row(each: LiveStream, depth: int) -> tuple[str, ...]:
    demand = "unlimited" if each.demand == UNLIMITED else str(each.demand)
    last = each.event if each.seconds < 1 else f"{each.event} {each.seconds:.0f} s ago"
    name, place = "  " * depth + each.name, each.place
    here = os.getcwd() + os.sep
    if place.startswith(here):
        place = place[len(here) :]
    return name, str(each.values), demand, str(each.waiting), str(each.dropped), last, place


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def streams() -> LiveStreams:
    """The live streams of what was made while watch(), or a trace file, was on; none without these.

    A stream is live from its subscription until it ends or is cancelled or released. Its publishers are listed one by
    one, each below the one that gets its values.

    >>> print(streams.debug.streams())
    """
    return LiveStreams(_in_order(_read(_text())))


def _text() -> str:
    size, needed = 1 << 14, ctypes.c_size_t()
    while True:
        buffer = ctypes.create_string_buffer(size)
        check(library.streams_live_streams(buffer, size, ctypes.byref(needed)))
        if needed.value < size:
            return buffer.value.decode("utf-8", "replace")
        size = 2 * needed.value


def _read(text: str) -> Iterator[LiveStream]:
    for line in text.split("\n")[1:-1]:
        number, of, name, place, values, demand, waiting, dropped, event, seconds = line.split("\t")
        most = UNLIMITED if demand == "unlimited" else int(demand)
        yield LiveStream(
            int(number), int(of), name, place, int(values), most, int(waiting), int(dropped), event, float(seconds)
        )


def _in_order(streams: Iterable[LiveStream]) -> Iterator[LiveStream]:
    """Each stream before those that serve it."""
    rows = {each.number: each for each in streams}
    serving: dict[int, list[int]] = {}
    for each in rows.values():
        serving.setdefault(each.of if each.of in rows else 0, []).append(each.number)
    left = serving.get(0, [])[::-1]
    while left:
        number = left.pop()
        yield rows[number]
        left += serving.get(number, [])[::-1]
