"""Suites of C tests."""

import pathlib
import re
import shlex
import subprocess
from xml.etree import ElementTree

import memory  # Tools/memory.py

from . import python
from .settings import BUILD, CC, LIBRARY, PYTHON, ROOT, STRICT, SYMBOLS

FOLDER = BUILD / "tests"
# What takes as many seconds hangs: much more than any takes on a machine that has other things to do.
HANGS = 1800
ROWS = FOLDER / "rows_of_functions.c"
# What every program is built with.
SUPPORT = [*sorted(ROOT.glob("Tests/C/support/*.c")), ROWS]
# What asks whether shortcuts are taken that a plain library does without: `make check-plain`.
OF_SHORTCUTS = {"test_host_rows"}
# What calls every function, every operator or every kind of callback, or is about whose memory something is: what valgrind
# can find is found there, if not in other ways too.
UNDER_VALGRIND = {
    *("test_bad_handles", "test_conformance", "test_destroy", "test_failed_calls", "test_futures", "test_host_rows"),
    *("test_host_values", "test_lifetimes", "test_memory_for_data", "test_objects", "test_references", "test_sink_rows"),
    *("test_storage", "test_subjects", "test_thread_ends", "test_values"),
}
IS_PLAIN = LIBRARY.parent.name == "plain"
# What a program depends on beside its own source.
INPUTS = [pathlib.Path(__file__), *SUPPORT, *ROOT.glob("Tests/C/support/*.h"), *ROOT.glob("Include/**/*.h")]
INPUTS += [*ROOT.glob("Sources/StreamsShims/include/*.h"), *ROOT.glob("Sources/StreamsMachine/include/*.h")]
FLAGS = ["-std=c11", "-D_POSIX_C_SOURCE=200809L", *STRICT, "-O1", "-g", "-pthread"]
FLAGS += ["-IInclude", "-ITests/C", "-ITests/C/support"]
FLAGS += ["-ISources/StreamsShims/include", "-ISources/StreamsMachine/include"]


def cmocka_results(file):
    """Counts the tests in the report that cmocka writes when it has run them all."""
    cases = ElementTree.parse(file).getroot().iter("testcase")
    found = {each.get("name"): {part.tag for part in each} for each in cases}
    failed = [name for name, parts in found.items() if parts & {"failure", "error"}]
    skipped = [name for name, parts in found.items() if "skipped" in parts and name not in failed]
    return len(found) - len(failed) - len(skipped), failed, len(skipped)


def packages():
    """What the tests are built with, beside the library."""
    return shlex.split(subprocess.getoutput("pkg-config --cflags --libs cmocka libcjson"))


def programs(suite, which="*"):
    """Compiles Tests/C/*.c, or one of them, each a cmocka program in strict C11. Returns the name and the file of each."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    link = ["-Lbuild/lib", "-lstreams", "-Wl,-rpath," + str(BUILD / "lib"), *packages(), "-lm"]
    if not suite.command("rows for every function", [PYTHON, "Tools/c_rows.py", ROWS])[0]:
        return []

    changed = max(path.stat().st_mtime for path in INPUTS)

    def compiled(part, source, made, options):
        # Not again if nothing has changed: the library is loaded, and no part of it.
        command = [CC, *FLAGS, *options, "-o", made, *link]
        said, told = FOLDER / f"{source.stem}.command", shlex.join(map(str, command))
        fresh = made.exists() and made.stat().st_mtime > max(changed, source.stat().st_mtime)
        if not (fresh and said.exists() and said.read_text(encoding="utf-8") == told):
            if not compiles(part, source, command):
                return None
            said.write_text(told, encoding="utf-8")
        return made

    def compile_object(part, source):
        return compiled(part, source, FOLDER / f"{source.stem}.o", ["-c", source])

    def compile_program(part, source):
        return compiled(part, source, FOLDER / source.stem, [source, *objects])

    objects = suite.at_once(compile_object, SUPPORT)
    if None in objects:
        return []
    made = suite.at_once(compile_program, sorted(ROOT.glob(f"Tests/C/{which}.c")))
    return [(program.name, program) for program in made if program]


def compiles(suite, source, command):
    """Compiles a file. Only a failure is counted."""
    status, _ = suite.run(command)
    return status == 0 or suite.check(f"{source.stem} compiles", False, f"exit status {status}")


def run_program(suite, name, program):
    """Runs a cmocka program and counts its tests. One that leaves no report has crashed: again, for who it was."""
    report = FOLDER / f"{name}.xml"
    report.unlink(missing_ok=True)
    names = {"CMOCKA_MESSAGE_OUTPUT": "XML", "CMOCKA_XML_FILE": str(report)}
    status, _ = suite.run([program], env=names, timeout=HANGS)
    if not report.exists():
        _, text = suite.run([program], timeout=HANGS)
        began = re.findall(r"^\[ RUN      \] (\S+)", text, re.MULTILINE)
        suite.check(f"{name}: {began[-1] if began else 'start'}", False, f"exit status {status} and no report")
        return
    passed, failed, skipped = cmocka_results(report)
    suite.add(passed, len(failed), skipped, [f"{name}: {test}" for test in failed], status, name)


def has_threads(name):
    """Whether threads run at once in a program. Then it gets all processors, so that they race."""
    return "pthread_create" in (ROOT / f"Tests/C/{name}.c").read_text(encoding="utf-8")


def run_under_valgrind(suite, program):
    """Runs a program under valgrind, where its threads take turns on one processor."""
    name, file = program
    symbols = {"LD_LIBRARY_PATH": str(SYMBOLS)}
    suite.command(f"{name} under valgrind", [*memory.COMMAND, file], env=symbols, timeout=HANGS)


def suite_c(suite):
    """Tests/C/*.c, run as they are."""
    if not suite.needs("Tests/C"):
        return
    found = [each for each in programs(suite) if not (IS_PLAIN and each[0] in OF_SHORTCUTS)]
    for name, program in found:
        if has_threads(name):
            run_program(suite, name, program)
    suite.at_once(lambda part, each: run_program(part, *each), [each for each in found if not has_threads(each[0])])


def suite_valgrind(suite):
    """Those of Tests/C/*.c that call every function and every operator, or are about memory, without a leak."""
    suite.at_once(run_under_valgrind, [each for each in programs(suite) if each[0] in UNDER_VALGRIND])


def suite_valgrind_long(suite):
    """All of Tests/C/*.c, and the guide's programs in C, under valgrind without a leak."""
    suite.at_once(run_under_valgrind, [each for each in programs(suite) if not (IS_PLAIN and each[0] in OF_SHORTCUTS)])
    python.run_tests(suite, *python.UNDER_VALGRIND)
