"""Holds the marks STREAMS_CONSUMES in the headers to what the functions' comments say that they consume."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import header  # noqa: E402


def wrong():
    """The functions, with the parameters that are marked and not consumed, or the other way round."""
    found = header.Header()
    for node in found.functions:
        said = " ".join(re.findall(r"consumes ([^;:.]*)", found.section(node.name, "Ownership")))
        names = [each.name for each in found.reader.parameters(node.type)]
        consumed = {name for name in names if re.search(rf"\b{name}\b", said)}
        if said.startswith("every publisher in the array"):
            consumed = {"publishers"}
        declaration = re.search(rf"STREAMS_API [^;{{]*?\b{node.name}\(([^;]*)\);", found.text)[1]
        marked = {part.split("*")[-1].strip() for part in declaration.split(",") if "STREAMS_CONSUMES" in part}
        if marked != consumed:
            yield f"{node.name}: {' '.join(sorted(marked ^ consumed))}"


if __name__ == "__main__":
    sys.exit("\n".join(wrong()) or None)
