"""The suite of what runs in a terminal, or in a window."""

from . import python
from .loops import compiled
from .settings import RELEASE, ROOT, SWIFT


def suite_terminal(suite):
    """The examples in a terminal, and on a screen, that nobody sees, with pytest."""
    if not suite.needs("Examples/Swift", "Tests/Terminal"):
        return
    if not compiled(suite, "todo", ROOT / "Examples" / "C" / "todo.c", "ncursesw"):
        return
    build = [SWIFT, "build", "--package-path", "Examples/Swift", *RELEASE, "--product", "jukebox"]
    if suite.command("the example builds", build, timeout=900)[0]:
        python.run_tests(suite, "Tests/Terminal")
