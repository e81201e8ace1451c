"""Writes the operators that Combine has for two, three, four … publishers, each from one template.

Swift cannot say yet that all the publishers of a parameter pack fail alike, and merge, zip and combineLatest need
that. `make format` writes the files, and the suite "format" compares them with this. Standard library only.
"""

import dataclasses
import pathlib
import textwrap

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "Sources" / "Streams" / "Operators" / "Combining"
HEADER = "// Written by Tools/arities.py.\n\n"
NUMBERS = "no another two three four five six seven eight".split()
ORDINALS = "first second third fourth fifth sixth seventh eighth".split()


def files():
    """The paths and texts of the files."""
    merges = {
        "MergeN": "\n".join(merge_publisher(n) for n in range(3, 9)),
        "MergeN+Merge": "\n".join(merge_members(n) for n in range(2, 8)),
        "Publisher+Merge": extension("Publisher", [merge_method(n) for n in range(3, 9)]),
    }
    joins = {join.name: "\n".join(join.publisher(n) for n in (2, 3, 4)) for join in JOINS}
    return {FOLDER / f"{name}.generated.swift": HEADER + text for name, text in (merges | joins).items()}


def write():
    for path, text in files().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


# ---- pieces ----------------------------------------------------------------------------------------------------------


def each(form, names, separator=", "):
    """The form for each name: X stands for the name, x for the same in small letters."""
    return separator.join(form.replace("X", name).replace("x", name.lower()) for name in names)


def lines(form, names, spaces):
    return textwrap.indent(each(form, names, "\n"), " " * spaces)


def wrapped(names, spaces):
    """A list on as few lines as it takes."""
    whole = textwrap.fill(names.replace(": ", ":"), 103 - spaces, break_on_hyphens=False)
    return textwrap.indent(whole.replace(":", ": "), " " * spaces)


def extension(name, parts):
    return f"extension {name} {{\n" + "\n".join(parts) + "}\n"


def publisher(head, n, method, values, output, subscription):
    """A publisher of `n` publishers, and when it is Equatable; `head` says what it is."""
    names = "ABCDEFGH"[:n]
    properties = "".join(
        f"    /// The {ordinal} publisher.\n    public let {name.lower()}: {name}\n"
        for ordinal, name in zip(ORDINALS, names)
    )
    return f"""extension Publishers {{
{head}
    /// The values are {values}.
    public typealias Output = {output}
    /// It fails as its publishers do.
    public typealias Failure = A.Failure

{properties}
    /// Makes the publisher that `{method}` returns.
    @inlinable
    public init({each("_ x: X", names)}) {{
{lines("self.x = x", names, 6)}
    }}

    /// Subscribes to all the publishers, in their order, on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {{
{subscription}
    }}
  }}
}}
"""


def equatable(name, names):
    constraints = each("X: Equatable", names)
    head = f"\nextension Publishers.{name}: Equatable"
    if not name.startswith("Merge"):
        return f"{head} where {constraints} {{}}\n"
    if len(constraints) < 100:
        return f"{head}\nwhere {constraints} {{}}\n"
    return f"{head}\nwhere\n{wrapped(constraints, 2)}\n{{}}\n"


# ---- merge -----------------------------------------------------------------------------------------------------------


def requirements(first, names, spaces):
    """That `first` and the publishers after it have values and failures of the same type."""
    pairs = zip([first, *names], names)
    form = ",\n".join(f"{a}.Failure == {b}.Failure, {a}.Output == {b}.Output" for a, b in pairs)
    return textwrap.indent(form.replace("Self.", ""), " " * spaces)


def merge_publisher(n):
    names = "ABCDEFGH"[:n]
    method = f"merge(with:{'_:' * (n - 2)})"
    head = f"""  /// A publisher that sends the values of {NUMBERS[n]} publishers as they come.
  ///
  /// Made by ``Publisher/{method}``, which describes it.
  public struct Merge{n}<
{wrapped(each("X: Publisher", names), 4)}
  >: Publisher
  where
{requirements("A", names[1:], 4)}
  {{"""
    steps = [f"let inner = MergeInner(subscriber: subscriber, count: {n})"]
    steps += [f"inner.attach({name.lower()}, at: {index})" for index, name in enumerate(names)]
    subscription = textwrap.indent("\n".join(steps), " " * 6)
    whole = publisher(head, n, method, "those of the publishers", "A.Output", subscription)
    return whole + equatable(f"Merge{n}", names)


def method(first, others, arguments, result, summary, remark):
    generics = each("X: Publisher", others)
    head = f"  public func merge<{generics}>("
    if len(head) > 110:
        head = f"  public func merge<\n    {generics}\n  >("
    return f"""  /// {summary}
  ///
  /// {remark}
  @inlinable
{head}
    with {arguments}
  ) -> {result[0]}
  where
{requirements(first, others, 4)}
  {{
    {result[1]}
  }}
"""


def merge_method(n):
    others = "BCDEFGH"[: n - 1]
    return method(
        "Self",
        others,
        each("_ x: X", others)[2:],
        (f"Publishers.Merge{n}<Self, {', '.join(others)}>", f"Publishers.Merge{n}(self, {each('x', others)})"),
        f"Sends the values of this publisher and of {NUMBERS[n - 1]} others as they come.",
        "Demand, completion, failure, cancellation and threads are those of the form with one other publisher.",
    )


def merge_members(n):
    """The methods of a merge of `n` that make one of more."""
    own = "ABCDEFGH"[:n]
    parts = []
    for more in range(1, 9 - n):
        others, names = ("P", ["other"]) if more == 1 else ("ZYXWVU"[:more], "zyxwvu"[:more])
        arguments = "other: P" if more == 1 else each("_ x: X", others)[2:]
        merge = f"Publishers.Merge{n + more}"
        parts.append(
            method(
                own[-1],
                others,
                arguments,
                (f"{merge}<{', '.join(own + others)}>", f"{merge}({', '.join([*own.lower(), *names])})"),
                f"Adds {NUMBERS[more]} {'publisher' if more == 1 else 'more publishers'} to the merge.",
                f"The result is one merge of {n + more} publishers, not a merge of merges.",
            )
        )
    return extension(f"Publishers.Merge{'' if n == 2 else n}", parts)


# ---- zip and combineLatest -------------------------------------------------------------------------------------------


@dataclasses.dataclass
class Join:
    name: str
    method: str
    values: str
    """What the tuples hold; # stands for the number of publishers."""
    branch: str
    parameters: str
    """Of the closure that makes a tuple."""
    take: str
    """What that asks of a branch."""

    def publisher(self, n):
        names = "ABCD"[:n]
        name = f"{self.name}{'' if n == 2 else n}"
        method = f"{self.method}({'_:' * (n - 1)})"
        head = f"""  /// A publisher that sends tuples of the {self.values.replace("#", NUMBERS[n])}.
  ///
  /// Made by {f"``Publisher/{method}``" if n == 2 else f"`{method}`"}, which describes it.
  public struct {name}<{each("X: Publisher", names)}>: Publisher
  where {", ".join(f"{a}.Failure == {b}.Failure" for a, b in zip(names, names[1:]))} {{"""
        branches = each("xBranch", names)
        subscription = f"""{lines(f"let xBranch = {self.branch}<X.Output>()", names, 6)}
      let inner = {self.name}Inner(subscriber: subscriber, branches: [{branches}]) {{
        {self.parameters} throws(Failure) in
        ({each(f"xBranch.{self.take}", names)})
      }}
{lines("inner.attach(x, xBranch)", names, 6)}"""
        output = f"({each('X.Output', names)})"
        values = "tuples with one value of each publisher"
        return publisher(head, n, method, values, output, subscription) + equatable(name, names)


IN_ORDER = "values of # publishers, in the order in which they come"
JOINS = [
    Join("Zip", "zip", IN_ORDER, "ZipBranch", "empty", "take(&empty)"),
    Join("CombineLatest", "combineLatest", "latest values of # publishers", "LatestBranch", "()", "current"),
]

if __name__ == "__main__":
    write()
