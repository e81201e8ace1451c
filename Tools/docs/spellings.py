"""Tables of what everything is called in Swift, C, Python and RxPY, made from the catalogue for the site."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tools"))
import catalogue  # noqa: E402  Tools/catalogue.py

HEAD = "| Swift | C | Python | RxPY |\n|---|---|---|---|\n"


def tables():
    """A table for each guide, with a link to it."""
    rows = {}
    for entry in catalogue.entries(catalogue.read()):
        rows.setdefault(entry.guide, []).append(row(entry))
    return "\n".join(table(guide, each) for guide, each in rows.items())


def table(guide, rows):
    return f"### {guide.replace('-', ' ')}\n\n<doc:{guide}> explains these.\n\n{HEAD}{''.join(rows)}"


def row(entry):
    c = [f"streams_{name}" for name in entry.c]
    rxpy = [entry.said["rxpy"]] if "rxpy" in entry.said else []
    return f"| {' | '.join(cell(names) for names in (entry.swift, c, entry.python, rxpy))} |\n"


def cell(names):
    return ", ".join(f"`{name}`" for name in names) or "–"
