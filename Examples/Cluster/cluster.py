"""The demo of StreamsNATS: `make demo-cluster`.

Starts a nats-server, a producer, and workers in several languages that share one consumer; shows what they do, and now and
then kills a worker and starts it again. Ctrl-C stops everything, and nothing is left behind.
"""

import argparse
import collections
import pathlib
import signal
import sys
import tempfile

import server
from crew import LANGUAGES, SHOWN, Member
from streams import EventLoop, Interval
from view import view

try:
    from streams import nats
except ImportError as error:
    sys.exit(f"demo-cluster: {error}")

HERE = pathlib.Path(__file__).resolve().parent
DEAD = 2  # seconds that a worker is not there after it was killed
WAIT = 2  # seconds after which a job that nobody has acknowledged comes again
WORK = 500  # microseconds that a job takes
DRAIN = 60  # seconds that the jobs that are left may take


class Cluster:
    """The processes, where the consumer is, and what is done when. Everything happens on the thread of the loop."""

    def __init__(self, loop, connection, producer, workers, shown):
        self.loop, self.connection, self.producer, self.workers = loop, connection, producer, workers
        self.members = {each.name: each for each in (producer, *workers)}
        self.view = shown
        self.began = loop.now
        self.hint = "Ctrl-C stops everything."
        self.waiting = self.under_way = 0
        self.lags = collections.deque([0] * SHOWN, SHOWN)
        self.error = None
        self.running = []  # streams, which run as long as they are kept
        self.stream = connection.stream("JOBS")
        self.consumer = self.stream.consumer("workers", acknowledge_wait=WAIT)

    @property
    def seconds(self):
        return self.loop.now - self.began

    def event(self, text):
        self.view.event(self.seconds, text)

    def start(self, check, seconds, kill_every):
        self.stream.create(["jobs"])
        self.consumer.create()
        reports = self.connection.subject("stats.*").map(lambda each: (each.subject.split(".")[1], each.json()))
        self.running.append(reports.receive_on(self.loop).sink(self.take, self.end))
        self.running.append(Interval(0.5, self.loop).sink(lambda _: self.tick(check), self.end))
        if kill_every:
            self.running.append(Interval(kill_every, self.loop).sink(self.kill, self.end))
        if seconds is not None:
            self.running.append(Interval(seconds, self.loop, count=1).sink(lambda _: self.finish(), self.end))
        for each in self.members.values():
            each.start()

    def end(self, error):
        """A stream has ended: one of those that go on, with an error."""
        if error is not None:
            self.error = error
            self.loop.stop()

    def take(self, named):
        name, report = named
        self.members[name].take(report)

    def tick(self, check):
        check()
        for each in self.members.values():
            each.tick()
        self.look()
        self.view.draw(self)
        if self.producer.state == "ended" and self.is_done:
            self.loop.stop()

    def look(self):
        """Asks the server where the consumer is."""
        found = self.consumer.info()
        self.waiting, self.under_way, self.acknowledged = found.pending, found.acknowledge_pending, found.acknowledged
        self.lags.append(self.waiting)

    @property
    def is_done(self):
        return not self.waiting and not self.under_way and self.acknowledged == self.producer.total

    def kill(self, number):
        """Kills a worker, one after another, unless one of them is not there."""
        if any(each.state != "running" for each in self.workers) or self.producer.state == "ended":
            return
        worker = self.workers[number % len(self.workers)]
        worker.kill()
        self.event(f"{worker.name} was killed; what it has not done comes again after {WAIT} s")
        self.running.append(Interval(DEAD, self.loop, count=1).sink(lambda _: self.revive(worker), self.end))

    def revive(self, worker):
        worker.start()
        self.event(f"{worker.name} was started again")

    def finish(self):
        """Stops the producer, and waits until all jobs are done."""
        self.producer.stop()
        self.event(f"the producer has ended: {self.producer.total:,} jobs, and {self.waiting:,} are waiting")
        self.running.append(Interval(DRAIN, self.loop, count=1).sink(lambda _: self.give_up(), self.end))

    def give_up(self):
        raise RuntimeError(f"{self.waiting + self.under_way} jobs are not done after {DRAIN} s")

    def stop(self):
        """Stops all, and says what was done. Returns the status of the program."""
        self.running.clear()
        self.hint = "Over."
        for step in (*(each.stop for each in self.members.values()), self.look):
            try:
                if self.error is None:
                    step()
            except Exception as error:
                self.error = error
        for each in self.members.values():
            each.kill()  # those that were not stopped, because of the error
        self.view.draw(self)
        self.view.close()
        if self.error is not None:
            print(f"demo-cluster: {self.error}", file=sys.stderr)
            return 1
        self.summarize()
        return 0

    def summarize(self):
        published, left = self.producer.total, self.waiting + self.under_way
        print(f"{published:,} jobs published, {published - left:,} done, {left:,} left.")
        for each in self.workers:
            print(f"{each.name} in {each.language} did {each.total:,}, {each.again:,} of them again.")


def crew(options, folder, url):
    """The producer and the workers."""
    commands = {
        "c": [options.programs / "cluster-worker"],
        "python": [sys.executable, HERE / "worker.py"],
        "swift": [options.programs / "cluster-worker-swift"],
    }
    workers = []
    for number, each in enumerate(options.workers, 1):
        name = f"worker-{number}"
        workers.append(Member(name, each, [*commands[each], url, name, str(WORK)], folder))
    rate = options.rate or 1000 * len(workers)
    return Member("producer", "c", [options.programs / "cluster-producer", url, str(rate)], folder), workers


def run(options, loop, program):
    left_out = "swift" in options.workers and not (options.programs / "cluster-worker-swift").exists()
    if left_out:
        options.workers = [each for each in options.workers if each != "swift"]
    if not options.workers:
        sys.exit("demo-cluster: there is no worker: Swift has not built the one in Swift (https://www.swift.org/install)")
    with tempfile.TemporaryDirectory(prefix="streams-cluster-") as name:
        folder = pathlib.Path(name)
        with server.Server(program, folder) as running, nats.Connection(running.url, name="view") as connection:
            cluster = Cluster(loop, connection, *crew(options, folder, running.url), view())
            if left_out:
                cluster.event("there is no worker in Swift, since there was no Swift toolchain to build it")
            try:
                cluster.start(running.check, options.seconds, options.kill_every)
                loop.run()
            except Exception as error:
                cluster.error = error
            return cluster.stop()


def languages(text):
    words = text.split(",")
    for each in words:
        if each not in LANGUAGES:
            raise argparse.ArgumentTypeError(f"{each!r} is none of {', '.join(LANGUAGES)}")
    return words


def positive(text):
    number = float(text)
    if not number > 0:
        raise argparse.ArgumentTypeError(f"{text} is not more than 0")
    return number


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=languages, default=list(LANGUAGES), help="their languages: c,python,swift")
    parser.add_argument("--seconds", type=positive, help="end after so long, when all jobs are done")
    parser.add_argument("--kill-every", type=positive, default=6.0, metavar="SECONDS", help="how often to kill one; 6")
    parser.add_argument("--no-kills", dest="kill_every", action="store_const", const=None, help="kill none")
    parser.add_argument("--rate", type=positive, help="jobs a second, on average; 1,000 for each worker")
    parser.add_argument(
        "--programs", type=pathlib.Path, default=HERE.parents[1] / "build" / "bin", help="the folder of what was built"
    )
    return parser.parse_args()


def main():
    options = arguments()
    program = server.find()
    if program is None:
        sys.exit("demo-cluster: nats-server not found: the package nats-server is needed")
    with EventLoop() as loop:
        for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(each, lambda *_: loop.stop())
        return run(options, loop, program)


if __name__ == "__main__":
    sys.exit(main())
