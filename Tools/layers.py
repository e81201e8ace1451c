"""Looks for circles among modules: no two may need each other, not even for the sake of types.

    python3 Tools/layers.py

Prints what it has found of each language; the exit status is 1 if there is a circle. Standard library only.
"""

import ast
import pathlib
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


LANGUAGES = {"Python": python}


def main():
    failed = False
    for language, look in LANGUAGES.items():
        count, found = look()
        failed = failed or bool(found)
        print(f"{language}: {count} modules, {len(found)} circles", *found, sep="\n  ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
