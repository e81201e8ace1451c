"""A nats-server of the demo's own: on a free port of the loopback, with a folder of its own."""

import ctypes
import json
import os
import shutil
import signal
import subprocess
import time

_libc = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


def _die_with_parent():
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def find():
    """The path of nats-server, or None. Debian has it in a folder where only root looks."""
    return shutil.which("nats-server", path=os.environ.get("PATH", os.defpath) + ":/usr/sbin")


class Server:
    """Runs for a `with` block. What it keeps is in the folder, which is not its to remove."""

    def __init__(self, program, folder):
        self.log = folder / "server.log"
        self.ports = folder / "ports"
        # It chooses the port itself, and writes it into a file.
        where = ["-a", "127.0.0.1", "-p", "-1", "--ports_file_dir", str(self.ports)]
        self.command = [program, *where, "-js", "-sd", str(folder / "store"), "-l", str(self.log)]

    def __enter__(self):
        self.ports.mkdir()
        # Begun before there are threads, which a function between fork and exec might not survive. In a session of its own
        # it gets no Ctrl-C.
        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_die_with_parent,
        )
        try:
            self.url = self._address()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _address(self, limit=20):
        file = self.ports / f"nats-server_{self.process.pid}.ports"
        end = time.monotonic() + limit
        while time.monotonic() < end:
            self.check()
            try:
                return json.loads(file.read_text())["nats"][0]
            except (FileNotFoundError, json.JSONDecodeError):  # it is not there yet, or not all of it
                time.sleep(0.02)
        raise RuntimeError(f"nats-server has not started within {limit} s: {self._said()}")

    def check(self):
        """Raises a RuntimeError if it has ended."""
        if self.process.poll() is not None:
            raise RuntimeError(f"nats-server has ended, with status {self.process.returncode}: {self._said()}")

    def _said(self):
        return self.log.read_text().strip()[-500:] if self.log.exists() else "it wrote nothing"

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
