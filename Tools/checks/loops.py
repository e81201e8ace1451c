"""A suite of the examples that wait: for a pause in what is typed, or for a server."""

import shlex
import socket
import subprocess

from .settings import BUILD, CC, PYTHON, ROOT, STRICT
from .suite import environment

# What is typed at once, and what then comes out: the last of it.
TYPED = {"h\nhe\nhel\n": "hel", "w\nwo\n": "wo", "x\n": "x"}
LOOPS = {"epoll": "", "libuv": "libuv", "glib": "glib-2.0"}


def started(command):
    return subprocess.Popen(
        [str(part) for part in command], env=environment(), text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def types_at(suite, name, command, expected):
    """Types each burst when the search for the one before has been printed. The program ends at the end of its input."""
    process = started(command)
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


def polls(suite, name, command):
    """Has a server begin to listen when the program has been refused."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        process = started([*command, server.getsockname()[1]])
        try:
            line = process.stdout.readline()
            suite.check(f"{name}: is refused", line == "Connection refused\n", f"{line!r}")
            server.listen()
            server.settimeout(60)
            connection, _ = server.accept()
            with connection:
                connection.sendall(b"hello\n")
            output, errors = process.communicate(timeout=60)
            *refused, last = output.splitlines(keepends=True) or [""]
            right = last == "hello\n" and set(refused) <= {line} and process.returncode == 0 and not errors
            suite.check(f"{name}: is answered", right, f"{process.returncode} {output!r} {errors[-400:]}")
        finally:
            process.kill()
            process.wait()


def compiled(suite, name, source, package=""):
    """Compiles an example. Returns the program, or None."""
    program, library = BUILD / "bin" / name, BUILD / "lib"
    program.parent.mkdir(parents=True, exist_ok=True)
    flags = subprocess.getoutput(f"pkg-config --cflags --libs {package}") if package else ""
    command = [CC, "-std=gnu11", *STRICT, "-O1", "-g", f"-I{ROOT / 'Include'}", source, "-o", program]
    command += [f"-L{library}", "-lstreams", f"-Wl,-rpath,{library}", *shlex.split(flags)]
    return program if suite.command(f"{name}: compiles", command)[0] else None


def suite_loops(suite):
    """The examples that wait: in C, in an epoll, a libuv and a GLib loop too, and in Python, on asyncio too."""
    examples = ROOT / "Examples"
    for name, package in LOOPS.items():
        program = compiled(suite, f"search-{name}", examples / f"C/loops/{name}.c", package)
        if program:
            types_at(suite, name, [program], "search for {}\n".format)
    python = [PYTHON, "-X", "dev"]
    types_at(suite, "asyncio", [*python, examples / "Python/search.py"], lambda last: f"{last}: {last.upper()}\n")
    for language, run in (("Python", lambda name: [*python, examples / f"Python/{name}.py"]),
                          ("C", lambda name: [compiled(suite, name, examples / f"C/{name}.c")])):  # fmt: skip
        types_at(suite, f"slider in {language}", run("slider"), "drawn at {}\n".format)
        polls(suite, f"polling in {language}", run("polling"))
