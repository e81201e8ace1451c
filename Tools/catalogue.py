"""Reads Tests/Catalogue and adds what its entries leave out, by the rules of the README there."""

import json
import re

import inventory  # Tools/inventory.py

NO_OPERATORS = "no operators"
# The groups of functions that have their cases in Properties.json.
STATE = ["observable objects", "properties", "bindings"]
KEYS = {"name", "kind", "file", "swift", "c", "python", "rxpy", "parameters", "without"}
KEYS |= {"cases", "cases_of", "rules", "differential", "allocations", "benchmarks"}
KINDS = ["publisher", "operator", "subject", "subscriber", "scheduler"]
LANGUAGES = ["swift", "c", "python"]
# What can be without: the languages, and what runs a publisher.
REASONED = {*LANGUAGES, "cases", "rules", "differential"}


class Entry:
    """A publisher, operator, subject, subscriber or scheduler."""

    def __init__(self, guide, said, reasons):
        self.said = said
        self.guide = guide
        self.name = said["name"]
        self.kind = said.get("kind", "operator")
        self.without = {
            each: reasons.get(reason, reason)
            for several, reason in said.get("without", {}).items()
            for each in several.split()
        }
        camel = self.name.title().replace("_", "")
        is_publisher = self.kind in ("publisher", "operator", "subject") and "swift" in said
        self.files = self.words("file", camel if "swift" in said else "")
        self.swift = self.words("swift", "")
        self.parameters = [tuple(each.split(": ")) for each in said.get("parameters", "").split(", ") if each]
        self.c = self.words("c", self.name)
        names = ", ".join(name for name, _ in self.parameters)
        self.python = self.words("python", f"{self.name}({names})")
        self.cases = self.said.get("cases", [])
        # The entry whose cases it runs, itself or another; nothing if it has none to run.
        runs_cases = "cases" not in self.without and (self.c or self.python)
        self.cases_of = self.said.get("cases_of", self.name) if runs_cases else ""
        self.rules = self.words("rules", self.swift[0].split("(")[0] if is_publisher else "")
        self.differential = self.words("differential", camel[0].lower() + camel[1:] if is_publisher else "")
        self.allocations = self.rows("allocations")
        self.benchmarks = self.rows("benchmarks")

    def words(self, key, rule):
        """What the entry says, or else the rule; nothing if it is without. Brackets hold words together."""
        if key in self.without:
            return []
        return re.findall(r"(?:\([^)]*\)|\S)+", self.said.get(key, rule))

    def rows(self, key):
        return [row if " → " in row else f"subject → {row} → sink" for row in self.said.get(key, [])]


def read():
    """What the files say, with the entries below the names of their guides."""
    data = json.loads(inventory.read("Tests/Catalogue/catalogue.json"))
    guides = {guide: json.loads(inventory.read(f"Tests/Catalogue/{guide}.json")) for guide in data["guides"]}
    return {**data, "guides": guides, "state": json.loads(inventory.read("Tests/Catalogue/Properties.json"))}


def entries(data):
    """All entries, in the order of the file."""
    return [Entry(guide, each, data["reasons"]) for guide, several in data["guides"].items() for each in several]


def cases(data):
    """The conformance cases of all entries, and those of properties and bindings."""
    return [case for each in [entry.said for entry in entries(data)] + data["state"] for case in each.get("cases", [])]


def group(data, name):
    """The names that belong to no operator."""
    return [each for names in data[NO_OPERATORS][name].values() for each in names.split()]
