"""Pipelines as graphs, for debugging."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .._operators.publisher import Publisher
from .._program.chains import Step
from .._program.trees import walk


def to_dot(publisher: Publisher[Any]) -> str:
    """The pipeline as a graph in the language of Graphviz, in which values go along the arrows. A publisher that is used
    more than once is one node.

    >>> print(streams.debug.to_dot(Just(1).map(str)))
    digraph {
        rankdir=LR
        node [shape=box, style=rounded, fontname="sans-serif"]
        n0 [label="map(str)", tooltip="app.py:1, in <module>"]
        n1 [label="Just(1)", tooltip="app.py:1, in <module>"]
        n1 -> n0
    }
    """
    lines = ["digraph {", "    rankdir=LR", '    node [shape=box, style=rounded, fontname="sans-serif"]']
    for number, source, step in _graph(publisher):
        if step is not None:
            place = f", tooltip={_dot_text(str(step.place))}" if step.place else ""
            lines.append(f"    n{number} [label={_dot_text(step.labeled())}{place}]")
        if source is not None:
            lines.append(f"    n{number} -> n{source}")
    return "\n".join([*lines, "}"])


def to_mermaid(publisher: Publisher[Any]) -> str:
    """The pipeline as a flowchart in the language of Mermaid, which many Markdown viewers draw.

    >>> print(streams.debug.to_mermaid(Just(1).map(str)))
    flowchart LR
        n0["map(str)"]
        n1["Just(1)"]
        n1 --> n0
    """
    lines = ["flowchart LR"]
    for number, source, step in _graph(publisher):
        if step is not None:
            lines.append(f'    n{number}["{_mermaid_text(step.labeled())}"]')
        if source is not None:
            lines.append(f"    n{number} --> n{source}")
    return "\n".join(lines)


def _graph(publisher: Publisher[Any]) -> Iterator[tuple[int, int | None, Step | None]]:
    """The number of each publisher, the number of the one that gets its values, and its step if it is new."""
    if not isinstance(publisher, Publisher) or publisher._step is None:
        raise TypeError(f"publisher must be a Publisher, not {type(publisher).__name__}")
    numbers: dict[int, int] = {}
    for step, _, parent, seen in walk(publisher._step):
        number = numbers.setdefault(id(step), len(numbers))
        yield number, None if parent is None else numbers[id(parent)], None if seen else step


def _dot_text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _mermaid_text(text: str) -> str:
    return "".join(f"#{ord(each)};" if each in '#"<>&\\`\n' else each for each in text)
