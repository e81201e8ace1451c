"""Writes the reference of the Python package with pdoc.

    python Tools/docs/python_reference.py FOLDER

Every warning is an error. Needs pdoc, and a library for the package to load.
"""

import contextlib
import importlib
import pathlib
import sys
import typing
import warnings

import pdoc
import streams
from streams._program import types
from streams._schedulers import schedulers


def with_inherited(documented):
    """The operators come from families of their own, which are private; they are shown where they are called."""
    return list(documented.members.values())


def modules():
    """What is shown: streams.nats only where its library is."""
    found = [streams, streams.debug]
    with contextlib.suppress(ImportError):
        found.append(importlib.import_module("streams.nats"))
    return found


if __name__ == "__main__":
    warnings.simplefilter("error")
    # What is private is not shown.
    warnings.filterwarnings("ignore", r".*\bstreams(\.\w+)+\._\w+")
    pdoc.doc.Class.own_members = property(with_inherited)
    # Annotations are evaluated in the module that shows what they stand at.
    for shown in modules():
        for module in (typing, types, schedulers, streams):
            vars(shown).update((name, each) for name, each in vars(module).items() if name not in vars(shown))
    pdoc.render.configure(show_source=False, search=True)
    # streams.debug is a part of streams.
    pdoc.pdoc(
        *(each.__name__ for each in modules() if each is not streams.debug), output_directory=pathlib.Path(sys.argv[1])
    )
