"""Runs the suites of `make check` and prints one line for each.

    python3 Tools/run_checks.py [SUITE or test, check, long ...]

Those that build with SwiftPM run one after another, beside the others, which do so too: a build has long stretches with
work for one processor. So has that of the library, which is one of the others: who needs it waits for it. Every suite
writes its output to build/logs/SUITE.log. The exit status is 0 only if every suite ran at least one test and none
failed. The suites are in Tools/checks. Standard library only; `make check` installs the tools first.
"""

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
from checks import BUILD_SWIFT, SUITES, TIERS, WITHOUT_LIBRARY  # noqa: E402
from checks.settings import LOGS, ROOT  # noqa: E402
from checks.suite import Suite  # noqa: E402


def line(suite):
    counts = f"{suite.passed:5} passed, {suite.failed} failed, {suite.skipped} skipped"
    return f"{suite.name:<13}{counts:<42}{suite.seconds:7.1f} s  {suite.note}".rstrip()


built = threading.Event()
built.set()


def run(name):
    if name not in WITHOUT_LIBRARY and name != "build":
        built.wait()
    print(f"{name} ...", flush=True)
    suite = Suite(name)
    start = time.monotonic()
    try:
        SUITES[name](suite)
    except Exception as error:  # a suite that breaks is a failed one; the others still run
        suite.check(name, False, f"{type(error).__name__}: {error}")
    if name == "build":
        built.set()
    suite.finish()
    suite.seconds = time.monotonic() - start
    if suite.failed:
        tail = suite.path.read_text(encoding="utf-8", errors="replace").splitlines()[-80:]
        report = [f"---- the end of {suite.path.relative_to(ROOT)} " + "-" * 40, *tail]
        report += ["---- failed in " + name + " " + "-" * 50, *(f"  {each}" for each in suite.failures[:50])]
        print("\n".join(report), flush=True)
    return suite


def main(names):
    unknown = [name for name in names if name not in {**SUITES, **TIERS}]
    if unknown:
        sys.exit(f"no such suite: {' '.join(unknown)}; there are: {' '.join([*TIERS, *SUITES])}")
    LOGS.mkdir(parents=True, exist_ok=True)
    asked = {each for name in names or ["check"] for each in TIERS.get(name, [name])}
    if asked - WITHOUT_LIBRARY:
        asked.add("build")
        built.clear()
    names = [name for name in SUITES if name in asked]
    start = time.monotonic()
    rows = [[name for name in names if (name in BUILD_SWIFT) == builds] for builds in (True, False)]
    with ThreadPoolExecutor(len(rows)) as pool:
        done = sum(pool.map(lambda row: [run(name) for name in row], rows), [])
    done.sort(key=lambda suite: names.index(suite.name))
    print()
    for suite in done:
        print(line(suite))
    # Once more, at the end: of a long output often no more than that is kept.
    for suite in done:
        for each in suite.failures[:10]:
            print(f"failed in {suite.name}: {each}")
    failed = sum(suite.failed for suite in done)
    print(f"all suites took {time.monotonic() - start:.1f} s; their output is in {LOGS.relative_to(ROOT)}")
    print(
        f"total: {sum(suite.passed for suite in done)} passed, {failed} failed, "
        f"{sum(suite.skipped for suite in done)} skipped"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
