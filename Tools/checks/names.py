"""The names that `import Combine` brings in."""

import json
import os
import re
import shutil
import tempfile

from .settings import ROOT, SWIFT

MODULES = ["Streams", "StreamsDispatch", "StreamsFoundation"]

# The types that Apple documents as Combine's, without those that are nested in others.
COMBINE = set(
    """
    AnyCancellable AnyPublisher AnySubscriber AsyncPublisher AsyncThrowingPublisher Cancellable CombineIdentifier
    ConnectablePublisher CurrentValueSubject CustomCombineIdentifierConvertible Deferred Empty Fail Future
    ImmediateScheduler Just ObservableObject ObservableObjectPublisher PassthroughSubject Published Publisher
    Publishers Record Scheduler SchedulerTimeIntervalConvertible Subject Subscriber Subscribers Subscription
    Subscriptions TopLevelDecoder TopLevelEncoder
    """.split()
)

# Names with an underscore are nobody's to use, and nobody's own begin so. The compiler lists none of them.
UNDERSCORED = {
    "_Introspection": "Combine has it",
    "_DateTime": "the times of run loops and operation queues get their public members from it",
    "_DateTimeStride": "the same, for lengths of time",
    "_Piece": "subscribers may ask for batches in the form in which they lie, by a requirement of Subscriber's",
}


def check_names(suite, build):
    """The core exports Combine's names at top level, all of them and no other."""
    found = {name for module in MODULES for name in exported(suite, module, build)}
    suite.check("no name but Combine's", found <= COMBINE, f"also {' '.join(sorted(found - COMBINE))}")
    suite.check("all names of Combine", found >= COMBINE, f"not {' '.join(sorted(COMBINE - found))}")
    hidden = {name for module in MODULES for name in underscored(module)}
    expected = set(UNDERSCORED)
    suite.check("underscored names", hidden == expected, f"{' '.join(sorted(hidden ^ expected))}")


def exported(suite, module, build):
    """The module's public names at top level, from the symbol graph of what has been built."""
    _, info = suite.run([SWIFT, "-print-target-info"], split=True, quiet=True)
    with tempfile.TemporaryDirectory() as folder:
        command = [
            os.path.join(os.path.dirname(os.path.realpath(shutil.which(SWIFT))), "swift-symbolgraph-extract"),
            *("-module-name", module),
            *("-target", json.loads(info)["target"]["triple"]),
            *("-minimum-access-level", "public"),
            *("-output-dir", folder),
            *("-I", build / "Modules", "-I", "Sources/StreamsShims/include", "-I", "Sources/StreamsMachine/include"),
        ]
        suite.command(f"the symbols of {module}", command)
        graphs = [json.loads((ROOT / folder / name).read_text()) for name in os.listdir(folder)]
    return {s["pathComponents"][0] for graph in graphs for s in graph["symbols"] if is_top_level(s)}


def is_top_level(symbol):
    return len(symbol["pathComponents"]) == 1 and symbol["kind"]["identifier"] != "swift.extension"


def underscored(module):
    """The underscored public names at top level, by their declarations."""
    declaration = re.compile(
        r"^(?:@\w+ +)*public +(?:\w+ +)*?(?:class|struct|enum|protocol|typealias|func|let|var) +(_\w+)", re.M
    )
    for path in ROOT.glob(f"Sources/{module}/**/*.swift"):
        yield from declaration.findall(path.read_text(encoding="utf-8"))
