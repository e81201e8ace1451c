"""The headers as text: the files that they are made of. Standard library only, for Doxygen's filter reads it too."""

import os
import pathlib
import re

# The fuzzer has headers of its own to try itself on.
FOLDER = pathlib.Path(os.environ.get("STREAMS_TEST_HEADERS") or pathlib.Path(__file__).resolve().parents[1] / "Include")
HEADER = FOLDER / "streams.h"
# What bindings need besides; it includes the other.
HOST_HEADER = FOLDER / "streams_host.h"


def files(*headers):
    """The headers, by default both, each followed by the parts that it includes, in the order of their declarations."""
    found = []

    def add(path):
        if path not in found:
            found.append(path)
            for name in re.findall(r'^#include "(.+)"$', path.read_text(encoding="utf-8"), re.M):
                add(path.parent / name)

    for header in headers or (HEADER, HOST_HEADER):
        add(header)
    return found


def text(*headers):
    """What stands in these files, one after the other. It begins with the rules at the top of streams.h."""
    return "".join(path.read_text(encoding="utf-8") for path in files(*headers))
