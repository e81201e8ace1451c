"""Runs the suites of `make check` and prints one line for each.

    python3 Tests/run_checks.py [SUITE ...]

Every suite writes its output to build/logs/SUITE.log. The exit status is 0 only if every suite ran at least one test
and none failed. The suites are in Tests/checks. Standard library only; `make check` builds the library and installs
the tools first.
"""

import pathlib
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "tools"))
from checks import ON_REQUEST, SUITES  # noqa: E402
from checks.settings import LOGS, ROOT  # noqa: E402
from checks.suite import Suite  # noqa: E402


def line(suite):
    counts = f"{suite.passed:5} passed, {suite.failed} failed, {suite.skipped} skipped"
    return f"{suite.name:<13}{counts:<42}{suite.seconds:7.1f} s  {suite.note}".rstrip()


def main(names):
    known = {**SUITES, **ON_REQUEST}
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f"no such suite: {' '.join(unknown)}; there are: {' '.join(known)}")
    LOGS.mkdir(parents=True, exist_ok=True)
    done = []
    for name in names or SUITES:
        print(f"{name} ...", flush=True)
        suite = Suite(name)
        start = time.monotonic()
        try:
            known[name](suite)
        except Exception as error:  # a suite that breaks is a failed one; the others still run
            suite.check(name, False, f"{type(error).__name__}: {error}")
        suite.finish()
        suite.seconds = time.monotonic() - start
        done.append(suite)
        if suite.failed:
            tail = suite.path.read_text(encoding="utf-8", errors="replace").splitlines()[-80:]
            print(f"---- the end of {suite.path.relative_to(ROOT)} " + "-" * 40, *tail, sep="\n")
            print("---- failed in " + name + " " + "-" * 50, *suite.failures[:50], sep="\n  ", flush=True)
    print()
    for suite in done:
        print(line(suite))
    failed = sum(suite.failed for suite in done)
    print(f"all suites took {sum(suite.seconds for suite in done):.1f} s; their output is in {LOGS.relative_to(ROOT)}")
    print(
        f"total: {sum(suite.passed for suite in done)} passed, {failed} failed, "
        f"{sum(suite.skipped for suite in done)} skipped"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
