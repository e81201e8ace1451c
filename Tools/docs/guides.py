"""The examples of the documentation, made into one program whose output can be compared with what is shown.

An article has two kinds of examples. A fenced block of `swift` is a program of its own; the block of `text` right
after it is what it prints, and without one it prints nothing. A block of `marbles` is a diagram, which is played in
virtual time: see marbles.py. In a diagram, values that are numbers are `Int`, others `String`, and `#` is a `Problem`.

In the documentation comments of the sources, an example that ends with lines of comment prints what they say, each
on its own line or with commas between.
"""

import dataclasses
import pathlib
import re

import marbles  # Tools/docs/marbles.py
from symbols import MODULES  # Tools/docs/symbols.py

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEPARATOR = "\x1e"

PACKAGE = """// swift-tools-version:6.1
import PackageDescription

let package = Package(
  name: "Guides",
  dependencies: [.package(name: "Streams", path: "{root}")],
  targets: [
    .executableTarget(
      name: "guides",
      dependencies: [{products}].map {{ .product(name: $0, package: "Streams") }})
  ],
  swiftLanguageModes: [.v6]
)
"""

COMMON = """import Foundation

struct Problem: Error, CustomStringConvertible {
  var description: String { "Problem" }
}

/// Separates what the examples print. What has been printed is not lost if the next one traps.
func announce(_ name: String) {
  fflush(nil)
  print("\\u{1e}" + name)
}
"""


@dataclasses.dataclass
class Example:
    name: str
    """Where it stands: the article and the line."""
    body: str
    imports: set
    outside: str
    """What cannot stand in a function: extensions, and classes that a macro extends."""
    expected: str
    is_diagram: bool


def articles():
    return sorted(ROOT.glob("Sources/*/*.docc/**/*.md"))


def blocks(text):
    """The fenced blocks: line number, language, text, and whether it comes right after the one before."""
    end = 0
    for match in re.finditer(r"^```([\w-]*)[^\n]*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        line = text.count("\n", 0, match.start()) + 1
        yield line, match[1], match[2], not text[end : match.start()].strip()
        end = match.end()


def examples():
    """All examples: those of the articles and those of the sources."""
    of_articles = [example for path in articles() for example in examples_of_article(path)]
    return of_articles + [example for path in sources() for example in examples_of_source(path)]


def sources():
    return sorted(path for name in ("Streams", "StreamsFoundation") for path in ROOT.glob(f"Sources/{name}/**/*.swift"))


def examples_of_source(path):
    text = path.read_text(encoding="utf-8")
    found = []
    for match in re.finditer(r"^((?: *///     .*\n)+?)((?: *///     //.*\n)+)(?! *///     )", text, re.MULTILINE):
        code, comment = (re.sub(r"^ *///     ", "", part, flags=re.MULTILINE) for part in match.groups())
        line = text.count("\n", 0, match.start())  # of the line before, as that of a fence is
        example = program(f"{path.relative_to(ROOT)}:{line}", code)
        example.imports.add("import Streams")
        example.expected = re.sub(r"^// ?", "", comment, flags=re.MULTILINE)
        found.append(example)
    return found


def examples_of_article(path):
    found = []
    for line, language, text, adjacent in blocks(path.read_text(encoding="utf-8")):
        name = f"{path.relative_to(ROOT)}:{line}"
        if language == "swift":
            found.append(program(name, text))
        elif language == "marbles":
            found.append(diagram(name, text))
        elif language == "text" and adjacent and found and not found[-1].is_diagram:
            found[-1].expected = text
    return found


def program(name, text):
    imports, outside, body = set(), [], []
    is_outside = False
    for line in text.splitlines():
        if re.match(r"import \w", line):
            imports.add(line)
            continue
        if line.startswith("extension "):
            line, is_outside = "fileprivate " + line, True
        elif line.startswith("@Observable "):  # a macro that extends its class
            line, is_outside = line.replace("@Observable ", "@Observable fileprivate "), True
        (outside if is_outside else body).append(line)
        if line.startswith("}") or re.match(r"fileprivate extension.*\}$", line):
            is_outside = False
    kept = [match[1] for line in body if (match := re.match(r"(?:let|var) (\w+)", line))]
    if kept:  # as at the top level of a program, where what is never read is kept too
        body.append(f"withExtendedLifetime(({', '.join(kept)})) {{}}")
    return Example(name, "\n".join(body), imports, "\n".join(outside), "", False)


def diagram(name, text):
    body = ["let scheduler = VirtualTimeScheduler()"]
    expected, expression, subscription = [], "", ""
    for row in marbles.rows(text):
        if row.kind == "source":
            body.append(source(row))
        elif row.kind == "subscribe":
            subscription = f', subscription: "{row.text}"'
        elif row.kind == "expression":
            expression = row.text
        else:
            call = "try scheduler" if subscription else "scheduler"
            body.append(f"print({call}.record({expression}{subscription}).marbles)")
            expected.append(re.sub(r"\s", "", row.text) + "\n")
            subscription = ""
    imports = {"import Streams", "import StreamsTesting"}
    return Example(name, "\n".join(body), imports, "", "".join(expected), True)


def source(row):
    """The declaration of a source."""
    marks = marbles.marks(row.text)
    names = [mark.name for mark in marks if mark.kind == "value"]
    type_name = "Int" if names and all(name.isdigit() for name in names) else "String"
    fails = any(mark.kind == "#" for mark in marks)
    failure, error = ("Problem", ", error: Problem()") if fails else ("Never", "")
    return (
        f"let {row.name}: MarblePublisher<{type_name}, {failure}> =\n"
        f'  try scheduler.{"hot" if row.is_hot else "cold"}("{row.text}", of: {type_name}.self{error})'
    )


def write(folder):
    """Writes the package of all examples to `folder`, and returns the examples in the order in which they run."""
    sources = folder / "Sources" / "guides"
    sources.mkdir(parents=True, exist_ok=True)
    put(
        folder / "Package.swift",
        PACKAGE.format(root=ROOT, products=", ".join(f'"{name}"' for name in [*MODULES, "Combine"])),
    )
    put(sources / "Common.swift", COMMON)
    found = examples()
    files, calls = {"main.swift", "Common.swift"}, []
    for number, example in enumerate(found):
        # A file for each: what one imports, the others do not have.
        file, function = f"Example{number}.swift", f"example{number}"
        files.add(file)
        effects, call = ("async throws", "try await") if re.search(r"\bawait\b", example.body) else ("throws", "try")
        article, line = example.name.rsplit(":", 1)
        # Views belong to the main actor, and so does the top level of a program.
        actor = "@MainActor " if "import StreamsUI" in example.imports else ""
        put(
            sources / file,
            "\n".join(sorted(example.imports))
            + f"\n\n{example.outside}\n\n{actor}func {function}() {effects} {{\n"
            + f'#sourceLocation(file: "{article}", line: {int(line) + 1})\n'
            + f"{example.body}\n#sourceLocation()\n}}\n",
        )
        calls.append(f'announce("{example.name}")\n{call} {function}()')
    put(sources / "main.swift", "\n".join(calls) + "\n")
    for old in sources.iterdir():
        if old.name not in files:
            old.unlink()
    return found


def put(path, text):
    """Writes the file only if it changes, so that nothing is built twice."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def outputs(text):
    """What each example printed, by its name."""
    parts = text.split(SEPARATOR)[1:]
    return dict(part.split("\n", 1) for part in parts)


def difference(example, output):
    """How what was printed differs from what the article shows; empty if it does not."""
    shown, printed = example.expected.splitlines(), output.splitlines()
    if example.is_diagram:
        printed = [re.sub(r"\s", "", line) for line in printed]
    if shown == printed or shown == [", ".join(printed)]:
        return ""
    return "prints\n    " + "\n    ".join(printed) + "\n  and not\n    " + "\n    ".join(shown)


def code(path):
    """All code in an article: blocks, spans and symbol links."""
    text = path.read_text(encoding="utf-8")
    return "\n".join(re.findall(r"^```.*?^```$|``[^`\n]+``|`[^`\n]+`", text, re.MULTILINE | re.DOTALL))
