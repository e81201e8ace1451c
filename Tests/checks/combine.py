"""A suite of code that was not written for this library."""

from .settings import ROOT, SWIFT

FOLDER = "Tests/ImportCombine"


def suite_combine(suite):
    """Code that imports Combine compiles unchanged, in Swift 5 and 6, and does what it does there."""
    if not suite.needs(f"{FOLDER}/Package.swift", "Combine/Package.swift"):
        return
    expected = (ROOT / FOLDER / "expected.txt").read_text(encoding="utf-8")
    for way, name in (("product", "the product Combine"), ("own", "a target of one's own")):
        options = ["--package-path", FOLDER, "--scratch-path", f".build-combine/{way}"]
        env = {"COMBINE": way}
        if not suite.command(f"builds with {name}", [SWIFT, "build", *options], env=env, timeout=900)[0]:
            continue
        run = [SWIFT, "run", "--skip-build", *options, "probe"]
        status, text = suite.run(run, env=env, timeout=60, split=True)
        suite.check(f"runs with {name}", status == 0, f"exit status {status}")
        suite.check(f"prints what it should with {name}", text == expected, "prints something else")
