"""The public symbols of the modules, from the symbol graphs that the compiler writes."""

import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRATCH = ROOT / ".build-docs"
# What the compiler writes, and the same without what a module only exports again.
WRITTEN = SCRATCH / "symbols"
GRAPHS = SCRATCH / "graphs"
# What Doxygen lists of the headers, with paths of this machine.
TAGS = SCRATCH / "streams.tag"
MODULES = [
    *("Streams", "StreamsDispatch", "StreamsFoundation", "StreamsSchedulers", "StreamsExtras", "StreamsProperty"),
    *("StreamsUI", "StreamsTerminal", "StreamsTesting", "StreamsNATS"),
]

FLAGS = [
    "-emit-symbol-graph",
    "-emit-symbol-graph-dir",
    str(WRITTEN),
    "-symbol-graph-minimum-access-level",
    "public",
    "-symbol-graph-skip-synthesized-members",
    "-emit-extension-block-symbols",
    "-warnings-as-errors",
]


def own(symbol, module):
    """Whether the symbol is declared in the module's sources; what the compiler makes up has no place."""
    return f"/Sources/{module}/" in symbol.get("location", {}).get("uri", "")


def sort_out():
    """Writes each module's own part of its graphs to GRAPHS: a module that exports another lists its symbols too."""
    for module in MODULES:
        folder = GRAPHS / module
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
        for path in sorted(WRITTEN.glob(f"{module}*.symbols.json")):
            if path.name.split(".")[0].split("@")[0] != module:
                continue
            graph = json.loads(path.read_text(encoding="utf-8"))
            kept = {s["identifier"]["precise"] for s in graph["symbols"] if own(s, module)}
            made = {r["source"] for r in graph["relationships"] if r["target"] in kept}
            graph["symbols"] = [
                s
                for s in graph["symbols"]
                if s["identifier"]["precise"] in kept or ("location" not in s and s["identifier"]["precise"] in made)
            ]
            names = {s["identifier"]["precise"] for s in graph["symbols"]}
            graph["relationships"] = [r for r in graph["relationships"] if r["source"] in names]
            for part in ("symbols", "relationships"):  # in an order that does not depend on the compiler's
                graph[part].sort(key=lambda each: json.dumps(each, sort_keys=True))
            # Without a graph of its own, a module that only extends others is not known to docc.
            if graph["symbols"] or path.name == f"{module}.symbols.json":
                (folder / path.name).write_text(json.dumps(graph), encoding="utf-8")


def symbols(module):
    """The module's own symbols."""
    found = {}
    for path in sorted((GRAPHS / module).glob("*.symbols.json")):
        for symbol in json.loads(path.read_text(encoding="utf-8"))["symbols"]:
            if own(symbol, module):
                found.setdefault(symbol["identifier"]["precise"], symbol)
    return list(found.values())


def name(symbol):
    return ".".join(symbol["pathComponents"])


def documentation(symbol):
    """The documentation comment, empty if there is none."""
    return "\n".join(line["text"] for line in symbol.get("docComment", {}).get("lines", [])).strip()


def undocumented(module):
    """The places and names of the symbols without documentation."""
    missing = []
    for symbol in symbols(module):
        if symbol["kind"]["identifier"] != "swift.extension" and not documentation(symbol):
            place = symbol["location"]["uri"].split("/Sources/")[-1]
            missing.append(f"Sources/{place}:{symbol['location']['position']['line'] + 1}: {name(symbol)}")
    return sorted(missing)


def operators():
    """The names of the methods that extensions of Publisher offer, such as `map` and `tryMap`."""
    names = set()
    for symbol in symbols("Streams") + symbols("StreamsFoundation") + symbols("StreamsDispatch"):
        path = symbol["pathComponents"]
        if symbol["kind"]["identifier"] == "swift.method" and len(path) == 2:
            if path[0] in ("Publisher", "ConnectablePublisher") and "/Core/" not in symbol["location"]["uri"]:
                names.add(path[1].split("(")[0])
    return sorted(names)
