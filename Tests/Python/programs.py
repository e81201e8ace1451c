"""Programs that tests run in an interpreter of their own."""

import signal
import subprocess
import sys
import textwrap

# In development mode asyncio warns of what takes long, as everything may on a busy machine.
_NOT_OF_TIME = "import logging; logging.getLogger('asyncio').setLevel(logging.ERROR); "


def timeless(program):
    """A program to which asyncio says nothing of time. Its lines have the same numbers."""
    return _NOT_OF_TIME + program if "asyncio" in program else program


def run(program, *options, interruptible=False):
    """Runs a program, which may be indented, with options of the interpreter; Ctrl-C may interrupt it."""
    return subprocess.run(
        [sys.executable, *options, "-c", timeless(textwrap.dedent(program))],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
        preexec_fn=let_interrupt if interruptible else None,
    )


def let_interrupt():
    signal.signal(signal.SIGINT, signal.default_int_handler)
