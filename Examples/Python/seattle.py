"""A year of temperatures as a stream.

    seattle.py [--frost DEGREES] [--picture FILE.svg] [FILE]     read FILE
    seattle.py [--frost DEGREES] [--picture FILE.svg] --live     read standard input, as it arrives

Lines are read when the sink demands them, and it demands a day at a time. ../README.md describes the output; the
picture shows the days that were printed.
"""

import argparse
import math
import pathlib
import re
import sys
from typing import NamedTuple

import streams
from picture import draw

DAY = 24
DATA = "Examples/data/seattle-temps.csv"
READING = re.compile(rb"(\d{4}/\d\d/\d\d) (\d\d:\d\d),(-?\d{1,3}(?:\.\d{1,3})?)")


class Reading(NamedTuple):
    date: str
    time: str
    degrees: float


class Day(NamedTuple):
    date: str
    low: float
    mean: float
    high: float


def lines(path):
    """The lines of a file, or of standard input: a generator, which reads a line when it is asked for one."""
    file = open(path, "rb") if path else sys.stdin.buffer
    with file:
        for line in file:
            line = line[:-1] if line.endswith(b"\n") else line
            yield line[:-1] if line.endswith(b"\r") else line


class Parser:
    """Turns a line into a reading, or into None if it is not one."""

    def __init__(self):
        self.line = 0
        self.bad = False

    def __call__(self, line):
        self.line += 1
        found = READING.fullmatch(line)
        if found:
            return Reading(found[1].decode(), found[2].decode(), float(found[3]))
        if line and not (self.line == 1 and line.startswith(b"date")):
            print(f"seattle: line {self.line} is not a reading", file=sys.stderr)
            self.bad = True
        return None


def to_celsius(reading):
    return reading._replace(degrees=(reading.degrees - 32) / 1.8)


class Alerts:
    """Prints when the frost begins and when it ends."""

    def __init__(self, limit):
        self.limit = limit
        self.count = 0

    def same_side(self, previous, current):
        return (previous.degrees < self.limit) == (current.degrees < self.limit)

    def show(self, reading):
        self.count += 1
        verb = "begins" if reading.degrees < self.limit else "ends"
        print(f"{reading.date} {reading.time}  frost {verb}, {reading.degrees:.1f} °C")


class Report:
    """Takes a day's readings at a time, prints a line for each day, and forwards the readings."""

    def __init__(self, readings):
        self.readings = readings
        self.requested = DAY
        self.delivered = 0
        self.days = []
        self.date = None
        self.degrees = []
        self.error = None

    def add(self, reading):
        if reading.date != self.date:
            self.end_day()
            self.date = reading.date
        self.degrees.append(reading.degrees)
        self.delivered += 1
        self.readings.send(reading)
        if self.delivered < self.requested:
            return 0
        self.requested += DAY
        return DAY

    def end_day(self):
        if not self.degrees:
            return
        total = 0.0
        for degrees in self.degrees:  # not sum(), which newer Pythons make more precise than C
            total += degrees
        day = Day(self.date, min(self.degrees), total / len(self.degrees), max(self.degrees))
        self.days.append(day)
        self.degrees = []
        print(f"{day.date}  {day.low:6.1f}  {day.mean:6.1f}  {day.high:6.1f}")

    def end(self, error):
        if isinstance(error, OSError):
            print(f"seattle: cannot read {error.filename or 'standard input'}: {error.strerror}", file=sys.stderr)
        self.error = error
        self.end_day()
        if error is None:
            self.readings.finish()
        else:
            self.readings.fail(error)


def arguments():
    parser = argparse.ArgumentParser(prog="seattle", description="A year of temperatures.", allow_abbrev=False)
    parser.add_argument("--frost", type=float, default=4, metavar="DEGREES", help="the limit of frost, in °C")
    parser.add_argument("--picture", metavar="FILE.svg", help="draw the days, too")
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--live", action="store_true", help="read standard input, as it arrives")
    source.add_argument("path", nargs="?", default=DATA, metavar="FILE")
    return parser.parse_args()


def main():
    options = arguments()
    sys.stdout.reconfigure(encoding="utf-8", newline="\n", line_buffering=options.live)
    print("date           min    mean     max  °C")

    # The subject begins with a reading above every limit, which drop_first removes again.
    readings = streams.CurrentValueSubject(Reading("", "", math.inf))
    alerts = Alerts(options.frost)
    report = Report(readings)
    parser = Parser()

    frost = readings.remove_duplicates(alerts.same_side).drop_first().sink(alerts.show, completion=lambda error: None)
    path = None if options.live else options.path
    days = streams.from_iterable(lambda: lines(path)).compact_map(parser).map(to_celsius)
    with frost, days.sink(report.add, report.end, demand=DAY):
        print(f"requested {report.requested}, delivered {report.delivered}, alerted {alerts.count}")

    if options.picture:
        pathlib.Path(options.picture).write_text(draw(report.days, options.frost), encoding="utf-8")
    if report.error is not None and not isinstance(report.error, OSError):
        raise report.error
    return 1 if report.error or parser.bad else 0


if __name__ == "__main__":
    sys.exit(main())
