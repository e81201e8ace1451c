"""A suite of code that was not written for this library."""

from .names import check_names
from .settings import ROOT, SWIFT

FOLDER = "Tests/ImportCombine"
BYSTANDER = f"{FOLDER}/Bystander/Sources/Bystander/Ticks.swift"
SCRATCH = ".build-combine"


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
    status, text = suite.run([SWIFT, "run", "--skip-build", *options, "probe"], timeout=60, split=True)
    suite.check("runs", status == 0, f"exit status {status}")
    expected = (ROOT / FOLDER / "expected.txt").read_text(encoding="utf-8")
    suite.check("prints what it should", text == expected, "prints something else")
    check_names(suite, ROOT / SCRATCH / "debug")
