"""Which guides the site has, in groups, each with what it is about."""

import dataclasses
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
CATALOG = "Sources/Streams/Streams.docc"


@dataclasses.dataclass(frozen=True)
class Guide:
    source: pathlib.Path
    said: str
    group: str

    @property
    def title(self):
        """What it is called in lists, if not by its heading."""
        return "Build, install and use" if self.source == ROOT / "README.md" else ""

    @property
    def url(self):
        folders = {"README.md": self.source.parent.name if self.source.parent != ROOT else "readme"}
        return f"guides/{folders.get(self.source.name, self.source.stem).lower()}.html"


GROUPS = {
    "Languages": {
        f"{CATALOG}/Articles/Getting-started.md": "Swift: a publisher, operators, a subscriber",
        "Docs/c.md": "Programs that compile as they stand",
        "Docs/cpp.md": "The same with lambdas, and handles that release themselves",
        "Docs/python.md": "Programs, followed by their output",
        "README.md": "All languages on one page",
    },
    "Coming from elsewhere": {
        f"{CATALOG}/Articles/Migrating-from-Combine.md": "Code that says import Combine",
        "Docs/swiftui.md": "Code that says import SwiftUI",
        "Docs/python-from-rxpy.md": "What is called otherwise, and what is different",
        f"{CATALOG}/Articles/Spellings.md": "Every operator in Swift, C, Python and RxPY",
    },
    "Ideas": {
        f"{CATALOG}/Articles/Demand-and-back-pressure.md": "Who decides how fast values flow",
        f"{CATALOG}/Articles/Threads-and-re-entrancy.md": "What may call what, and when",
        f"{CATALOG}/Articles/Schedulers.md": "Queues, loops, and time that a test advances",
        f"{CATALOG}/Articles/Batches.md": "Many values in one call",
        "Docs/nats.md": "Subjects, durable streams and keys of a NATS server",
        "Sources/StreamsTesting/StreamsTesting.docc/Testing-with-virtual-time.md": "Tests that do not wait",
    },
    "Operators": {
        f"{CATALOG}/Guides/Sources-and-subjects.md": "Where values come from",
        f"{CATALOG}/Guides/Transforming.md": "map, scan and others",
        f"{CATALOG}/Guides/Filtering.md": "filter, removeDuplicates, prefix and others",
        f"{CATALOG}/Guides/Reducing.md": "reduce, count, collect and others",
        f"{CATALOG}/Guides/Combining.md": "merge, zip, combineLatest and others",
        f"{CATALOG}/Guides/Flattening.md": "flatMap, switchToLatest and others",
        f"{CATALOG}/Guides/Handling-errors.md": "catch, retry, replaceError and others",
        f"{CATALOG}/Guides/Timing.md": "debounce, throttle, delay and others",
        f"{CATALOG}/Guides/Buffering.md": "buffer, and what becomes of what nobody demands",
        f"{CATALOG}/Guides/Sharing.md": "share, multicast and others",
        f"{CATALOG}/Guides/Receiving.md": "sink, assign, and subscribers of your own",
        f"{CATALOG}/Guides/Debugging.md": "print, handleEvents, breakpoint",
    },
    "When something is wrong": {
        "Docs/nothing-happens.md": "Five silent programs, and how to find the cause",
        "SECURITY.md": "What programs may rely on, and how to report a fault",
        "Docs/performance.md": "How fast, compared with which libraries, and why",
    },
    "The project": {
        "Examples/README.md": "The demo in three languages, and others",
        "Docs/architecture.md": "How the core is built, and how to add an operator",
        "Docs/releases.md": "What may change in 1.x, and how a release is made",
        "CONTRIBUTING.md": "How to build, test and change it",
        "CHANGELOG.md": "What has changed",
    },
}


def guides():
    return [Guide(ROOT / path, said, group) for group, each in GROUPS.items() for path, said in each.items()]
