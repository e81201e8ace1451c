"""Reads Tests/Catalogue/catalogue.json and adds what it leaves out, by the rules of the README beside it."""

import json
import re

import inventory  # Tests/tools/inventory.py

NO_OPERATORS = "no operators"
KEYS = {"name", "kind", "file", "swift", "c", "python", "rxpy", "parameters", "without"}
KEYS |= {"cases", "rules", "differential", "allocations", "benchmarks"}
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
        self.cases = self.words("cases", self.name if self.c or self.python else "")
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
    return json.loads(inventory.read("Tests/Catalogue/catalogue.json"))


def entries(data):
    """All entries, in the order of the file."""
    reasons = data["reasons"]
    guides = {guide: said for guide, said in data.items() if guide not in ("reasons", NO_OPERATORS)}
    return [Entry(guide, each, reasons) for guide, several in guides.items() for each in several]


def group(data, name):
    """The names that belong to no operator."""
    return [each for names in data[NO_OPERATORS][name].values() for each in names.split()]
