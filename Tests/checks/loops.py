"""A suite that types at the examples which search when the typing pauses."""

import shlex
import subprocess

from .settings import BUILD, CC, PYTHON, ROOT, STRICT
from .suite import environment

# What is typed at once, and what then comes out: the last of it.
TYPED = {"h\nhe\nhel\n": "hel", "w\nwo\n": "wo", "x\n": "x"}
LOOPS = {"epoll": "", "libuv": "libuv", "glib": "glib-2.0"}


def types_at(suite, name, command, expected):
    """Types each burst when the search for the one before has been printed. The program ends at the end of its input."""
    process = subprocess.Popen(
        [str(part) for part in command], env=environment(), text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        for burst, last in TYPED.items():
            process.stdin.write(burst)
            process.stdin.flush()
            line = process.stdout.readline()
            suite.check(f"{name}: {last}", line == expected(last), f"{line!r}")
        _, errors = process.communicate(timeout=60)
        suite.check(f"{name}: ends", process.returncode == 0 and not errors, f"{process.returncode} {errors[-400:]}")
    finally:
        process.kill()
        process.wait()


def suite_loops(suite):
    """Examples/C/loops in an epoll, a libuv and a GLib loop, and Examples/Python/search.py on asyncio."""
    library = BUILD / "lib"
    for name, package in LOOPS.items():
        program = BUILD / "bin" / f"search-{name}"
        program.parent.mkdir(parents=True, exist_ok=True)
        flags = subprocess.getoutput(f"pkg-config --cflags --libs {package}") if package else ""
        source = ROOT / "Examples/C/loops" / f"{name}.c"
        command = [CC, "-std=gnu11", *STRICT, "-O1", "-g", f"-I{ROOT / 'Include'}", source, "-o", program]
        command += [f"-L{library}", "-lstreams", f"-Wl,-rpath,{library}", *shlex.split(flags)]
        if suite.command(f"{name}: compiles", command)[0]:
            types_at(suite, name, [program], "search for {}\n".format)
    search = ROOT / "Examples/Python/search.py"
    types_at(suite, "asyncio", [PYTHON, "-X", "dev", search], lambda last: f"{last}: {last.upper()}\n")
