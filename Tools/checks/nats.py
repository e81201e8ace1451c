"""The suites of libstreams_nats.so and streams.nats, against servers that they start."""

import os
import time

from . import fuzz_c
from .c import run_program, run_under_valgrind
from .python import run_tests
from .settings import BUILD, CC, PYTHON, ROOT

FOLDER = ROOT / "Tests" / "NATS"
BUILT = BUILD / "tests" / "nats"


def build(suite):
    suite.needs("Tests/NATS", "Tests/Python/nats")
    return suite.command("make", ["make", "nats-tests", f"CC={CC}"])[0]


def build_in_swift(suite):
    """The processes of the tests, and the demo's worker."""
    command = ["make", "nats-processes", "build/bin/cluster-worker-swift"]
    return suite.command("make, in Swift", command, timeout=1800)[0]


def workers():
    """The commands of four workers."""
    in_c, in_swift = BUILT / "worker", BUILT / "nats-worker"
    return [f"{in_c}", f"{PYTHON} {FOLDER / 'workers' / 'worker.py'}", f"{in_swift}", f"{in_c}"]


def run_workers(suite, count):
    """So many messages through workers and a server that are killed: Tests/NATS/test_workers.c."""
    env = {"STREAMS_NATS_MESSAGES": str(count), "STREAMS_NATS_WORKERS": "\n".join(workers())}
    suite.command(f"{count} messages by workers that are killed", [BUILT / "test_workers"], env=env, timeout=3600)


def fuzz(suite, seconds, seed):
    """Random calls of every function of the header; one that the fuzzer does not know does not build. The library's own
    sources are in it, with the sanitizers."""
    sources = [*(fuzz_c.SOURCES / "NATS").glob("*.c"), FOLDER / "support" / "server.c"]
    sources += (ROOT / "Sources" / "CStreamsNATS").glob("*.c")
    options = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer"]
    options += ["-Wno-format-truncation", "-U_GNU_SOURCE", "-DFUZZ_FIELDS=20", "-ITests/Fuzz/NATS", "-ITests/NATS/support"]
    options += ["-Lbuild/lib", "-lstreams", f"-Wl,-rpath,{BUILD / 'lib'}", "-lnats", "-lcmocka"]
    program = fuzz_c.build(suite, "fuzz-nats", options, sources=sources, library=["nats"])
    if program:
        command, env = [program, seconds, seed], fuzz_c.SANITIZER_OPTIONS
        suite.command(f"random calls, seed {seed}", command, env=env, timeout=seconds + 300)


def suite_nats(suite):
    """The library, and each program of Tests/NATS, one after another: they wait for servers that stop and start again. Then
    the tests of Python."""
    if not build(suite) or not build_in_swift(suite):
        return
    fuzz(suite, 10, 1)
    for source in sorted(FOLDER.glob("*.c")):
        if source.stem != "test_workers":
            run_program(suite, source.stem, BUILT / source.stem)
    run_workers(suite, 20_000)
    # Where the library is named, none of them is skipped.
    library = {"STREAMS_NATS_LIBRARY": str(BUILD / "lib" / "libstreams_nats.so")}
    run_tests(suite, "Tests/Python/nats", at_once=2, environment=library)


def suite_nats_long(suite):
    """Each program of Tests/NATS under valgrind."""
    if build(suite):
        for source in sorted(FOLDER.glob("*.c")):
            run_under_valgrind(suite, (source.stem, BUILT / source.stem))


def suite_fuzz_nats_long(suite):
    """New random calls for FUZZ_SECONDS; FUZZ_SEED chooses them."""
    fuzz(suite, int(float(os.environ.get("FUZZ_SECONDS") or 600)), os.environ.get("FUZZ_SEED") or int(time.time()))
