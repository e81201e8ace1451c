"""What there is: the names that sources, bindings, tests and measurements declare, read from their text.

Only the header is read elsewhere, by a compiler: checks/library.py. Standard library only.
"""

import ast
import json
import pathlib
import re

import differential  # Tools/differential.py

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODULES = ["Streams", "StreamsDispatch", "StreamsFoundation", "StreamsSchedulers", "StreamsExtras"]
# Where each file with public API belongs to an entry of the catalogue.
INVENTORIED = [
    *("Streams/Operators", "Streams/Publishers", "Streams/Subjects", "Streams/Subscribers"),
    *("Streams/Schedulers", "Streams/Observation", *MODULES[1:]),
]
PACKAGE = ROOT / "Bindings" / "Python" / "streams"


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


# ---- Swift -------------------------------------------------------------------------------------------------


def swift_files():
    """The text of each Swift file of the modules, without comments, by its name without .swift."""
    paths = [path for module in MODULES for path in sorted((ROOT / "Sources" / module).glob("**/*.swift"))]
    return {path.stem.removesuffix(".generated"): re.sub(r"//.*", "", path.read_text(encoding="utf-8")) for path in paths}


def with_public_api(folders):
    """The names of the files with public API in some folders of Sources."""
    paths = [path for folder in folders for path in sorted((ROOT / "Sources" / folder).glob("**/*.swift"))]
    public = re.compile(r"^\s*(@\w+ +)*public\b", re.MULTILINE)
    return {path.stem.removesuffix(".generated") for path in paths if public.search(path.read_text(encoding="utf-8"))}


def public_names(modules):
    """The names of what is public in some modules, members among them."""
    paths = [path for module in modules for path in sorted((ROOT / "Sources" / module).glob("**/*.swift"))]
    declared = re.compile(
        r"^ *(?:@\w+(?:\([^)]*\))? +|\w+ +)*?public (?:[a-z]+(?:\(set\))? )*?"
        r"(?:func|var|struct|class|enum|protocol|typealias|macro) `?(\w+)",
        re.MULTILINE,
    )
    return {name for path in paths for name in declared.findall(path.read_text(encoding="utf-8"))}


def swift_spellings(text):
    """What extensions in a file offer to everybody: methods, such as scan(_:_:), properties and types."""
    found = set()
    for match in re.finditer(r"^  public (?:static )?func `?(\w+)`?(?:<[^(]*>)?\(", text, re.MULTILINE):
        found.add(f"{match[1]}({labels(text, match.end())})")
    found.update(re.findall(r"^  public var (\w+)", text, re.MULTILINE))
    types = r"^ *(?:@\w+ +)*(?:public (?:final )?(?:struct|class|enum)|extension) ([\w.]+)"
    return found | {name.rpartition(".")[2] for name in re.findall(types, text, re.MULTILINE)}


def labels(text, start):
    """The labels of the parameters that begin at `start`."""
    depth, parts = 0, [""]
    for before, character in zip(text[start - 1 :], text[start:]):
        depth += (character in "([{<") - (character in ")]}>" and before + character != "->")
        if depth < 0:
            break
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return "".join(re.match(r"\s*(?:@\w+ +)*(\w+)", part)[1] + ":" for part in parts if part.strip())


def fits(spelling, pattern):
    """Whether a method is what the catalogue says, where … stands for further parameters without labels."""
    return re.fullmatch(re.escape(pattern).replace("…", "(_:)+"), spelling) is not None


def test_files():
    return {path.name for path in (ROOT / "Tests").glob("*/**/*Tests.swift")}


def tests_of(file):
    """The names that the test file of a source file may have: A+B.swift has A's, B's or both."""
    parts = file.split("+")
    return {f"{part}Tests.swift" for part in ["".join(parts), "".join(reversed(parts)), *parts]}


def rule_entries():
    """The names of the entries of the rule kit."""
    files = sorted((ROOT / "Tests" / "StreamsTests" / "Rules").glob("Entries+*.swift"))
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    return re.findall(r'\bEntry\(\s*"([^"]*)"', text)


def differential_cases():
    """The operators of the differential test, but for the pairs of them."""
    text = read("Tests/Differential/Sources/Plan/Operators.swift")
    enums = dict(re.findall(r"^public enum (\w+)[^\n]*\{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL))
    families = set(re.findall(r"^  case \w+\((\w+)\)", enums["Operator"], re.MULTILINE)) - {"Step"}
    others = {name for family in families for name in re.findall(r"^  case (\w+)", enums[family], re.MULTILINE)}
    return others | differential.names()


# ---- Python ------------------------------------------------------------------------------------------------


def python_names():
    """The names that the package exports, with the parameters of those that are called."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}
    exported = next(
        ast.literal_eval(node.value)
        for node in trees[PACKAGE / "__init__.py"].body
        if isinstance(node, ast.Assign) and node.targets[0].id == "__all__"
    )
    found = dict.fromkeys(exported, [])
    for tree in trees.values():
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name in found:
                found[node.name] = parameters(node)
            elif isinstance(node, ast.ClassDef) and node.name in found:
                methods = members(node)
                found[node.name] = methods.get("__init__", methods.get("__new__", []))
    return found


def python_methods():
    """The public methods of Publisher, of what it derives from, and of Connectable, with their parameters."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))]
    classes = {node.name: node for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)}
    families = [each.value.id for each in classes["Families"].bases]
    found = {}
    for name in ("Publisher", "Connectable", *families):
        found |= members(classes[name])
    return {name: names for name, names in found.items() if not name.startswith("_")}


def members(node):
    """The methods of a class, and what are other names for them. Of overloads the last one counts."""
    found = {}
    for each in node.body:
        if isinstance(each, ast.FunctionDef):
            found[each.name] = parameters(each)[1:]
        elif isinstance(each, ast.Assign) and isinstance(each.value, ast.Name) and each.value.id in found:
            found[each.targets[0].id] = found[each.value.id]
    return found


def parameters(node):
    names = [each.arg for each in [*node.args.posonlyargs, *node.args.args]]
    names += [f"*{node.args.vararg.arg}"] if node.args.vararg else []
    return names + [each.arg for each in node.args.kwonlyargs]


def listed_symbols():
    """The methods of Publisher that the references list, without what tells those of one name apart."""
    text = read("Sources/Streams/Streams.docc/Symbols/Publisher.md")
    text += read("Sources/StreamsExtras/StreamsExtras.docc/StreamsExtras.md").replace("Streams/Publisher/", "")
    return {re.sub(r"-\w+$", "", each) for each in re.findall(r"^- ``(.*)``$", text, re.MULTILINE)}


# ---- C -----------------------------------------------------------------------------------------------------

SCALARS = {"bool": "flag", "int64_t": "count", "uint64_t": "demand", "char *": "text"}
SCALARS["streams_nanoseconds"] = "time"


def c_parameters(declared):
    """A function's parameters in the catalogue's words, from their names and types: (name, shape).

    Left out are the publisher that an operator is applied to, and what goes with another parameter: the number
    of elements of an array, and a callback's context and destroy.
    """
    found = []
    for index, (name, kind) in enumerate(declared):
        kind = kind.replace("const ", "").replace("*const", "*")
        following = declared[index + 1][1] if index + 1 < len(declared) else ""
        is_upstream = index == 0 and kind in ("streams_publisher *", "streams_connectable *")
        if is_upstream or kind == "size_t" or name in ("context", "destroy"):
            continue
        shape = SCALARS.get(kind) or re.sub(r"^streams_|_fn$|[ *]+$", "", kind)
        found.append((name, shape + "s" if following == "size_t" else shape))
    return found


# ---- tests and measurements --------------------------------------------------------------------------------


def allocation_rows():
    return {row for rows in json.loads(read("Tests/Allocations/thresholds.json")).values() for row in rows}


def benchmark_rows():
    """The rows of the benchmarks in Swift: those of the two others are fewer, and of the same pipelines."""
    text = read("Benchmarks/Swift/Sources/bench/Row.swift")
    return set(re.findall(r'^  case \w+ = "([^"]*)"', text, re.MULTILINE))
