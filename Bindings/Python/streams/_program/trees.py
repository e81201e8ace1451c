"""Pipelines as indented trees, for debugging."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from .chains import Step

_LINES, _DEPTH = 1000, 100  # how many lines of a tree are shown, and how deep


class Node(NamedTuple):
    """A source or an operator, as a walk from the end of the pipeline finds it."""

    step: Step
    depth: int
    parent: Step | None
    seen: bool  # whether it and its upstream have been visited before


def walk(end: Step) -> Iterator[Node]:
    """All publishers of a pipeline, each before its upstream publishers."""
    left: list[tuple[Step, int, Any]] = [(end, 0, None)]
    seen: dict[int, Step] = {}
    while left:
        step, depth, parent = left.pop()
        again = id(step) in seen
        seen[id(step)] = step
        yield Node(step, depth, parent, again)
        if not again:
            left += [(each, depth + 1, step) for each in reversed(step.made_of())]


def tree(end: Step) -> str:
    """The pipeline as an indented tree."""
    lines: list[str] = []
    for step, depth, _, seen in walk(end):
        if len(lines) == _LINES:
            lines.append("…")
            break
        if depth <= _DEPTH:
            text = "…" if depth == _DEPTH else step.labeled()
            lines.append("  " * depth + text + (" (see above)" if seen and step.made_of() else ""))
    return "\n".join(lines)
