"""Runs the suites of `make check` and prints one line for each.

    python3 Tests/run_checks.py [SUITE ...]

Every suite writes its output to build/logs/SUITE.log. The exit status is 0 only if every suite ran at least one test
and none failed. Standard library only; `make check` builds the library and installs the tools first.
"""

import glob
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Tests" / "tools"))
sys.dont_write_bytecode = True
import format as formatted  # noqa: E402  Tests/tools/format.py

BUILD = ROOT / "build"
LOGS = BUILD / "logs"
LIBRARY = BUILD / "lib" / "libstreams.so"
HEADER = ROOT / "Include" / "streams.h"
PYTHON = str(ROOT / ".venv" / "bin" / "python")
SWIFT = os.environ.get("SWIFT", "swift")
CC = os.environ.get("CC", "gcc")
CXX = os.environ.get("CXX", "g++")

LINE_LENGTH = 110
LIBRARY_LIMIT = 10_000_000
LIBRARY_MAY_NEED = re.compile(r"(libc\.so\.6|libm\.so\.6|libstdc\+\+\.so\.6|libgcc_s\.so\.1|ld-linux.*\.so\.\d)$")
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


# What a suite must not see: the make that called us, and compilers that SwiftPM would take for its own.
HIDDEN = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "CC", "CXX"}


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
    return env


class Suite:
    """Counts what passed and failed, and keeps the log."""

    def __init__(self, name):
        self.name = name
        self.passed = self.failed = self.skipped = 0
        self.failures = []
        self.seconds = 0.0
        self.path = LOGS / f"{name}.log"
        self.log = open(self.path, "w+", encoding="utf-8", errors="replace")

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

    def add(self, passed, failed, skipped, names, status, what):
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


def clang():
    """The clang of the Swift toolchain."""
    swift = shutil.which(SWIFT)
    beside = os.path.join(os.path.dirname(os.path.realpath(swift)), "clang") if swift else ""
    return beside if os.path.exists(beside) else shutil.which("clang") or "clang"


# ---- the suites ------------------------------------------------------------------------------------------------------


def suite_format(suite):
    """Swift and C sources are formatted as .swift-format and .clang-format say."""
    suite.needs("Include", "Sources", "Tests", "Examples", "Benchmarks")
    swift, c = formatted.swift_files(), formatted.c_files()
    findings = {}

    def collect(status, text, names):
        hits = re.findall(r"^(?:\x1b\[[0-9;]*m)*(/?[^\s:][^:\n]*):\d+:\d+: (?:error|warning): (.*)", text, re.MULTILINE)
        for path, finding in hits:
            findings.setdefault(str((ROOT / path).resolve()), finding)
        if status and not hits:
            suite.check(names, False, f"exit status {status}")

    if swift:
        collect(*suite.run([SWIFT, "format", "lint", "--strict", "--parallel", *swift]), "swift format")
    if c:
        collect(*suite.run([formatted.CLANG_FORMAT, "--dry-run", "-Werror", *c]), "clang-format")
    for path in c:
        for number, line in enumerate(pathlib.Path(path).read_text(encoding="utf-8").splitlines(), 1):
            if len(line) > LINE_LENGTH:
                findings.setdefault(path, f"line {number} is longer than {LINE_LENGTH} columns")
    for path in swift + c:
        finding = findings.get(str(pathlib.Path(path).resolve()))
        suite.check(os.path.relpath(path, ROOT), finding is None, finding or "")


def suite_header(suite):
    """streams.h stands alone, twice included, in strict C11 and C++17."""
    if not suite.needs("Include/streams.h"):
        return
    twice = "#include <streams.h>\n#include <streams.h>\n"
    compilers = [(CC, "c11"), (CC, "c17"), (clang(), "c11"), (CXX, "c++17"), (CXX, "c++20"), (clang(), "c++17")]
    with tempfile.TemporaryDirectory() as folder:
        for compiler, standard in compilers:
            language = "c++" if "++" in standard else "c"
            source = pathlib.Path(folder, f"alone.{language}")
            source.write_text(twice)
            options = [f"-std={standard}", *STRICT, "-Wshadow", "-x", language, "-fsyntax-only", "-IInclude"]
            suite.command(f"{os.path.basename(compiler)} -std={standard}", [compiler, *options, source])


def suite_swift(suite):
    """The Swift tests, built with warnings as errors."""
    if not suite.needs("Package.swift", "Tests/StreamsTests"):
        return
    flags = ["--scratch-path", ".build-test", "-Xswiftc", "-warnings-as-errors"]
    if not suite.command("builds without warnings", [SWIFT, "build", "--build-tests", *flags], timeout=900)[0]:
        return
    status, text = suite.run([SWIFT, "test", "--skip-build", *flags], timeout=600)
    xctest = re.findall(r"Test Case '([^'\n]+)' (passed|failed|skipped) \(", text)
    # Swift Testing says "✔ Test name() passed after ...", "✘ Test name() failed after ...", "➜ Test name() skipped".
    testing = re.findall(
        r"^[^\w\s] +Test (?!run |case )((?:(?! recorded ).)+?)(?: with \d+ test cases?)? "
        r"(passed|failed|skipped)(?: after \d|\.$|: )",
        text,
        re.MULTILINE,
    )
    results = xctest + testing
    failed = [name for name, outcome in results if outcome == "failed"]
    suite.add(
        sum(outcome == "passed" for _, outcome in results),
        len(failed),
        sum(outcome == "skipped" for _, outcome in results),
        failed,
        status,
        "swift test",
    )


def cmocka_results(text):
    """Counts the lines that cmocka writes to standard output; a test that began and never ended has failed."""
    began = re.findall(r"^\[ RUN      \] (\S+)", text, re.MULTILINE)
    passed = re.findall(r"^\[       OK \] (\S+)", text, re.MULTILINE)
    skipped = re.findall(r"^\[  SKIPPED \] (\S+)", text, re.MULTILINE)
    failed = list(began)
    for name in passed + skipped:
        if name in failed:
            failed.remove(name)
    return len(passed), failed, len(skipped)


def suite_c(suite):
    """Tests/C/*.c, each a cmocka program: strict C11, run as it is and under valgrind without a leak."""
    if not suite.needs("Tests/C"):
        return
    folder = BUILD / "tests"
    folder.mkdir(parents=True, exist_ok=True)
    flags = ["-std=c11", "-D_POSIX_C_SOURCE=200809L", *STRICT, "-O1", "-g", "-pthread"]
    flags += ["-IInclude", "-ITests/C", "-ITests/C/support", "-ITests/Conformance"]
    packages = shlex.split(subprocess.getoutput("pkg-config --cflags --libs cmocka libcjson"))
    support = sorted(glob.glob(str(ROOT / "Tests/C/support/*.c")))
    memory = ["valgrind", "--quiet", "--fair-sched=try", "--leak-check=full", "--num-callers=30"]
    memory += ["--show-leak-kinds=definite,indirect,possible", "--errors-for-leak-kinds=definite,indirect,possible"]
    memory += ["--error-exitcode=99", "--suppressions=Tests/tools/valgrind.supp"]
    for source in sorted(glob.glob(str(ROOT / "Tests/C/*.c"))):
        name = pathlib.Path(source).stem
        program = folder / name
        link = ["-Lbuild/lib", "-lstreams", "-Wl,-rpath," + str(BUILD / "lib"), *packages, "-lm"]
        status, _ = suite.run([CC, *flags, source, *support, "-o", program, *link])
        if status:
            suite.check(f"{name} compiles", False, f"exit status {status}")
            continue
        status, text = suite.run([program], split=True, timeout=300)
        passed, failed, skipped = cmocka_results(text)
        suite.add(passed, len(failed), skipped, [f"{name}: {test}" for test in failed], status, name)
        # Under valgrind the library with symbols is loaded, for readable reports.
        symbols = {"LD_LIBRARY_PATH": str(BUILD / "debug")}
        suite.command(f"{name} under valgrind", [*memory, program], env=symbols, timeout=600)


def suite_python(suite):
    """Tests/Python with pytest, in Python's development mode."""
    if not suite.needs("Bindings/Python/streams", "Tests/Python"):
        return
    report = LOGS / "python.xml"
    report.unlink(missing_ok=True)
    options = ["-q", "-ra", "--strict-markers", "--timeout=300", "-p", "no:cacheprovider", f"--junitxml={report}"]
    options += ["-o", "asyncio_mode=auto", "-o", "asyncio_default_fixture_loop_scope=function"]
    options += ["-W", "error::pytest.PytestUnraisableExceptionWarning"]
    options += ["-W", "error::pytest.PytestUnhandledThreadExceptionWarning"]
    status, _ = suite.run([PYTHON, "-X", "dev", "-m", "pytest", *options, "Tests/Python"], timeout=900)
    if not report.exists():
        suite.check("pytest", False, f"exit status {status}")
        return
    failed, skipped, total = [], 0, 0
    for case in xml.etree.ElementTree.parse(report).iter("testcase"):
        total += 1
        if case.find("failure") is not None or case.find("error") is not None:
            failed.append(f"{case.get('classname')}::{case.get('name')}")
        elif case.find("skipped") is not None:
            skipped += 1
    suite.add(total - len(failed) - skipped, len(failed), skipped, failed, status, "pytest")


def suite_bindings(suite):
    """Python's declarations are those of the header."""
    if suite.needs("Bindings/Python/generate.py"):
        suite.command("declarations are fresh", [PYTHON, "Bindings/Python/generate.py", "--check"])


def declared_functions(suite):
    """The functions that streams.h declares without defining them, as clang reads it."""
    status, text = suite.run(
        [clang(), "-std=c11", "-fsyntax-only", "-Xclang", "-ast-dump=json", "-x", "c", HEADER],
        split=True,
        quiet=True,
    )
    if not suite.check("clang reads the header", status == 0, f"exit status {status}"):
        return set()
    return {
        node["name"]
        for node in json.loads(text)["inner"]
        if node["kind"] == "FunctionDecl"
        and node["name"].startswith("streams_")
        and not any(part["kind"] == "CompoundStmt" for part in node.get("inner", []))
    }


def suite_library(suite):
    """libstreams.so exports what the header declares, needs only the C and C++ runtime, and is small."""
    if not suite.needs("Include/streams.h", "build/lib/libstreams.so"):
        return
    macros = dict(re.findall(r"#\s*define\s+STREAMS_VERSION_(\w+)\s+(\d+)", HEADER.read_text(encoding="utf-8")))
    soname = f"libstreams.so.{macros.get('MAJOR')}"
    file = f"{soname}.{macros.get('MINOR')}.{macros.get('PATCH')}"
    suite.check("links", os.path.realpath(LIBRARY) == str(LIBRARY.parent / file), f"libstreams.so is not {file}")
    suite.check("soname link", (LIBRARY.parent / soname).exists(), f"no {soname}")

    size = LIBRARY.stat().st_size
    suite.check(f"size: {size:,} bytes", size <= LIBRARY_LIMIT, f"more than {LIBRARY_LIMIT:,}")

    _, dynamic = suite.run(["readelf", "--wide", "--dynamic", LIBRARY], split=True)
    suite.check("soname", f"Library soname: [{soname}]" in dynamic, f"not {soname}")
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)
    foreign = [name for name in needed if not LIBRARY_MAY_NEED.match(name)]
    suite.check("needs: " + " ".join(needed), needed and not foreign, "needs " + " ".join(foreign))
    suite.check("no run path", not re.search(r"\((RPATH|RUNPATH)\)", dynamic), "has a RPATH or RUNPATH")
    suite.check("no text relocations", "TEXTREL" not in dynamic, "has text relocations")
    suite.check("cannot be unloaded", "NODELETE" in dynamic, "linked without -z nodelete")

    _, sections = suite.run(["readelf", "--wide", "--sections", LIBRARY], split=True)
    suite.check("stripped", " .symtab " not in sections and " .debug_info " not in sections, "has symbols")

    _, symbols = suite.run(["nm", "--dynamic", "--extern-only", "--defined-only", LIBRARY], split=True)
    rows = [line.split() for line in symbols.splitlines() if line]
    exports = {row[-1].split("@")[0] for row in rows if row[-2] != "A"}  # A: the name of the version itself
    foreign = sorted(name for name in exports if not name.startswith("streams_"))
    suite.check(f"exports streams_* only: {len(exports)}", exports and not foreign, " ".join(foreign[:10]))
    declared = declared_functions(suite)
    missing, extra = sorted(declared - exports), sorted(exports - declared)
    suite.check("exports all that streams.h declares", declared and not missing, " ".join(missing))
    suite.check("declares all that it exports", not extra, " ".join(extra))

    program = "import ctypes, os, sys; ctypes.CDLL(sys.argv[1], os.RTLD_NOW).streams_version"
    suite.command("loads", ["env", "-i", sys.executable, "-S", "-c", program, LIBRARY])


def suite_install(suite):
    """What `make install` puts there compiles, links and runs through pkg-config, and uninstall removes it."""
    with tempfile.TemporaryDirectory() as folder:
        stage = pathlib.Path(folder, "stage")
        where = [f"DESTDIR={stage}", "PREFIX=/opt/streams"]
        if not suite.command("make install", ["make", "install", *where])[0]:
            return
        libraries = stage / "opt/streams/lib"
        env = {
            "PKG_CONFIG_PATH": str(libraries / "pkgconfig"),
            "PKG_CONFIG_SYSROOT_DIR": str(stage),
            "LD_LIBRARY_PATH": str(libraries),
        }
        good, flags = suite.command(
            "pkg-config", ["pkg-config", "--cflags", "--libs", "streams"], env=env, split=True
        )
        suite.command(
            "pkg-config knows the version",
            ["bash", "-c", 'test "$(pkg-config --modversion streams)" = "$0"', LIBRARY.resolve().name[14:]],
            env=env,
        )
        for compiler, options in ((CC, ["-std=c11"]), (CXX, ["-std=c++17", "-x", "c++"])):
            name = os.path.basename(compiler)
            program = pathlib.Path(folder, name)
            source = "Tests/tools/installed.c"
            command = [compiler, *options, *STRICT, source, "-o", program, *shlex.split(flags)]
            if good and suite.command(f"{name} compiles against it", command)[0]:
                suite.command(f"the program of {name} runs", [program], env=env)
        suite.command("make uninstall", ["make", "uninstall", *where])
        left = [str(path.relative_to(stage)) for path in stage.rglob("*") if not path.is_dir()]
        suite.check("uninstall leaves nothing", not left, " ".join(left))


def suite_demo(suite):
    """The three programs of `make demo` print the same, and the picture is one."""
    if not suite.needs("Examples/C/seattle.c", "Examples/Python/seattle.py", "Examples/Swift"):
        return
    picture = BUILD / "seattle.svg"
    outputs = {name: BUILD / "demo" / f"{name}.txt" for name in ("c", "python", "swift")}
    for path in (picture, *outputs.values()):
        path.unlink(missing_ok=True)
    suite.command("make demo", ["make", "demo"], timeout=900)
    texts = {name: path.read_bytes() if path.exists() else b"" for name, path in outputs.items()}
    suite.check("C prints something", len(texts["c"]) > 0)
    suite.check("Python prints what C prints", texts["c"] == texts["python"])
    suite.check("Swift prints what C prints", texts["c"] == texts["swift"])
    try:
        shapes = sum(1 for _ in xml.etree.ElementTree.parse(picture).iter())
        suite.check("the picture is an SVG", shapes > 10, "is empty")
    except (OSError, xml.etree.ElementTree.ParseError) as error:
        suite.check("the picture is an SVG", False, str(error))


SUITES = {
    name[len("suite_"):]: function for name, function in list(globals().items()) if name.startswith("suite_")
}


def line(suite):
    counts = f"{suite.passed:5} passed, {suite.failed} failed, {suite.skipped} skipped"
    return f"{suite.name:<10}{counts:<42}{suite.seconds:7.1f} s"


def main(names):
    unknown = [name for name in names if name not in SUITES]
    if unknown:
        sys.exit(f"no such suite: {' '.join(unknown)}; there are: {' '.join(SUITES)}")
    LOGS.mkdir(parents=True, exist_ok=True)
    done = []
    for name in names or SUITES:
        print(f"{name} ...", flush=True)
        suite = Suite(name)
        start = time.monotonic()
        try:
            SUITES[name](suite)
        except Exception as error:  # a suite that breaks is a failed one; the others still run
            suite.check(name, False, f"{type(error).__name__}: {error}")
        suite.finish()
        suite.seconds = time.monotonic() - start
        done.append(suite)
        if suite.failed:
            tail = suite.path.read_text(encoding="utf-8", errors="replace").splitlines()[-80:]
            print(f"---- the end of {suite.path.relative_to(ROOT)} " + "-" * 40, *tail, sep="\n")
            print("---- failed in " + name + " " + "-" * 50, *suite.failures[:50], sep="\n  ", flush=True)
    print()
    for suite in done:
        print(line(suite))
    failed = sum(suite.failed for suite in done)
    print(f"all suites took {sum(suite.seconds for suite in done):.1f} s; their output is in {LOGS.relative_to(ROOT)}")
    print(
        f"total: {sum(suite.passed for suite in done)} passed, {failed} failed, "
        f"{sum(suite.skipped for suite in done)} skipped"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
