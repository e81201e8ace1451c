"""Suites of C tests."""

import glob
import pathlib
import re
import shlex
import subprocess
from xml.etree import ElementTree

from .settings import BUILD, CC, PYTHON, ROOT, STRICT


def cmocka_results(file):
    """Counts the tests in the report that cmocka writes when it has run them all."""
    cases = ElementTree.parse(file).getroot().iter("testcase")
    found = {each.get("name"): {part.tag for part in each} for each in cases}
    failed = [name for name, parts in found.items() if parts & {"failure", "error"}]
    skipped = [name for name, parts in found.items() if "skipped" in parts and name not in failed]
    return len(found) - len(failed) - len(skipped), failed, len(skipped)


def programs(suite):
    """Compiles Tests/C/*.c, each a cmocka program in strict C11, and yields the name and the file of each."""
    folder = BUILD / "tests"
    folder.mkdir(parents=True, exist_ok=True)
    flags = ["-std=c11", "-D_POSIX_C_SOURCE=200809L", *STRICT, "-O1", "-g", "-pthread"]
    flags += ["-IInclude", "-ITests/C", "-ITests/C/support"]
    packages = shlex.split(subprocess.getoutput("pkg-config --cflags --libs cmocka libcjson"))
    link = ["-Lbuild/lib", "-lstreams", "-Wl,-rpath," + str(BUILD / "lib"), *packages, "-lm"]
    rows = folder / "rows.c"
    if not suite.command("rows for every function", [PYTHON, "Tests/tools/c_rows.py", rows])[0]:
        return
    support = [*sorted(glob.glob(str(ROOT / "Tests/C/support/*.c"))), rows]
    for source in sorted(glob.glob(str(ROOT / "Tests/C/*.c"))):
        name = pathlib.Path(source).stem
        program = folder / name
        status, _ = suite.run([CC, *flags, source, *support, "-o", program, *link])
        if status:
            suite.check(f"{name} compiles", False, f"exit status {status}")
        else:
            yield name, program


def run_program(suite, name, program):
    """Runs a cmocka program and counts its tests. One that leaves no report has crashed: again, for who it was."""
    report = BUILD / "tests" / f"{name}.xml"
    report.unlink(missing_ok=True)
    names = {"CMOCKA_MESSAGE_OUTPUT": "XML", "CMOCKA_XML_FILE": str(report)}
    status, _ = suite.run([program], env=names, timeout=300)
    if not report.exists():
        _, text = suite.run([program], timeout=300)
        began = re.findall(r"^\[ RUN      \] (\S+)", text, re.MULTILINE)
        suite.check(f"{name}: {began[-1] if began else 'start'}", False, f"exit status {status} and no report")
        return
    passed, failed, skipped = cmocka_results(report)
    suite.add(passed, len(failed), skipped, [f"{name}: {test}" for test in failed], status, name)


def suite_c(suite):
    """Tests/C/*.c, run as they are and under valgrind without a leak."""
    if not suite.needs("Tests/C"):
        return
    memory = ["valgrind", "--quiet", "--fair-sched=try", "--leak-check=full", "--num-callers=30"]
    memory += ["--show-leak-kinds=definite,indirect,possible", "--errors-for-leak-kinds=definite,indirect,possible"]
    memory += ["--error-exitcode=99", "--suppressions=Tests/tools/valgrind.supp"]
    for name, program in programs(suite):
        run_program(suite, name, program)
        # Under valgrind the library with symbols is loaded, for readable reports.
        symbols = {"LD_LIBRARY_PATH": str(BUILD / "debug")}
        suite.command(f"{name} under valgrind", [*memory, program], env=symbols, timeout=600)
