"""The producer and the workers: processes, and what they report."""

import collections
import json
import subprocess
import time

LANGUAGES = {"c": "C", "python": "Python", "swift": "Swift"}
SHOWN = 16  # values of a history


class Member:
    """A process that reports `total` and `again` on its subject, and once more on its standard output when it ends. It ends
    when its standard input does: at the latest with this process."""

    def __init__(self, name, language, command, folder):
        self.name, self.language, self.command = name, LANGUAGES[language], [str(each) for each in command]
        self.log = folder / f"{name}.log"
        self.process = None
        self.state = "starting"
        self.rate = 0.0
        self.rates = collections.deque([0.0] * SHOWN, SHOWN)
        self._before = self._now = (0, 0)  # total and again: of the lives that are over, and of this one
        self._reported = None  # when

    @property
    def total(self):
        return self._before[0] + self._now[0]

    @property
    def again(self):
        return self._before[1] + self._now[1]

    def start(self):
        self.state, self._reported = "starting", None
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,  # without a terminal, whose Ctrl-C it would get
            )

    def kill(self):
        """SIGKILL, if it runs: what it has not reported is not counted."""
        if self.process is not None:
            self.process.kill()
            self._end("killed")

    def stop(self, patience=20):
        """Ends it, and reads its last report. Kills it if that takes too long, and raises a RuntimeError."""
        if self.process is None:
            return
        try:
            report, _ = self.process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            self.kill()
            raise RuntimeError(f"{self.name} did not end within {patience} s") from None
        if self.process.returncode:
            self._fail()
        self.take(json.loads(report))
        self._end("ended")

    def _end(self, state):
        self.process.communicate()
        self.process, self.state, self.rate = None, state, 0.0
        self._before, self._now = (self.total, self.again), (0, 0)

    def take(self, report):
        """Takes a report."""
        if self.process is None:
            return  # one that was on its way when it was killed
        now, total = time.monotonic(), report["total"]
        if self._reported is not None:
            self.rate = (total - self._now[0]) / max(now - self._reported, 0.001)
        self.state, self._reported, self._now = "running", now, (total, report["again"])

    def tick(self):
        """Adds to the history. Raises a RuntimeError if the process has ended by itself."""
        if self.process is not None and self.process.poll() is not None:
            self._fail()
        if self._reported is not None and time.monotonic() - self._reported > 2:
            self.rate = 0.0
        self.rates.append(self.rate)

    def _fail(self):
        said = self.log.read_text().strip()[-500:] or "it wrote nothing"
        raise RuntimeError(f"{self.name} has ended by itself, with status {self.process.returncode}: {said}")
