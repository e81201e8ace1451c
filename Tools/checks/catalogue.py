"""The suite of the catalogue: what it names is there, and what is there is named. It builds nothing."""

import collections
import copy
import dataclasses
import json
import re
import sys

import catalogue  # Tools/catalogue.py
import inventory  # Tools/inventory.py

from .library import declared_functions
from .settings import ROOT

sys.path.insert(0, str(ROOT / "Tools" / "docs"))
import guides  # noqa: E402  Tools/docs/guides.py


@dataclasses.dataclass
class Inventory:
    """What there is, by the names that the catalogue uses."""

    swift: dict  # the spellings of each file
    swift_public: set  # the files that need an entry
    swift_operators: set  # the files whose methods need one
    tests: set
    c: dict  # the parameters of each function, without streams_
    python_names: dict
    python_methods: dict
    rules: list
    differential: set
    allocations: set
    benchmarks: set
    guides: dict
    symbols: set  # the methods that the pages of the reference list


def take(functions):
    """The inventory of this tree; the functions are those of the header."""
    return Inventory(
        swift={file: inventory.swift_spellings(text) for file, text in inventory.swift_files().items()},
        swift_public=inventory.with_public_api(inventory.INVENTORIED),
        swift_operators=inventory.with_public_api(["Streams/Operators"]),
        tests=inventory.test_files(),
        c={name[len("streams_") :]: inventory.c_parameters(each) for name, each in functions.items()},
        python_names=inventory.python_names(),
        python_methods=inventory.python_methods(),
        rules=inventory.rule_entries(),
        differential=inventory.differential_cases(),
        allocations=inventory.allocation_rows(),
        benchmarks=inventory.benchmark_rows(),
        symbols=inventory.listed_symbols(),
        guides={path.stem: guides.code(path) for path in guides.articles() if path.parent.name != "Symbols"},
    )


class Comparison:
    """Compares the catalogue with the inventory, in both directions; complaints are kept by their subject."""

    def __init__(self, data, there):
        self.data, self.there = data, there
        self.entries = catalogue.entries(data)
        self.subjects = [f"entry {entry.name}" for entry in self.entries]
        self.complaints = collections.defaultdict(list)
        for entry in self.entries:
            self.check_entry(entry)
        self.check_swift_files()
        self.check_swift_methods()
        self.check_rules()
        python = [each.split("(")[0] for entry in self.entries for each in entry.python]
        self.check_named("function of the header", there.c, self.of("c"), "c functions", once=True)
        self.check_named("method of Python's Publisher", there.python_methods, python)
        self.check_named("name of the Python package", there.python_names, python, "python names")
        self.check_python_parameters()
        self.check_cases()
        self.check_state_cases()
        differential = self.of("differential")
        self.check_named("differential case", there.differential, differential, "differential cases")

    def of(self, key):
        return [each for entry in self.entries for each in getattr(entry, key)]

    def found(self, subject, complaint):
        self.complaints[subject].append(complaint)

    # ---- what entries name is there ----

    def check_entry(self, entry):
        there, subject = self.there, f"entry {entry.name}"

        def known(what, names, known):
            for each in [name for name in names if name not in known]:
                self.found(subject, f"names the {what} {each}, which does not exist")

        known("kind", [entry.kind], catalogue.KINDS)
        known("key", entry.said, catalogue.KEYS)
        known("language", entry.without, catalogue.REASONED)
        known("guide", [entry.guide], there.guides)
        known("file", entry.files, there.swift)
        known("C function", entry.c, there.c)
        known("differential case", entry.differential, there.differential)
        known("allocation row", entry.allocations, there.allocations)
        known("benchmark row", entry.benchmarks, there.benchmarks)
        if "swift" not in entry.without:
            self.check_swift(entry, subject)
        if entry.c and entry.c[0] in there.c and entry.parameters != there.c[entry.c[0]]:
            self.found(subject, f"has not the parameters of its C function: {there.c[entry.c[0]]}")
        for each in entry.without:
            if each in entry.said:
                self.found(subject, f"says why it is without {each}, and names {entry.said[each]}")

    def check_swift(self, entry, subject):
        if not entry.swift:
            self.found(subject, "has no Swift spelling, and does not say why")
        spellings = {each for file in entry.files for each in self.there.swift.get(file, ())}
        for pattern in entry.swift:
            if not any(inventory.fits(each, pattern.rpartition(".")[2]) for each in spellings):
                where = ", ".join(entry.files)
                self.found(subject, f"names the Swift spelling {pattern}, which is not in {where}")
            on_publisher = entry.kind == "operator" and "." not in pattern
            if on_publisher and not any(inventory.fits(each, pattern) for each in self.there.symbols):
                self.found(subject, f"has no line for {pattern} in Symbols/Publisher.md or StreamsExtras.md")
        for file in entry.files[:1]:
            if not inventory.tests_of(file) & self.there.tests:
                self.found(subject, f"has no test file {file}Tests.swift")
        name = entry.swift[0].split("(")[0].rpartition(".")[2] if entry.swift else ""
        if name not in self.there.guides.get(entry.guide, name):
            self.found(subject, f"is not in the guide {entry.guide}")

    # ---- what is there is named ----

    def check_named(self, what, there, named, group=None, once=False):
        """Each of what is there is named by an entry or in the group, and the group names nothing else."""
        grouped = catalogue.group(self.data, group) if group else []
        for name in there:
            self.subjects.append(f"{what} {name}")
            times = named.count(name) + grouped.count(name)
            if times == 0:
                neither = " and in no group" if group else ""
                self.found(f"{what} {name}", f"is in no entry of the catalogue{neither}")
            elif times > 1 and (once or name in grouped):
                self.found(f"{what} {name}", f"is named {times} times")
        for name in sorted(set(grouped) - set(there)):
            self.found(f"{what} {name}", f"is in the group {group}, and does not exist")

    def check_cases(self):
        """Each entry has cases, or names another that has; all have names of their own."""
        having = {entry.name for entry in self.entries if entry.cases}
        names = collections.Counter(case["name"] for case in catalogue.cases(self.data))
        for entry in self.entries:
            subject = f"entry {entry.name}"
            if entry.cases_of and entry.cases_of not in having:
                self.found(subject, "has no conformance case, names no other entry's, and does not say why")
            if entry.cases and entry.cases_of != entry.name:
                self.found(subject, "has cases, and says that it has none or another's")
            for case in entry.cases:
                if names[case["name"]] > 1:
                    self.found(subject, f"has a case {case['name']}, as another has")

    def check_state_cases(self):
        """Each function of properties, bindings and observable objects has cases."""
        groups = self.data[catalogue.NO_OPERATORS]["c functions"]
        functions = [each for name in catalogue.STATE for each in groups[name].split()]
        having = [name for each in self.data["state"] if each["cases"] for name in each["functions"].split()]
        names = collections.Counter(case["name"] for case in catalogue.cases(self.data))
        for name in functions:
            if name not in having:
                self.found(f"function of the header {name}", "has no conformance case in Properties.json")
        for name in sorted(set(having) - set(functions)):
            self.found(f"function of the header {name}", "has cases in Properties.json, and is in none of its groups")
        for case in [case for each in self.data["state"] for case in each["cases"]]:
            if names[case["name"]] > 1:
                self.found("Properties.json", f"has a case {case['name']}, as another has")

    def check_swift_files(self):
        others = self.data[catalogue.NO_OPERATORS]["swift files"]
        named = set(self.of("files")) | set(others)
        for file in sorted(self.there.swift_public):
            self.subjects.append(f"Swift file {file}")
            if file not in named:
                self.found(f"Swift file {file}", "has public API and no entry")
        for file in sorted(set(others) - self.there.swift_public):
            self.found(f"Swift file {file}", "is in the group of other files, and does not exist")

    def check_swift_methods(self):
        """Each method of a file of operators is named by an entry."""
        patterns = [each.rpartition(".")[2] for each in self.of("swift")]
        files = self.there.swift_operators
        methods = {each for file in files for each in self.there.swift[file] if "(" in each}
        for method in sorted(methods):
            self.subjects.append(f"Swift method {method}")
            if not any(inventory.fits(method, pattern) for pattern in patterns):
                self.found(f"Swift method {method}", "is in no entry of the catalogue")

    def check_rules(self):
        """Each entry of the rule kit belongs to one of the catalogue, which names most of its beginning."""
        owners = {prefix: entry.name for entry in self.entries for prefix in entry.rules}
        owned = set()
        for name in self.there.rules:
            self.subjects.append(f"rules of {name}")
            beginnings = [prefix for prefix in owners if re.match(rf"{re.escape(prefix)}(?!(?<=\w)\w)", name)]
            if beginnings:
                owned.add(max(beginnings, key=len))
            else:
                self.found(f"rules of {name}", "belong to no entry of the catalogue")
        for prefix, name in owners.items():
            if prefix not in owned:
                self.found(f"entry {name}", f"has no entry {prefix} in the rule kit")

    def check_python_parameters(self):
        """What entries say of a function's parameters is, taken together, what it has."""
        there = {**self.there.python_names, **self.there.python_methods}
        said = collections.defaultdict(list)
        for entry in self.entries:
            for spelling in entry.python:
                name, called, names = spelling.rstrip(")").partition("(")
                if name not in there:
                    self.found(f"entry {entry.name}", f"names Python's {name}, which does not exist")
                elif called:
                    said[name] += [each for each in names.split(", ") if each and each not in said[name]]
        for name, names in said.items():
            if names != there[name]:
                self.found(f"Python's {name}", f"has the parameters {there[name]}, and not {names}")


def suite_catalogue(suite):
    """Whatever there is in any language has an entry in the catalogue, and what entries name is there."""
    if not suite.needs("Tests/Catalogue/catalogue.json"):
        return
    there = take(declared_functions(suite))
    data = catalogue.read()
    comparison = Comparison(data, there)
    for subject in dict.fromkeys([*comparison.subjects, *comparison.complaints]):
        complaints = comparison.complaints.get(subject)
        suite.check(subject, not complaints, "; ".join(complaints or ()))
    check_swiftui(suite)
    used = json.dumps([entry.said.get("without", {}) for entry in comparison.entries])
    for reason in data["reasons"]:
        suite.check(f"reason {reason}", f'"{reason}"' in used, "no entry gives it")
    if not comparison.complaints:  # otherwise what it removes may not be there
        check_itself(suite, data, there)


def check_swiftui(suite):
    """What Docs/swiftui.md marks as here is public, and what it marks as not is not."""
    found = inventory.public_names(["Streams", "StreamsUI", "StreamsProperty", "StreamsObservation"])
    rows = re.findall(r"^\| `(\w+)` \| (here|not) \|", inventory.read("Docs/swiftui.md"), re.MULTILINE)
    wrong = [name for name, mark in rows if (name in found) != (mark == "here")]
    suite.check("the names of SwiftUI", len(rows) > 200 and not wrong, f"the list is wrong about {' '.join(wrong)}")


def check_itself(suite, data, there):
    """Each thing that may be forgotten is named, in a copy of catalogue or inventory that lacks it."""

    def names(what, change, expected):
        changed = copy.deepcopy((data, there))
        change(*changed)
        complaints = Comparison(*changed).complaints
        text = "\n".join(f"{subject}: {each}" for subject, several in complaints.items() for each in several)
        suite.check(f"names {what}", expected in text, f"not {expected!r} but: {text or 'nothing'}")

    def removed(name):
        def remove(data, _):
            entries = data["guides"]["Transforming"]
            entries[:] = [each for each in entries if each["name"] != name]

        return remove

    def changed(name, **changes):
        def change(data, _):
            next(each for each in data["guides"]["Transforming"] if each["name"] == name).update(changes)

        return change

    for entry, expected in {
        "scan": [
            "function of the header scan: is in no entry",
            "method of Python's Publisher scan: is in no entry",
            "Swift method scan(_:_:): is in no entry",
            "Swift file Scan: has public API and no entry",
        ],
        "encode": ["differential case encode: is in no entry", "rules of encode: belong to no entry"],
    }.items():
        for each in expected:
            names(f"what lost the entry {entry}: {each.partition(':')[0]}", removed(entry), each)

    for what, change, expected in [
        ("function", lambda has: has.c.update(odd=[]), "function of the header odd: is in no entry"),
        ("method", lambda has: has.python_methods.update(odd=[]), "Publisher odd: is in no entry"),
        ("Python name", lambda has: has.python_names.update(Odd=[]), "package Odd: is in no entry"),
        ("file", lambda has: has.swift_public.add("Odd"), "file Odd: has public API and no entry"),
        ("Swift method", lambda has: has.swift["Scan"].add("odd(_:)"), "odd(_:): is in no entry"),
        ("differential case", lambda has: has.differential.add("odd"), "case odd: is in no entry"),
        ("entry of the rule kit", lambda has: has.rules.append("odd"), "rules of odd: belong to no"),
    ]:
        names(f"a {what} without an entry", lambda _, has, change=change: change(has), expected)

    for what, change, expected in [
        ("function", lambda has: has.c.pop("scan"), "the C function scan"),
        ("method", lambda has: has.python_methods.pop("scan"), "Python's scan"),
        ("differential case", lambda has: has.differential.remove("scan"), "the differential case scan"),
        ("allocation row", lambda has: has.allocations.clear(), "the allocation row subject → scan → sink"),
        ("benchmark row", lambda has: has.benchmarks.clear(), "the benchmark row subject → scan → sink"),
        ("guide", lambda has: has.guides.pop("Transforming"), "the guide Transforming"),
        ("Swift file", lambda has: (has.swift.pop("Scan"), has.swift_operators.clear()), "the file Scan"),
    ]:
        names(f"a missing {what}", lambda _, has, change=change: change(has), f"entry scan: names {expected}")

    for what, change, expected in [
        ("a missing line", lambda _, has: has.symbols.remove("scan(_:_:)"), "scan: has no line for scan(_:_:) in Symbols"),
        ("missing rules", lambda _, has: has.rules.remove("scan"), "scan: has no entry scan in the rule kit"),
        ("missing tests", lambda _, has: has.tests.remove("ScanTests.swift"), "scan: has no test file Scan"),
        ("a misspelling", changed("scan", swift="scan(_:)"), "scan: names the Swift spelling scan(_:)"),
        ("a wrong shape", changed("scan", parameters="initial: value, combine: map"), "not the parameters"),
        ("a wrong parameter", changed("scan", python="scan(start)"), "Python's scan: has the parameters"),
        ("an unknown key", changed("scan", color="red"), "scan: names the key color"),
        ("a language without a reason", changed("map_key_path", without={}), "names the C function map_key_path"),
        ("a missing case", changed("scan", cases=[]), "scan: has no conformance case"),
        ("the cases of nobody", changed("scan", cases=[], cases_of="reduced"), "scan: has no conformance case"),
        ("the cases of two", changed("scan", cases_of="reduce"), "scan: has cases, and says"),
        ("a property without cases", lambda data, _: data["state"].pop(), "has no conformance case in Properties"),
        (
            "cases of no function",
            lambda data, _: data["state"][0].update(functions="odd"),
            "odd: has cases in Properties.json, and is in none",
        ),
        ("a function named twice", changed("map", c="map scan"), "header scan: is named 2 times"),
    ]:
        names(what, change, expected)
