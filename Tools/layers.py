"""Looks for circles among modules of Python, and among folders of Swift: no two may need each other.

    python3 Tools/layers.py

Prints what it has found of each language; the exit status is 1 if there is a circle. Standard library only.
"""

import ast
import pathlib
import re
import sys
from collections import deque

ROOT = pathlib.Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "Bindings" / "Python" / "streams"
# The one exception: this class is composed of the modules beside it, whose signatures name it. They import it for type
# checkers only.
COMPOSED = "streams._operators.publisher"


def python():
    """How many modules the package has, and the circles among them and among the packages in it."""
    modules = {name_of(path): path for path in PACKAGE.rglob("*.py")}
    graph = {name: needs(name, path, modules) for name, path in modules.items()}
    packages = {}
    for name, needed in graph.items():
        package = package_of(name, modules)
        others = {package_of(other, modules) for other in needed} - {package}
        packages.setdefault(package, set()).update(others)
    return len(modules), [*circles(graph), *circles(packages)]


def name_of(path):
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def package_of(name, modules):
    """The package that a module is in. Those in the outermost one stand for themselves."""
    outer = name.rpartition(".")[0]
    return name if modules[name].name == "__init__.py" or modules[name].parent == PACKAGE else outer


def needs(name, path, modules):
    """The modules of the package that a module imports, wherever it does so."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    outer = name if path.name == "__init__.py" else name.rpartition(".")[0]
    types = {id(each) for branch in ast.walk(tree) if for_types(branch) for part in branch.body for each in ast.walk(part)}
    found = set()
    for node in ast.walk(tree):
        imported = set(imports(node, outer.split("."), modules)) - {name}
        if id(node) in types and outer == COMPOSED.rpartition(".")[0]:
            imported.discard(COMPOSED)
        found |= imported
    return found


def for_types(node):
    return isinstance(node, ast.If) and ast.unparse(node.test).rpartition(".")[2] == "TYPE_CHECKING"


def imports(node, package, modules):
    """The modules that a statement imports, which stands in a package."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name in modules)
    elif isinstance(node, ast.ImportFrom):
        start = package[: len(package) - node.level + 1] if node.level else []
        whole = ".".join([*start, *([node.module] if node.module else [])])
        if whole in modules:
            for alias in node.names:
                inner = f"{whole}.{alias.name}"
                yield inner if inner in modules else whole


ABI = ROOT / "Sources" / "StreamsABI"
# Files of a folder may need each other, so many of them.
CIRCLE_LIMIT = 10
# Names that types of many files nest: they do not tell which is meant.
NESTED = {"Action", "Body", "Context", "Failure", "Input", "Output", "Phase", "State", "Step"}


def swift():
    """How many files StreamsABI has, the circles among its folders, and those of too many files."""
    texts = {path: re.sub(r"//.*", "", path.read_text(encoding="utf-8")) for path in sorted(ABI.rglob("*.swift"))}
    graph = swift_needs(texts)
    folders = {}
    for path, needed in graph.items():
        others = {other.parent.name for other in needed} - {path.parent.name}
        folders.setdefault(path.parent.name, set()).update(others)
    large = [group for group in groups(graph) if len(group) > CIRCLE_LIMIT]
    named = [f"{len(group)} files: " + " ".join(sorted(path.stem for path in group)) for group in large]
    return len(texts), [*circles(folders), *named]


def swift_needs(texts):
    """Which files name a type that only another one declares."""
    declared = {}
    for path, text in texts.items():
        for name in re.findall(r"\b(?:class|struct|enum|protocol|typealias)\s+([A-Z]\w*)", text):
            declared.setdefault(name, set()).add(path)
    places = {name: next(iter(paths)) for name, paths in declared.items() if len(paths) == 1 and name not in NESTED}
    words = {path: set(re.findall(r"\b[A-Z]\w+", text)) for path, text in texts.items()}
    return {path: {places[word] for word in found & places.keys()} - {path} for path, found in words.items()}


def groups(graph):
    """The sets of nodes that can all be reached from each other."""
    reached = {start: reachable(graph, start) for start in graph}
    found = {frozenset(other for other in reached[start] if start in reached[other]) for start in graph}
    return [group for group in found if len(group) > 1]


def reachable(graph, start):
    seen, waiting = set(), [start]
    while waiting:
        for other in graph[waiting.pop()] - seen:
            seen.add(other)
            waiting.append(other)
    return seen


def circles(graph):
    """A shortest circle through each module that is in one, as text; each circle once."""
    found = {}
    for start in sorted(graph):
        before, waiting = {start: None}, deque([start])
        while waiting:
            each = waiting.popleft()
            if start in graph[each]:
                way = [start]
                while each is not None:
                    way.append(each)
                    each = before[each]
                found.setdefault(frozenset(way), " -> ".join(reversed(way)))
                break
            for other in sorted(graph[each]):
                if other not in before:
                    before[other] = each
                    waiting.append(other)
    return list(found.values())


LANGUAGES = {"Python": python, "Swift": swift}


def main():
    failed = False
    for language, look in LANGUAGES.items():
        count, found = look()
        failed = failed or bool(found)
        print(f"{language}: {count} files, {len(found)} circles", *found, sep="\n  ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
