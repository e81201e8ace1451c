"""The suite of what runs in a terminal, or in a window."""

from . import python
from .loops import compiled
from .settings import ROOT, SWIFT


def suite_terminal(suite):
    """The examples in a terminal, and on a screen, that nobody sees, with pytest."""
    if not suite.needs("Examples/Swift", "Tests/Terminal"):
        return
    if not compiled(suite, "todo", ROOT / "Examples" / "C" / "todo.c", "ncursesw"):
        return
    options = ["-c", "release", "--package-path", "Examples/Swift", "--scratch-path", ".build-examples"]
    if suite.command("the example builds", [SWIFT, "build", *options, "--product", "jukebox"], timeout=900)[0]:
        python.run_tests(suite, "Tests/Terminal")
