"""A recorded run as a page: see `python -m streams view`."""

from __future__ import annotations

import json
import os
from typing import Any

# What the page draws, in the order of its own list; a call of send is only part of the chain of calls.
_KINDS = ("value", "completion", "failure", "cancel", "dropped", "request", "subscribe", "send")


def view(source: str, target: str) -> None:
    """Makes a page of a trace file."""
    with open(source, encoding="utf-8", errors="replace") as file:
        text = file.read()
    try:
        made = page(events_of(text), os.path.basename(source))
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        raise ValueError("this is not a trace file") from None  # other JSON, or none
    with open(target, "w", encoding="utf-8") as file:
        file.write(made)


def events_of(text: str) -> list[dict[str, Any]]:
    """The events of a trace file, also of one that a killed program has left."""
    try:
        found = json.loads(text)
    except json.JSONDecodeError:
        try:
            found = json.loads(text + "]")
        except json.JSONDecodeError:  # the last event is not complete
            found = json.loads(text.rpartition(",\n")[0] + "]")
    events = _listed(found)
    if not all(each["ph"] for each in events):
        raise ValueError("an event of no phase")
    return events


def _listed(found: Any) -> list[dict[str, Any]]:
    """The events of either form of the format: an array, or an object with one."""
    try:
        return list(found["traceEvents"])
    except TypeError:  # as an array has no names
        return list(found)


def page(events: list[dict[str, Any]], title: str) -> str:
    """One file of HTML without references to others."""
    with open(os.path.join(os.path.dirname(__file__), "page.html"), encoding="utf-8") as file:
        template = file.read()
    data = json.dumps({"title": title, **_Run(events).data()}, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return template.replace("/*DATA*/", data.replace("<", "\\u003c"))


class _Run:
    """The rows of a run, one for each publisher in a stream, and its events, a list for each of their parts."""

    def __init__(self, events: list[dict[str, Any]]) -> None:
        self._tracks = {each["tid"]: each["args"] for each in events if each["ph"] == "M" and each["name"] == "thread_name"}
        self._rows: dict[int, dict[str, Any]] = {}
        self._texts: dict[str, int] = {}
        self._events: list[tuple[int, float, int, int, int, int]] = []
        self._calls: dict[int, list[int]] = {}  # of each thread, the events that have begun and not ended
        times = [each["ts"] for each in events if "ts" in each]
        self._begin = min(times, default=0.0)
        self._end = max(times, default=0.0) - self._begin
        for event in events:
            if event["ph"] in "BEi":
                self._take(event)

    def _take(self, event: dict[str, Any]) -> None:
        track = self._tracks.get(event["tid"], {})
        thread = track.get("thread", 0)
        calls = self._calls.setdefault(thread, [])
        if event["ph"] == "E":
            if calls:
                calls.pop()
            return
        kind, given = event.get("cat", ""), event.get("args", {})
        number = given.get("stream", 0)
        if number and number not in self._rows:
            self._rows[number] = {
                "name": track.get("name", "?"), "place": track.get("place", ""), "of": given.get("of", 0),
                "begin": event["ts"] - self._begin, "end": None,
            }  # fmt: skip
        text = str(event["name"] if kind not in ("value", "failure") else given.get("text", event["name"]))
        name = track.get("name", "?")
        if event["ph"] == "B":
            calls.append(len(self._events))
        elif kind != "dropped":  # the instants of a cancellation and a failure repeat the call
            return
        parent = calls[-1 if event["ph"] == "i" else -2] if len(calls) > (event["ph"] == "B") else -1
        said = text if number else f"{text} ({name})"
        time = round(event["ts"] - self._begin, 3)
        code = _KINDS.index(kind) if kind in _KINDS else len(_KINDS) - 1
        self._events.append((number, time, code, self._texts.setdefault(said, len(self._texts)), parent, thread))
        if number and kind in ("completion", "failure", "cancel"):
            self._rows[number]["end"] = time

    def data(self) -> dict[str, Any]:
        order = self._ordered()
        places = {number: index for index, (number, _) in enumerate(order)}
        rows = [
            {**self._rows[number], "of": places.get(self._rows[number]["of"], -1), "depth": depth} for number, depth in order
        ]
        names = ("row", "time", "kind", "text", "parent", "thread")
        columns = {name: [each[index] for each in self._events] for index, name in enumerate(names)}
        columns["row"] = [places.get(each[0], -1) for each in self._events]
        return {"rows": rows, "events": columns, "texts": list(self._texts), "end": self._end}

    def _ordered(self) -> list[tuple[int, int]]:
        """The numbers of the rows and their depths, each stream before those that serve it."""
        serving: dict[int, list[int]] = {}
        for number, row in sorted(self._rows.items()):
            serving.setdefault(row["of"] if row["of"] in self._rows else 0, []).append(number)
        order: list[tuple[int, int]] = []
        left = [(number, 0) for number in reversed(serving.get(0, []))]
        while left:
            number, depth = left.pop()
            order.append((number, depth))
            left += [(each, depth + 1) for each in reversed(serving.get(number, []))]
        return order
