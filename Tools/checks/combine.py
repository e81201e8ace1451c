"""A suite of code that was not written for this library."""

import pathlib
import shutil
import tempfile

from .names import check_names
from .settings import BUILT, DEBUG, ROOT, SWIFT

FOLDER = "Tests/ImportCombine"
# One that does not depend on the product, one that does, and one that does by way of others.
EDITED = [
    "Bystander/Sources/Bystander/Ticks.swift",
    "Sources/Indirect/Indirect.swift",
    "Sources/probe/main.swift",
]
# Who serves the main run loop in the program Hosted; in AsyncHost nobody runs it.
HOSTS = [
    "loop",
    "rounds",
    "dispatch",
    "first the loop, then dispatch",
    "a job of the main queue runs the loop",
    "an action runs the loop",
]

# Folders in which a checkout is, and under which name a package depends on it. SwiftPM splits names of pkg-config's files
# at spaces, but a link to such a folder need not have one.
PLACES = {"café": "café", "it's#1": "it's#1", "a folder": "a-link"}

# What the manifest says of the module Combine, above the least that it can be made of, and somebody who uses it.
LEAST = {
    "Sources/StreamsShims/shims.c": "",
    "Sources/StreamsShims/include/shims.h": "enum { streams_answer = 42 };",
    "Sources/StreamsShims/include/module.modulemap": 'module StreamsShims { header "shims.h" }',
    "Sources/Streams/Streams.swift": "import StreamsShims\npublic let answer = streams_answer",
    "Sources/StreamsDispatch/Dispatch.swift": "@_exported import Streams",
    "Sources/StreamsFoundation/Foundation.swift": "@_exported import StreamsDispatch",
}
BYSTANDER = "Sources/Bystander/Bystander.swift"
USER = {
    "Package.swift": """// swift-tools-version:6.1
import PackageDescription
let package = Package(
  name: "User", dependencies: [.package(path: "%s")],
  targets: [
    .target(name: "Bystander"),
    .executableTarget(
      name: "User", dependencies: ["Bystander", .product(name: "Combine", package: "streams")]),
  ])
""",
    BYSTANDER: """#if canImport(Combine)
  public let findsCombine = true
#else
  public let findsCombine = false
#endif
""",
    "Sources/User/main.swift": "import Bystander\nimport Combine\nprint(answer, findsCombine)",
}


def suite_combine(suite):
    """Code that imports Combine compiles unchanged, in Swift 5 and 6 without a warning, and does what it does there."""
    if not suite.needs(f"{FOLDER}/Package.swift"):
        return
    build = [SWIFT, "build", "--package-path", FOLDER, *DEBUG]
    if not suite.command("builds without warnings", build, timeout=900)[0]:
        return
    # Now that all modules are there.
    for edited in [[name] for name in EDITED] + [EDITED]:
        for name in edited:
            (ROOT / FOLDER / name).touch()
        again = f"builds again after a change of {', '.join(pathlib.Path(name).name for name in edited)}"
        if not suite.command(again, build, timeout=900)[0]:
            return
    check_output(suite, "expected.txt", "probe")
    for host in HOSTS:
        check_output(suite, "main_loop.txt", "Hosted", host)
    check_output(suite, "main_loop.txt", "AsyncHost")
    check_names(suite, BUILT["debug"])
    check_places(suite)


def check_output(suite, expected, *program):
    """Runs a program that was built, and compares what it prints with what it should."""
    status, text = suite.run([BUILT["debug"] / program[0], *program[1:]], timeout=60, split=True)
    name = ", ".join(program)
    suite.check(f"{name}: runs", status == 0, f"exit status {status}")
    good = text == (ROOT / FOLDER / expected).read_text(encoding="utf-8")
    suite.check(f"{name}: prints what it should", good, "prints something else")


def check_places(suite):
    """Wherever a checkout is, who depends on it finds the module, and nobody else does."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for number, (place, named) in enumerate(PLACES.items()):
            checkout, user = root / place / "streams", root / f"user{number}"
            write(checkout, LEAST)
            shutil.copy(ROOT / "Package.swift", checkout)
            shutil.copytree(ROOT / "Sources" / "CombineInterface", checkout / "Sources" / "CombineInterface")
            # SwiftPM wants all targets, and builds those that are used.
            for name in ["Include", "Tests", *(f"Sources/{each.name}" for each in (ROOT / "Sources").iterdir())]:
                if not (checkout / name).exists():
                    (checkout / name).symlink_to(ROOT / name)
            if named != place:
                (root / named).symlink_to(checkout.parent)
            write(user, {**USER, "Package.swift": USER["Package.swift"] % (root / named / "streams")})
            run = [SWIFT, "run", "--package-path", user]
            suite.run(run)
            (user / BYSTANDER).touch()
            status, text = suite.run(run, split=True)
            suite.check(f"a checkout in {place}", (status, text) == (0, "42 false\n"), f"{status}, {text!r}")


def write(folder, files):
    """Writes the files into the folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text + "\n", encoding="utf-8")
