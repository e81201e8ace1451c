"""Writes the page streams(3) of the manual from the comment at the top of streams.h: its example, rules and contents.

    python3 Tools/man_page.py VERSION > streams.3

Standard library only: `make install` runs it.
"""

import re
import sys

sys.dont_write_bytecode = True
import header_text  # noqa: E402  Tools/header_text.py

BEGINNING = r""".TH STREAMS 3 "" "Streams {version}" "Library Functions Manual"
.SH NAME
streams \- {summary}
.SH SYNOPSIS
.nf
.B #include <streams.h>
.PP
.BI "cc " program.c " $(pkg\-config \-\-cflags \-\-libs streams)"
.fi
.SH DESCRIPTION
"""
END = r""".SH SEE ALSO
The headers in the folder
.I streams
describe each function;
.BR pkg\-config (1),
.BR cmake (1)
"""


def escaped(text):
    """Text in which roff finds no commands."""
    return re.sub(r"^([.'])", r"\\&\1", text.replace("\\", r"\e").replace("-", r"\-"), flags=re.M)


def block(text, inside):
    """A paragraph of the comment, and whether it belongs to a rule."""
    if text.startswith("    "):
        return f".PP\n.RS {8 if inside else 4}\n.nf\n{escaped(re.sub('^    ', '', text, flags=re.M))}\n.fi\n.RE\n", inside
    rule = re.match(r"(\d\.) (.*)", text, re.S)
    if rule:
        return f".TP 4\n.B {rule[1]}\n{escaped(unindented(rule[2]))}\n", True
    section = re.match(r"([A-Z]{4,})\. (.*)", text, re.S)
    if section:
        return f".SH {section[1]}\n{escaped(section[2])}\n", False
    if re.search(r"\brules hold\b", text):
        return f".SH RULES\n{escaped(text)}\n", False
    inside = inside and text.startswith("   ")
    start = '.IP "" 4' if inside else ".PP"
    return f"{start}\n{escaped(unindented(text))}\n", inside


def unindented(text):
    return re.sub(r"^ +", "", text, flags=re.M)


def page(version):
    lines = [line[3:].rstrip() for line in header_text.rules().splitlines()[1:-1]]
    summary = re.match(r"streams\.h - (.*)\.$", lines[0])[1]
    text, inside = BEGINNING.format(version=version, summary=escaped(summary)), False
    for paragraph in "\n".join(lines[1:]).strip("\n").split("\n\n"):
        done, inside = block(paragraph, inside)
        text += done
    return text + END


if __name__ == "__main__":
    sys.stdout.write(page(*sys.argv[1:]))
