"""Writes the code of the differential test that Tests/Differential/operators.txt says: what can be chosen, and how it is
applied.

    python Tools/differential.py
"""

import pathlib

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "Tests" / "Differential"
FAMILIES = ("transform", "filter", "reduce", "failing", "special", "timed", "fused")
FLAGS = ("erased", "fails", "safe")
NUMBERS = {"small": "0...4", "count": "1...3", "digit": "0...9", "ticks": "1...5", "flag": "0...1", "third": "0...2"}
# Sources that have operators of their own, and what they are of.
SPECIALS = {
    "Just<Int>": "Never", "Optional<Int>.Publisher": "Never", "Result<Int, Fault>.Publisher": "Fault",
    "Publishers.Sequence<[Int], Fault>": "Fault",
}  # fmt: skip
HEAD = "// swift-format-ignore-file\n// Written by Tools/differential.py from operators.txt.\n"
SIDE = """import Plan

#if STREAMS
  import Streams
#else
  import OpenCombine
#endif

"""


def operators():
    """(family, name, numbers, flag, Swift) of each line."""
    for line in (FOLDER / "operators.txt").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            said, _, swift = line.partition(" = ")
            family, name, *numbers = said.split()
            flag = numbers.pop() if numbers and numbers[-1] in FLAGS else ""
            assert family in FAMILIES and set(numbers) <= set(NUMBERS), line
            yield family, name, numbers, flag, swift


def names():
    """The operators, but for pairs of them and what has other names elsewhere."""
    return {name for family, name, *_ in operators() if family not in ("fused", "special")}


def plan():
    yield HEAD + "extension Step {\n  /// What can be chosen.\n  static let kinds: [Kind] = ["
    for family, name, numbers, flag, _ in operators():
        ranges = ", ".join(NUMBERS[each] for each in numbers)
        yield f'    Kind(.{family}, "{name}", [{ranges}], .{flag or "anywhere"}),'
    yield "  ]\n}"


def application(signature, lines, value=""):
    yield f"  {signature} {{\n{value}    let (a, b, c) = (step[0], step[1], step[2])\n    _ = (a, b, c)"
    yield "    switch step.name {"
    yield from dict.fromkeys(f'    case "{name}": return {swift}' for name, swift in lines)
    yield '    default: fatalError("\\(step) is no operator of such a source")\n    }\n  }\n'


def side():
    yield HEAD + SIDE + "extension Builder {"
    lines = [(name, swift) for family, name, _, _, swift in operators() if family != "special"]
    signature = "func apply<Value: Element>(_ step: Step, to upstream: AnyPublisher<Value, Fault>) -> Pipe"
    yield from application(signature, lines)
    for source, failure in SPECIALS.items():
        found = [
            (name, swift)
            for family, name, _, flag, swift in operators()
            if family not in ("timed", "fused") and flag in ("", "safe" if failure == "Never" else "fails")
        ]
        signature = f"func apply(_ step: Step, to upstream: {source}) -> Pipe"
        yield from application(signature, found, "    typealias Value = Int\n")
    yield "}"


def main():
    for file, lines in (("Plan/Kinds.swift", plan()), ("StreamsSide/Application.swift", side())):
        text = "\n".join(lines) + "\n"
        path = FOLDER / "Sources" / file
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
