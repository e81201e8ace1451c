"""Writes the reference of the Python package with pdoc.

    python Tools/docs/python_reference.py FOLDER

Every warning is an error. Needs pdoc, and a library for the package to load.
"""

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


if __name__ == "__main__":
    warnings.simplefilter("error")
    # What is private is not shown.
    warnings.filterwarnings("ignore", r".*\bstreams\.\w+\._\w+")
    pdoc.doc.Class.own_members = property(with_inherited)
    # Annotations are evaluated in the module that shows what they stand at.
    for shown in (streams, streams.debug):
        for module in (typing, types, schedulers, streams):
            vars(shown).update((name, each) for name, each in vars(module).items() if name not in vars(shown))
    pdoc.render.configure(show_source=False, search=True)
    pdoc.pdoc("streams", output_directory=pathlib.Path(sys.argv[1]))
