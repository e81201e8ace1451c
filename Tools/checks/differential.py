"""Streams beside OpenCombine."""

import json
import os

from .settings import BUILT, DEBUG, LOGS, PYTHON, SWIFT

PIPELINES = 10_000
# The same pipelines in each run, so that only a change can make it fail. `make fuzz` looks for new ones.
SEED = os.environ.get("SEED", "20000000")


def suite_differential(suite):
    """Random pipelines do here what they do in OpenCombine. The log says what differs, and the seed."""
    if not suite.needs("Tests/Differential"):
        return
    if not suite.command("its operators are written", [PYTHON, "Tools/differential.py"])[0]:
        return
    if not suite.command("builds", [SWIFT, "build", "--package-path", "Tests/Differential", *DEBUG], timeout=900)[0]:
        return
    program = BUILT["debug"] / "differential"
    # OpenCombine's subjects and flatMap go through hash tables, in another order in each process.
    order = {"SWIFT_DETERMINISTIC_HASHING": "1"}
    suite.command("each exclusion covers the case that shows it", [program, "--shown"], env=order)
    suite.note = f"seed {SEED}"
    summary = LOGS / "differential.json"
    summary.unlink(missing_ok=True)
    compare = [program, "--seed", SEED, "--count", PIPELINES, "--summary", summary]
    status, _ = suite.run(compare, order, timeout=600)
    if suite.check("ran to its end", summary.exists(), f"exit status {status}"):
        found = json.loads(summary.read_text(encoding="utf-8"))
        names = [f"--seed {seed} --count 1" for seed in found["different"]]
        suite.add(found["same"], len(names), found["excluded"], names, status, "pipelines")
