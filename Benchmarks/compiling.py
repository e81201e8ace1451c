"""What a compiler pays: 120 pipelines, a small program and the library itself, beside OpenCombine.

`make bench ARGS="--only compile"` prints it. The processor time of the compiler and the sizes of what it makes are
compared; a number is what this library takes, and a ratio above 1 means that it takes less than the peer.
"""

import os
import pathlib
import resource
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
SCRATCH = ROOT / ".build-bench"
PEER = SCRATCH / "checkouts/OpenCombine"
# The modules of C that the compiler must find.
MODULES = {
    "Streams": ["-I", ROOT / "Sources/StreamsShims/include", "-I", ROOT / "Sources/StreamsMachine/include"],
    "OpenCombine": ["-Xcc", f"-fmodule-map-file={SCRATCH}/release/COpenCombineHelpers.build/module.modulemap"],
}

TYPES = ("Int", "String", "Int?", "[Int]", "Model")
CHAINS = (
    "source.map { next($0) }.filter { holds($0) }",
    "source.map { next($0) }.map { next($0) }.map { next($0) }",
    "source.compactMap { holds($0) ? $0 : nil }.removeDuplicates()",
    "source.tryMap { try check($0) }.replaceError(with: other.value)",
    "source.tryFilter { try check($0) == $0 }.catch { _ in Just(first) }",
    "source.scan(first) { holds($1) ? $1 : $0 }.dropFirst()",
    "source.reduce(first) { holds($1) ? $1 : $0 }",
    "source.prefix(3).append(first)",
    "source.prepend(first).first { holds($0) }",
    "source.collect(4).map { $0[0] }",
    "source.flatMap { Just(next($0)) }",
    "source.flatMap { [$0, first].publisher }.last()",
    "source.map { Just($0) }.switchToLatest()",
    "source.zip(other).map { $0.0 }",
    "source.share().handleEvents(receiveOutput: { _ in seen() })",
    "source.buffer(size: 8, prefetch: .keepFull, whenFull: .dropOldest)",
    "source.receive(on: ImmediateScheduler.shared).output(in: 1..<5)",
    "source.delay(for: .seconds(1), scheduler: ImmediateScheduler.shared).prefix { holds($0) }",
    "source.debounce(for: .seconds(1), scheduler: ImmediateScheduler.shared).replaceEmpty(with: first)",
    "source.setFailureType(to: Wrong.self).mapError { $0 as Error }.retry(2).replaceError(with: first)",
    "source.eraseToAnyPublisher().drop { !holds($0) }",
    "source.allSatisfy { holds($0) }.map { $0 ? first : next(first) }",
    "source.multicast { PassthroughSubject() }.autoconnect().ignoreOutput().map { _ in first }",
    "source.removeDuplicates().map { next($0) }.eraseToAnyPublisher().filter { holds($0) }.output(at: 2)",
)
HEAD = """import {module}

struct Wrong: Error {{}}
public struct Model: Hashable {{
  var name = ""
  var numbers = [1, 2]
}}
@inline(never) func next<Value>(_ value: Value) -> Value {{ value }}
@inline(never) func holds<Value: Hashable>(_ value: Value) -> Bool {{ value.hashValue & 1 == 0 }}
@inline(never) func check<Value: Hashable>(_ value: Value) throws -> Value {{
  if holds(value) {{ throw Wrong() }}
  return value
}}
@inline(never) func seen() {{}}
"""


def pipelines(module):
    """A source file in which each chain stands once for each type of values."""
    text = [HEAD.format(module=module)]
    for number, (chain, kind) in enumerate((chain, kind) for chain in CHAINS for kind in TYPES):
        text.append(
            f"public func pipeline{number}(_ source: PassthroughSubject<{kind}, Never>, _ first: {kind}, "
            f"_ other: CurrentValueSubject<{kind}, Never>) -> AnyCancellable {{\n  {chain}.sink {{ _ in seen() }}\n}}\n"
        )
    return "\n".join(text)


def processor_time(command):
    """The seconds that a command and what it starts compute."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(part) for part in command], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def code(path):
    """The bytes of an object file or a program that are code and data."""
    sizes = subprocess.run(["size", str(path)], check=True, text=True, capture_output=True).stdout
    return sum(int(each) for each in sizes.splitlines()[1].split()[:2])


def compile_pipelines(folder, module):
    """Compiles the pipelines: seconds, and bytes of code."""
    source, made = folder / f"{module}.swift", folder / f"{module}.o"
    source.write_text(pipelines(module), encoding="utf-8")
    options = ["-O", "-wmo", "-swift-version", "5", "-module-name", "Pipelines", "-parse-as-library", "-suppress-warnings"]
    options += [*MODULES[module], "-I", SCRATCH / "release/Modules", "-c", source, "-o", made]
    seconds = processor_time([compiler("swiftc"), *options])
    return seconds, code(made)


def small_program(folder, module):
    """The bytes of a program with one pipeline, once symbols are stripped."""
    stripped = folder / f"small-{module}"
    subprocess.run(["strip", "-o", str(stripped), str(SCRATCH / f"release/small-{module.lower()}")], check=True)
    return stripped.stat().st_size


def build_library(folder, module):
    """The seconds that building the library anew takes."""
    package = ROOT if module == "Streams" else PEER
    command = [compiler("swift"), "build", "-c", "release", "--target", module, "--package-path", package]
    return processor_time([*command, "--scratch-path", folder / f"built-{module}-{len(list(folder.iterdir()))}"])


def compiler(name):
    return os.environ.get("SWIFT", "swift")[: -len("swift")] + name


def measure(rounds):
    """The rows, once the benchmarks in Swift are built."""
    compiled, built = {each: [] for each in MODULES}, {each: [] for each in MODULES}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for _ in range(rounds):
            for module in MODULES:
                compiled[module].append(compile_pipelines(folder, module))
        for module in MODULES:
            built[module].append(build_library(folder, module))
        small = {module: small_program(folder, module) for module in MODULES}
    seconds = {module: statistics.median(time for time, _ in compiled[module]) for module in MODULES}
    sizes = {module: compiled[module][0][1] for module in MODULES}
    return [
        row("120 pipelines, release, ms", {each: 1000 * seconds[each] for each in MODULES}, 1 / 1.3),
        row("their code, KB", {each: sizes[each] / 1024 for each in MODULES}, 1 / 1.5),
        row("a small program, stripped, KB", {each: small[each] / 1024 for each in MODULES}, 1 / 1.3),
        row("the library, built anew, release, ms", {each: 1000 * built[each][0] for each in MODULES}, 1 / 1.5),
    ]


def row(name, values, bar):
    return {"name": name, "streams": values["Streams"], "opencombine": values["OpenCombine"], "bar": round(bar, 2)}
