"""Suites of C tests."""

import glob
import pathlib
import re
import shlex
import subprocess

from .settings import BUILD, CC, ROOT, STRICT


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


def programs(suite):
    """Compiles Tests/C/*.c, each a cmocka program in strict C11, and yields the name and the file of each."""
    folder = BUILD / "tests"
    folder.mkdir(parents=True, exist_ok=True)
    flags = ["-std=c11", "-D_POSIX_C_SOURCE=200809L", *STRICT, "-O1", "-g", "-pthread"]
    flags += ["-IInclude", "-ITests/C", "-ITests/C/support", "-ITests/Conformance"]
    packages = shlex.split(subprocess.getoutput("pkg-config --cflags --libs cmocka libcjson"))
    link = ["-Lbuild/lib", "-lstreams", "-Wl,-rpath," + str(BUILD / "lib"), *packages, "-lm"]
    support = sorted(glob.glob(str(ROOT / "Tests/C/support/*.c")))
    for source in sorted(glob.glob(str(ROOT / "Tests/C/*.c"))):
        name = pathlib.Path(source).stem
        program = folder / name
        status, _ = suite.run([CC, *flags, source, *support, "-o", program, *link])
        if status:
            suite.check(f"{name} compiles", False, f"exit status {status}")
        else:
            yield name, program


def run_program(suite, name, program):
    """Runs a cmocka program and counts its tests."""
    status, text = suite.run([program], split=True, timeout=300)
    passed, failed, skipped = cmocka_results(text)
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
