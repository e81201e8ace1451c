"""Marble diagrams as pictures in SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, Callable, NamedTuple
from unicodedata import category, east_asian_width

from .._program.texts import text_of
from .marks import Mark

# All lengths are in pixels.
_RADIUS, _GAP, _LANE, _ABOVE = 16, 6, 40, 26  # a marble, between two, from one lane to the next, over and below a line
_COLUMN = 8.5  # how wide a character is
_NARROWEST, _WIDEST = 320, 1400  # how long a line is
_MARGIN, _AXIS = 14, 30
_LONGEST = 14  # how many characters of a value are shown
_COLORS = ("#ffd9b3", "#b3d9ff", "#c9efc4", "#f6c6d8", "#e0d0f5", "#fff0a8", "#bfece8", "#e3e3e3")


class _Marble(NamedTuple):
    """A value: its center, its lane below the line, half its width, its label and its hint."""

    x: float
    lane: int
    half: float
    label: str
    hint: str


def diagram(rows: Mapping[str, list[Mark]], name: Callable[[Any], str]) -> str:
    """The picture of several recordings on one time axis."""
    times = sorted({mark.nanoseconds for marks in rows.values() for mark in marks})
    left = _MARGIN + max((_columns(title) for title in rows), default=0) * _COLUMN + _RADIUS + _MARGIN
    scale = _scale(times)
    end = times[-1] if times else 0
    right = left + max(end * scale, _NARROWEST) + 2 * _RADIUS
    colors: dict[str, str] = {}
    body: list[str] = []
    top = float(_MARGIN)
    for title, marks in rows.items():
        marbles = list(_place(marks, left, scale, name))
        middle = top + _ABOVE
        body += _row(title, marks, marbles, middle, left, right, scale, colors)
        right = max([right, *(each.x + each.half + _MARGIN for each in marbles)])
        top = middle + _ABOVE + _LANE * max((each.lane for each in marbles), default=0)
    body += _axis(end, top, left, scale)
    width, height = math.ceil(right + _MARGIN), math.ceil(top + _AXIS)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' role="img" font-family="sans-serif" font-size="13" text-anchor="middle">'
    )
    about = "; ".join(filter(None, rows)) or "a recorded stream"
    background = f'<rect width="{width}" height="{height}" fill="white"/>'
    return "\n".join([head, f"<title>{_escaped(about)}</title>", background, *body, "</svg>", ""])


def _scale(times: list[int]) -> float:
    """The pixels per nanosecond: enough to keep different times apart, as far as there is room."""
    if not times or not times[-1]:
        return 0.0
    gaps = [after - before for before, after in zip([0, *times], times) if after > before]
    wanted = times[-1] / min(gaps) * (2 * _RADIUS + _GAP)
    return max(_NARROWEST, min(wanted, _WIDEST)) / times[-1]


def _place(marks: list[Mark], left: float, scale: float, name: Callable[[Any], str]) -> Iterator[_Marble]:
    """The values of a row, each in the highest lane with room for it."""
    lanes = _Lanes()
    for mark in marks:
        if mark.kind != "value":
            continue
        full = name(mark.value)
        label = _short(full)
        x, half = left + mark.nanoseconds * scale, max(_RADIUS, (_columns(label) * _COLUMN + 12) / 2)
        lane = lanes.take(x - half - _GAP, x + half)
        yield _Marble(x, lane, half, label, f"{full} at {_seconds(mark.nanoseconds)}")


class _Lanes:
    """How far each lane is occupied: the leaves of a tree in which each node has the minimum of its two children."""

    def __init__(self) -> None:
        self._count = 1
        self._least = [0.0, -math.inf]

    def take(self, start: float, end: float) -> int:
        """Occupies the highest lane that is free from `start`, until `end`."""
        if self._least[1] > start:
            self._double()
        node = 1
        while node < self._count:
            node = 2 * node + (self._least[2 * node] > start)
        lane = node - self._count
        self._least[node] = end
        while node > 1:
            node //= 2
            self._least[node] = min(self._least[2 * node : 2 * node + 2])
        return lane

    def _double(self) -> None:
        ends = self._least[self._count :]
        self._count *= 2
        self._least = [0.0] * self._count + ends + [-math.inf] * len(ends)
        for node in range(self._count - 1, 0, -1):
            self._least[node] = min(self._least[2 * node : 2 * node + 2])


def _row(
    title: str, marks: list[Mark], marbles: list[_Marble], y: float, left: float, right: float, scale: float,
    colors: dict[str, str],
) -> Iterator[str]:  # fmt: skip
    ends = [mark for mark in marks if mark.kind != "value"]
    stop = left + ends[0].nanoseconds * scale if ends else right
    yield f'<text class="title" x="{left - _RADIUS - 8:g}" y="{y + 4:g}" text-anchor="end">{_escaped(title)}</text>'
    yield f'<path class="line" d="M{left - _RADIUS:g} {y:g}H{stop:g}" stroke="#444" stroke-width="2"/>'
    if not ends:
        yield f'<path class="arrow" d="M{stop - 8:g} {y - 5:g}l8 5l-8 5" fill="none" stroke="#444" stroke-width="2"/>'
    for mark in ends:
        yield _end(mark, left + mark.nanoseconds * scale, y)
    for x, lane, *_ in marbles:
        if lane:
            yield f'<path class="drop" d="M{x:g} {y:g}v{lane * _LANE}" stroke="#444"/>'
    for each in marbles:
        yield _marble(each, y, colors.setdefault(each.label, _COLORS[len(colors) % len(_COLORS)]))


def _end(mark: Mark, x: float, y: float) -> str:
    """The mark at the end of a line: higher than a marble, which may cover it otherwise."""
    far = _ABOVE - 4
    paths = {
        "finished": (f"M{x:g} {y - far:g}v{2 * far}", "#444", ""),
        "failed": (f"M{x - far:g} {y - far:g}l{2 * far} {2 * far}m0 -{2 * far}l-{2 * far} {2 * far}", "#c00", ""),
        "cancelled": (f"M{x:g} {y - far:g}v{2 * far}", "#444", ' stroke-dasharray="4 3"'),
    }
    path, color, dashes = paths[mark.kind]
    said = f"{mark.kind}: {text_of(mark.value)}" if mark.kind == "failed" else mark.kind
    hint = f"<title>{_escaped(said)} at {_seconds(mark.nanoseconds)}</title>"
    return f'<path class="{mark.kind}" d="{path}" fill="none" stroke="{color}" stroke-width="3"{dashes}>{hint}</path>'


def _marble(marble: _Marble, line: float, color: str) -> str:
    x, lane, half, label, hint = marble
    y = line + lane * _LANE
    return (
        f'<g class="value"><title>{_escaped(hint)}</title>'
        f'<rect x="{x - half:g}" y="{y - _RADIUS:g}" width="{2 * half:g}" height="{2 * _RADIUS}" rx="{_RADIUS}"'
        f' fill="{color}" stroke="#444" stroke-width="1.5"/><text x="{x:g}" y="{y + 5:g}">{_escaped(label)}</text></g>'
    )


def _axis(end: int, top: float, left: float, scale: float) -> Iterator[str]:
    """The time axis, with round steps."""
    if not end:
        return
    rough = end / max(1, min(6, end * scale / 90))
    power = 10 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * 0.999)
    for number in range(math.floor(end / step + 1e-9) + 1):
        x = left + number * step * scale
        yield f'<path class="tick" d="M{x:g} {top:g}v5" stroke="#888"/>'
        yield f'<text class="time" x="{x:g}" y="{top + 19:g}" font-size="11" fill="#666">{_seconds(number * step)}</text>'


def _seconds(nanoseconds: float) -> str:
    for unit, length in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= length or nanoseconds == 0:
            return f"{nanoseconds / length:g} {unit}"
    return f"{nanoseconds:g} ns"


def _columns(text: str) -> int:
    """The width of a text in columns."""
    return sum(2 if east_asian_width(each) in "WF" else 1 for each in text)


def _short(text: str) -> str:
    if _columns(text) <= _LONGEST:
        return text
    end = next(end for end in range(len(text), -1, -1) if _columns(text[:end]) < _LONGEST)
    return text[:end] + "…"


def _escaped(text: str) -> str:
    """The text escaped for XML, without control characters and lone surrogates, which XML does not allow."""
    plain = "".join("\ufffd" if category(each) in ("Cc", "Cs") or each in "\ufffe\uffff" else each for each in text)
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
