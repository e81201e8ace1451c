"""Writes a C header with its plain comments as Doxygen reads them; Doxygen's INPUT_FILTER.

    python3 Tools/docs/doxygen_filter.py HEADER

The comment at the top becomes the main page, or a file's page, each section a group, and "Ownership:" and the like become
headings; what the top of streams.h says of all functions stands at each. Lines stay where they are, so that a warning of
Doxygen's names the right one. Standard library only.
"""

import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import header_text  # noqa: E402  Tools/header_text.py

# A comment over "====" and what ends it.
SECTION = re.compile(r"^/\* =+\n \* (.+)\n((?: \*.*\n)*?) \* =+ \*/$", re.MULTILINE)
HEADING = re.compile(rf"^( \*) {header_text.SECTION}", re.MULTILINE)


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


def complete(found):
    """A function's comment with the sections that it need not have, at the ends of lines that it has."""
    lines = found[1].split("\n")
    begins = {HEADING.match(line)[2]: number for number, line in enumerate(lines) if HEADING.match(line)}
    for section, default in header_text.defaults(found[2]).items():
        if section not in begins:
            later = header_text.SECTIONS[header_text.SECTIONS.index(section) :]
            end = min([begins[name] for name in later if name in begins] + [len(lines) - 1])
            lines[end - 1] += f" @{section.lower()} {default}"
    return found[0].replace(found[1], "\n".join(lines), 1)


def headings(text):
    return HEADING.sub(lambda found: f"{found[1]} @{found[2].lower()} ", text)


if __name__ == "__main__":
    path = pathlib.Path(sys.argv[1])
    sys.stdout.reconfigure(encoding="utf-8")
    text = header_text.FUNCTION.sub(complete, path.read_text(encoding="utf-8"))
    sys.stdout.write(headings(comments(groups(page(text)))))
