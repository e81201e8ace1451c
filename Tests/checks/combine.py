"""A suite of code that was not written for this library."""

from .names import check_names
from .settings import ROOT, SWIFT

FOLDER = "Tests/ImportCombine"
BYSTANDER = f"{FOLDER}/Bystander/Sources/Bystander/Ticks.swift"
SCRATCH = ".build-combine"
# Who serves the main run loop in the program Hosted; in AsyncHost nobody runs it.
HOSTS = [
    "loop",
    "rounds",
    "dispatch",
    "first the loop, then dispatch",
    "a job of the main queue runs the loop",
    "an action runs the loop",
]


def suite_combine(suite):
    """Code that imports Combine compiles unchanged, in Swift 5 and 6 without a warning, and does what it does there."""
    if not suite.needs(f"{FOLDER}/Package.swift"):
        return
    options = ["--package-path", FOLDER, "--scratch-path", SCRATCH]
    build = [SWIFT, "build", *options, "-Xswiftc", "-warnings-as-errors"]
    if not suite.command("builds without warnings", build, timeout=900)[0]:
        return
    # Now that all modules are there.
    (ROOT / BYSTANDER).touch()
    if not suite.command("builds again when a bystander has changed", build, timeout=900)[0]:
        return
    check_output(suite, "expected.txt", "probe")
    for host in HOSTS:
        check_output(suite, "main_loop.txt", "Hosted", host)
    check_output(suite, "main_loop.txt", "AsyncHost")
    check_names(suite, ROOT / SCRATCH / "debug")


def check_output(suite, expected, *program):
    """Runs a program that was built, and compares what it prints with what it should."""
    status, text = suite.run([ROOT / SCRATCH / "debug" / program[0], *program[1:]], timeout=60, split=True)
    name = ", ".join(program)
    suite.check(f"{name}: runs", status == 0, f"exit status {status}")
    good = text == (ROOT / FOLDER / expected).read_text(encoding="utf-8")
    suite.check(f"{name}: prints what it should", good, "prints something else")
