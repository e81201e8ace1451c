"""A suite: what it runs, what it counts, and its log."""

import os
import shlex
import signal
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from .settings import LIBRARY, LOGS, ROOT, SWIFT

# What a suite must not see: the make that called us, and compilers that SwiftPM would take for its own.
HIDDEN = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "CC", "CXX"}

TEXT = {"encoding": "utf-8", "errors": "replace"}


def environment():
    """What every suite sees: this tree's Python package and library, and no trace of the make that called us."""
    env = {k: v for k, v in os.environ.items() if k not in HIDDEN}
    env.update(
        PYTHONPATH=str(ROOT / "Bindings" / "Python"),
        PYTHONDONTWRITEBYTECODE="1",
        STREAMS_LIBRARY=str(LIBRARY),
        STREAMS_ROOT=str(ROOT),
        SWIFT=SWIFT,
    )
    if "CHECKED_LIBRARY" in os.environ:
        env["LD_LIBRARY_PATH"] = str(LIBRARY.parent)
    return env


class Suite:
    """Counts what passed and failed, and keeps the log. Threads have parts of a suite of their own: see `at_once`."""

    def __init__(self, name, log=None):
        self.name = name
        self.passed = self.failed = self.skipped = 0
        self.failures = []
        self.note = ""
        self.seconds = 0.0
        self.path = LOGS / f"{name}.log"
        self.log = log or open(self.path, "w+", **TEXT)

    def at_once(self, job, items):
        """Calls `job(part, item)` for each item, as many at a time as there are processors. Returns what they return.

        A part counts and logs as a suite does. In the items' order the parts are added to this suite.
        """

        def run(item):
            part = Suite(self.name, tempfile.TemporaryFile("w+", **TEXT))
            return part, job(part, item)

        results = []
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for part, result in pool.map(run, items):
                self.absorb(part)
                results.append(result)
        return results

    def absorb(self, part):
        self.add(part.passed, part.failed, part.skipped, part.failures)
        self.note += part.note
        part.log.seek(0)
        self.say(part.log.read())
        part.log.close()

    def say(self, text):
        self.log.seek(0, os.SEEK_END)
        self.log.write(text if text.endswith("\n") else text + "\n")
        self.log.flush()

    def check(self, name, good, reason=""):
        """Counts one test of our own."""
        if good:
            self.passed += 1
            self.say(f"ok      {name}")
        else:
            self.failed += 1
            self.failures.append(f"{name}: {reason}" if reason else name)
            self.say(f"FAILED  {self.failures[-1]}")
        return good

    def run(self, command, env=None, timeout=600, split=False, quiet=False):
        """Runs a command, adds its output to the log and returns (exit status, output).

        With `split`, the output returned is standard output alone; with `quiet` too, the log does without it. A
        command that takes longer than `timeout` seconds is killed with all it started, and has the status 124.
        """
        command = [str(part) for part in command]
        self.say(f"\n$ {shlex.join(command)}")
        start = self.log.seek(0, os.SEEK_END)
        try:
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**environment(), **(env or {})},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE if split else self.log,
                stderr=self.log,
                start_new_session=True,
            )
        except OSError as error:
            self.say(str(error))
            return 127, str(error)
        out = b""
        try:
            out = process.communicate(timeout=timeout)[0] or b""
            status = process.returncode
        except subprocess.TimeoutExpired:
            status = 124
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        if status == 124:
            out = process.communicate()[0] or b""
        text = out.decode("utf-8", "replace")
        if split:
            self.say(f"({len(text)} characters)" if quiet else text)
        else:
            self.log.flush()
            self.log.seek(start)
            text = self.log.read()
        if status == 124:
            self.say(f"killed after {timeout} seconds")
        elif status:
            self.say(f"exit status {status}")
        return status, text

    def command(self, name, command, **options):
        """Runs a command as one test: it passes if the status is 0. Returns (passed, output)."""
        status, text = self.run(command, **options)
        return self.check(name, status == 0, f"exit status {status}"), text

    def add(self, passed, failed, skipped, names, status=0, what=""):
        """Adds the counts of another runner; a bad exit status is a failure even if it reported none."""
        self.passed += passed
        self.failed += failed
        self.skipped += skipped
        self.failures += names
        if status and not failed:
            self.check(what, False, f"exit status {status} without a failed test")

    def finish(self):
        if self.passed + self.failed == 0:
            self.check(self.name, False, "ran no test")
        self.log.close()

    def needs(self, *folders):
        """A suite whose files are not there fails."""
        missing = [folder for folder in folders if not (ROOT / folder).exists()]
        for folder in missing:
            self.check(folder, False, "does not exist")
        return not missing
