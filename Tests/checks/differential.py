"""Streams beside OpenCombine."""

import os
import re

from .settings import PYTHON, SWIFT

PIPELINES = 10_000
# The same pipelines in each run, so that only a change can make it fail. `make fuzz` looks for new ones.
SEED = os.environ.get("SEED", "20000000")


def suite_differential(suite):
    """Random pipelines do here what they do in OpenCombine. The log says what differs, and the seed."""
    if not suite.needs("Tests/Differential"):
        return
    package = ["--package-path", "Tests/Differential", "--scratch-path", ".build-differential"]
    if not suite.command("its operators are written", [PYTHON, "Tests/tools/differential.py"])[0]:
        return
    if not suite.command("builds", [SWIFT, "build", *package], timeout=900)[0]:
        return
    suite.note = f"seed {SEED}"
    program = [".build-differential/debug/differential", "--seed", SEED, "--count", PIPELINES]
    # OpenCombine's subjects and flatMap go through hash tables, in another order in each process.
    status, text = suite.run(program, {"SWIFT_DETERMINISTIC_HASHING": "1"}, timeout=600)
    counts = {what: int(n) for n, what in re.findall(r"^(\d+) (same|excluded|different)$", text, re.MULTILINE)}
    if suite.check("ran to its end", len(counts) == 3, f"exit status {status}"):
        names = re.findall(r"^==== different: (.*)", text, re.MULTILINE)
        suite.add(counts["same"], counts["different"], counts["excluded"], names, status, "pipelines")
