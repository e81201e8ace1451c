"""The suite of StreamsTerminal in a terminal."""

from . import python
from .settings import SWIFT


def suite_terminal(suite):
    """The example in a terminal that nobody sees, with pytest."""
    if not suite.needs("Examples/Swift", "Tests/Terminal"):
        return
    options = ["-c", "release", "--package-path", "Examples/Swift", "--scratch-path", ".build-examples"]
    if suite.command("the example builds", [SWIFT, "build", *options, "--product", "jukebox"], timeout=900)[0]:
        python.run_tests(suite, "Tests/Terminal")
