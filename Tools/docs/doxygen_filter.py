"""Writes a C header with its plain comments as Doxygen reads them; Doxygen's INPUT_FILTER.

    python3 Tools/docs/doxygen_filter.py HEADER

The comment at the top becomes the main page, or a file's page, each section a group, and "Ownership:" and the like become
headings. Lines stay where they are, so that a warning of Doxygen's names the right one. Standard library only.
"""

import pathlib
import re
import sys

# A comment over "====" and what ends it.
SECTION = re.compile(r"^/\* =+\n \* (.+)\n((?: \*.*\n)*?) \* =+ \*/$", re.MULTILINE)
HEADING = re.compile(r"^( \*) (Ownership|Threads|Errors|Since): ", re.MULTILINE)


def page(text):
    """The comment at the top, whose first line is the file's name and what it is."""

    def kind(found):
        return f"/** {'@mainpage' if found[1] == 'streams.h' else '@file'} {found[1]}\n * {found[2]}"

    return re.sub(r"\A/\*\n \* ([\w/]+\.h) - (.*)", kind, text)


def group(found):
    """A section begins a group, which ends the one before."""
    name = re.sub(r"\W+", "_", found[1].partition(":")[0].lower())
    return f"/** @}} */ /** @defgroup {name} {found[1]}\n *\n{found[2]} * @{{ */"


def groups(text):
    text, count = SECTION.subn(group, text)
    text = text.replace("/** @} */ ", "", 1)
    return re.sub(r"\n(#endif.*)\n\Z", r"\n\1 /** @} */\n", text) if count else text


def comments(text):
    """Comments on lines of their own belong to what follows, others to what they stand behind."""
    text = re.sub(r"^( *)/\*(?=\s)", r"\1/**", text, flags=re.MULTILINE)
    return re.sub(r"^( +[^\s/#].*[;,\w] +)/\* ", r"\1/**< ", text, flags=re.MULTILINE)


def headings(text):
    return HEADING.sub(lambda found: f"{found[1]} @{found[2].lower()} ", text)


if __name__ == "__main__":
    path = pathlib.Path(sys.argv[1])
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(headings(comments(groups(page(path.read_text(encoding="utf-8"))))))
