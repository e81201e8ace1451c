"""Programs that tests run in an interpreter of their own."""

import signal
import subprocess
import sys
import textwrap


def run(program, *options, interruptible=False):
    """Runs a program, which may be indented, with options of the interpreter; Ctrl-C may interrupt it."""
    return subprocess.run(
        [sys.executable, *options, "-c", textwrap.dedent(program)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
        preexec_fn=let_interrupt if interruptible else None,
    )


def let_interrupt():
    signal.signal(signal.SIGINT, signal.default_int_handler)
