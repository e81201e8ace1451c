"""The programs that are shown in Markdown."""

import re

from .settings import ROOT


def example(language, path=ROOT / "README.md"):
    """The first program of a language in a file, and what it is to print."""
    text = path.read_text(encoding="utf-8")
    return re.search(rf"^```{language}\n(.*?)^```$.*?^```text\n(.*?)^```$", text, re.M | re.S).groups()
