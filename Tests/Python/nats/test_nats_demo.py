"""Examples/Cluster, the demo: workers in C, Python and Swift that share a consumer, and are killed."""

import fcntl
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

import pytest
from nats_server import LIMIT, until

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAMS = ("cluster-producer", "cluster-worker", "cluster-worker-swift")
SUMMARY = re.compile(r"([\d,]+) jobs published, ([\d,]+) done, ([\d,]+) left\.")
SHARE = re.compile(r"did ([\d,]+), ([\d,]+) of them again\.")


class Demo:
    """What is needed to run the demo in a folder that must be empty afterwards."""

    def __init__(self, folder):
        self.scratch, self.programs = folder / "scratch", folder / "programs"
        self.scratch.mkdir()
        self.programs.mkdir()
        for each in PROGRAMS:
            built = ROOT / "build" / "bin" / each
            assert built.exists(), f"{built} is not there: make check-nats builds it"
            (self.programs / each).symlink_to(built)
        # Processes that it leaves are found by their environment.
        self.mark = f"STREAMS_DEMO_TEST={folder}"
        name, value = self.mark.split("=")
        self.environment = {**os.environ, name: value, "TMPDIR": str(self.scratch), "TERM": "xterm"}

    def command(self, *options):
        return [sys.executable, str(ROOT / "Examples/Cluster/cluster.py"), f"--programs={self.programs}", *options]

    def start(self, *options):
        return subprocess.Popen(
            self.command(*options),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self.environment,
        )

    def processes(self):
        """The command lines of those that are left, by their numbers."""
        return dict(self._processes())

    def _processes(self):
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if self.mark.encode() in (folder / "environ").read_bytes().split(b"\0"):
                    yield int(folder.name), (folder / "cmdline").read_bytes()
            except OSError:  # it is another user's, or has ended
                continue

    def assert_nothing_is_left(self):
        assert not self.processes()
        assert not list(self.scratch.iterdir())


@pytest.fixture
def demo(tmp_path):
    demo = Demo(tmp_path)
    yield demo
    until(lambda: not demo.processes())


def numbers(match):
    return [int(each.replace(",", "")) for each in match]


def wait_for_work(process):
    """Reads its lines until jobs are done."""
    for line in process.stdout:
        if re.search(r"worker-1 C running [\d,]+/s [1-9]", line):
            return
    raise AssertionError(process.stderr.read())


@pytest.mark.parametrize("kills", [["--no-kills"], ["--kill-every=1.5"]])
def test_every_job_is_done(demo, kills):
    process = demo.start("--workers=c,python,swift", "--seconds=6", "--rate=800", *kills)
    text, errors = process.communicate(timeout=4 * LIMIT)
    assert (process.returncode, errors) == (0, "")
    published, done, left = numbers(SUMMARY.search(text).groups())
    assert published > 1000 and done == published and left == 0
    shares = [numbers(each) for each in SHARE.findall(text)]
    assert len(shares) == 3 and all(total for total, _ in shares)
    killed = len(re.findall("worker-. was killed", text))
    if kills == ["--no-kills"]:
        assert killed == 0
        assert sum(total - again for total, again in shares) == published
    else:
        assert killed >= 1 and "was started again" in text
    demo.assert_nothing_is_left()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it(demo, number):
    process = demo.start("--workers=c,c")
    wait_for_work(process)
    assert len(demo.processes()) == 5  # itself, the server, the producer, the workers
    process.send_signal(number)
    text, errors = process.communicate(timeout=LIMIT)
    assert (process.returncode, errors) == (0, "")
    published, done, left = numbers(SUMMARY.search(text).groups())
    assert published == done + left > 0
    demo.assert_nothing_is_left()


def test_no_process_outlives_it(demo):
    process = demo.start("--workers=c,python")
    wait_for_work(process)
    process.kill()
    process.communicate()
    until(lambda: not demo.processes())


def test_it_says_which_member_has_ended(demo):
    worker = demo.programs / "cluster-worker"
    worker.unlink()
    worker.write_text("#!/bin/sh\necho no work today >&2\nexit 3\n")
    worker.chmod(0o755)
    process = demo.start("--workers=c,python")
    _, errors = process.communicate(timeout=LIMIT)
    assert process.returncode == 1
    assert errors == "demo-cluster: worker-1 has ended by itself, with status 3: no work today\n"
    demo.assert_nothing_is_left()


def test_it_says_that_the_server_has_ended(demo):
    process = demo.start("--workers=c,python")
    wait_for_work(process)
    [server] = [each for each, command in demo.processes().items() if b"nats-server" in command]
    os.kill(server, signal.SIGKILL)
    _, errors = process.communicate(timeout=LIMIT)
    assert process.returncode == 1
    assert errors.startswith("demo-cluster: nats-server has ended, with status -9: ")
    demo.assert_nothing_is_left()


def test_it_does_without_swift(demo):
    (demo.programs / "cluster-worker-swift").unlink()
    process = demo.start("--workers=swift,c", "--seconds=1")
    text, _ = process.communicate(timeout=LIMIT)
    assert process.returncode == 0
    assert "no worker in Swift" in text and "worker-1 in C did" in text and "worker-2" not in text
    process = demo.start("--workers=swift")
    _, errors = process.communicate(timeout=LIMIT)
    assert process.returncode == 1 and errors.startswith("demo-cluster: there is no worker")
    demo.assert_nothing_is_left()


def plain(text):
    """Text of a terminal, without what moves the cursor and colors."""
    return re.sub(r"\x1b\[[?\d;]*[A-Za-z]", "", text)


def in_terminal(demo, *options):
    """Runs it in a terminal of 24 lines, presses Ctrl-C when jobs are published, and returns its status and its output."""
    process, terminal = pty.fork()
    if process == 0:
        os.execvpe(sys.executable, demo.command(*options), demo.environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
    written, pressed, end = b"", False, time.monotonic() + LIMIT
    while time.monotonic() < end + LIMIT:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                written += os.read(terminal, 65536)
            except OSError:  # the program has ended
                break
        works = re.search(r"producer +C +● running +[1-9]", plain(written.decode(errors="ignore")))
        if not pressed and (works or time.monotonic() > end):
            pressed = bool(os.write(terminal, b"\x03"))
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), written.decode()


def test_the_view_is_drawn_in_place(demo):
    status, text = in_terminal(demo, "--workers=c,c")
    assert status == 0
    frames = text.split("\x1b[J")
    assert len(frames) > 3 and text.count("\x1b[?25l") == text.count("\x1b[?25h") == 1
    for frame in frames[:-1]:
        lines = plain(frame).replace("^C", "").split("\r\n")
        assert max(map(len, lines)) <= 80 and len(lines) <= 24
        assert "Streams on NATS JetStream" in frame and "lag" in frame
    assert SUMMARY.search(frames[-1])
    demo.assert_nothing_is_left()
