"""The suite of libstreams_nats.so and streams.nats, against servers that it starts."""

import re

import header_text  # Tools/header_text.py

from .c import run_program
from .python import run_tests
from .settings import BUILD, CC, ROOT


def build(suite):
    suite.needs("Tests/NATS", "Tests/Python/nats")
    return suite.command("make", ["make", "nats-tests", f"CC={CC}"])[0]


def run_workers(suite, count):
    """So many messages through workers and a server that are killed: Tests/NATS/test_workers.c."""
    if build(suite):
        program, env = BUILD / "tests" / "nats" / "test_workers", {"STREAMS_NATS_MESSAGES": str(count)}
        suite.command(f"{count} messages by workers that are killed", [program], env=env, timeout=3600)


def suite_nats(suite):
    """The library, and each program of Tests/NATS, one after another: they wait for servers that stop and start again. Then
    the tests of Python."""
    if not build(suite):
        return
    misuse = (ROOT / "Tests" / "NATS" / "test_misuse.c").read_text(encoding="utf-8")
    names = set(re.findall(r"STREAMS_API [^;]*?(streams_nats_\w+)\(", header_text.text(header_text.NATS_HEADER)))
    names = {name for name in names if not re.search(rf"\b{name}\b", misuse)}
    suite.check("test_misuse.c calls every function", not names, " ".join(sorted(names)))
    for source in sorted((ROOT / "Tests" / "NATS").glob("*.c")):
        run_program(suite, source.stem, BUILD / "tests" / "nats" / source.stem)
    # Where the library is named, none of them is skipped.
    library = {"STREAMS_NATS_LIBRARY": str(BUILD / "lib" / "libstreams_nats.so")}
    run_tests(suite, "Tests/Python/nats", at_once=2, environment=library)
