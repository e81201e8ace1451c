"""The headers as text: the files that they are made of, and what their comments say of functions.

Standard library only: Doxygen's filter runs it too.
"""

import os
import pathlib
import re

# The fuzzer has headers of its own to try itself on.
FOLDER = pathlib.Path(os.environ.get("STREAMS_TEST_HEADERS") or pathlib.Path(__file__).parents[1] / "Include").resolve()
HEADER = FOLDER / "streams.h"
# What bindings need besides; it includes the other.
HOST_HEADER = FOLDER / "streams_host.h"
# What a library of its own offers, which stands on the first.
NATS_HEADER = FOLDER / "streams_nats.h"

# What a comment says of a function, in this order.
SECTIONS = ["Ownership", "Threads", "Errors", "Since"]
SECTION = "(" + "|".join(SECTIONS) + "): "
# A function's comment, and its declaration.
FUNCTION = re.compile(r"/\*((?:(?!\*/).)*?)\*/\s*STREAMS_API ([^;]*);", re.S)


def files(*headers):
    """Both headers of libstreams.so, or those that are named, each followed by the parts that it includes, in the order of
    their declarations. A library's header that stands on streams.h does not have it for a part."""
    found = []
    others = () if not headers or HEADER in headers else (HEADER,)

    def add(path):
        if path not in found and path not in others:
            found.append(path)
            for name in re.findall(r'^#include "(.+)"$', path.read_text(encoding="utf-8"), re.M):
                add((path.parent / name).resolve())

    for header in headers or (HEADER, HOST_HEADER):
        add(header)
    return found


def text(*headers):
    """What stands in these files, one after the other."""
    return "".join(path.read_text(encoding="utf-8") for path in files(*headers))


def rules():
    """The comment at the top of streams.h."""
    return re.match(r"/\*.*?\*/", HEADER.read_text(encoding="utf-8"), re.S)[0]


def plain(comment):
    """What a comment says, on one line."""
    return " ".join(re.sub(r"\n \*", "\n", comment).split())


def common_errors():
    """What the comments call "the common ones"."""
    return re.search(r"The common ones are (STREAMS_.*?)\. ", plain(rules()))[1] + "."


def defaults(declaration):
    """The sections that a function's comment need not have: what the top of streams.h says of them."""
    found = dict(re.findall(rf"^ \*     {SECTION}(.*)$", rules(), re.M))
    # Others have no errors in common.
    if not re.match(r"streams_\w+ \*streams_\w+\(.*STREAMS_CONSUMES", declaration, re.S):
        del found["Errors"]
    return found


def comments():
    """The sections of each function's comment, by its name, without those that it need not have."""
    found = {}
    for comment, declaration in FUNCTION.findall(text()):
        parts = re.split(f" {SECTION}", " " + plain(comment))
        found[re.search(r"(streams_\w+)\(", declaration)[1]] = (
            declaration, {"Text": parts[0], **dict(zip(parts[1::2], parts[2::2]))}
        )  # fmt: skip
    return found


def facts():
    """The sections that hold for each function, by its name."""
    found = {}
    for name, (declaration, said) in comments().items():
        held = {**defaults(declaration), **said}
        found[name] = {section: held[section] for section in ["Text", *SECTIONS] if section in held}
    return found


def repetitions():
    """The functions whose comments say what holds anyway."""
    for name, (declaration, said) in comments().items():
        for section, default in defaults(declaration).items():
            if said.get(section) == default:
                yield f"{name}: {section}"
