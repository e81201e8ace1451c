"""The suite of libstreams_nats.so, against servers that it starts."""

from .c import run_program
from .settings import BUILD, CC, ROOT


def suite_nats(suite):
    """The library, and each program of Tests/NATS, one after another: they wait for servers that stop and start again."""
    suite.needs("Tests/NATS")
    if not suite.command("make", ["make", "nats-tests", f"CC={CC}"])[0]:
        return
    for source in sorted((ROOT / "Tests" / "NATS").glob("*.c")):
        run_program(suite, source.stem, BUILD / "tests" / "nats" / source.stem)
