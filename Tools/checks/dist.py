"""Suites of what a release has: `make dist`."""

import filecmp
import os
import pathlib
import shutil
import tempfile

from .python import run_tests
from .readme import example
from .settings import BUILD, PYTHON, ROOT

# What a forge reads, by the names of its schemas.
FORGE = {"vendor.github-workflows": "workflows", "vendor.github-issue-forms": "ISSUE_TEMPLATE"}
# What the packages are tried with, in a system that has nothing but Debian's smallest.
TOOLS = ["gcc", "g++", "libc6-dev", "pkgconf", "cmake", "make", "man-db"]
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(program C)
find_package(streams 1.0 REQUIRED)
add_executable(by-cmake program.c)
target_link_libraries(by-cmake PRIVATE streams::streams)
"""


def suite_dist(suite):
    """What `make dist` makes is complete, works, and is the same from another folder."""
    if not suite.needs("Tests/Packaging", "build/lib/libstreams.so"):
        return
    run_tests(suite, "Tests/Packaging")
    for schema, folder in FORGE.items():
        files = (ROOT / ".github" / folder).glob("*.yml")
        suite.command(folder, [PYTHON, "-m", "check_jsonschema", "--builtin-schema", schema, *files])


def suite_debian_long(suite):
    """The packages are installed, used and removed in a bare Debian 12."""
    if not shutil.which("debootstrap") or os.geteuid():
        suite.say("debootstrap and root are needed")
        suite.add(1, 0, 1, [])
        return
    if not suite.command("make dist", ["make", "dist"], timeout=1800)[0]:
        return
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        system = pathlib.Path(folder, "debian")
        bootstrap = ["debootstrap", "--variant=minbase", "--include=ca-certificates", "bookworm", system]
        if suite.command("a bare Debian 12", bootstrap, timeout=1800)[0]:
            check_packages(suite, system)


def check_packages(suite, system):
    """Installs, uses and removes the packages there."""
    inside = ["unshare", "--mount", "--pid", "--fork", f"--root={system}", "--mount-proc", "env", "-i", "LC_ALL=C.UTF-8"]
    inside += ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive", "sh", "-ec"]
    work = system / "release"
    work.mkdir()
    for package in (BUILD / "dist").glob("*.deb"):
        shutil.copy(package, work)
    before = files(system)
    apt = "apt-get install --yes --no-install-recommends"
    suite.command("installs the library and Python's package", [*inside, f"{apt} /release/libstreams1_* /release/python3-*"])
    check_program(suite, inside, work, "python", "python3 /release/program.python")
    suite.command("python3 -m streams", [*inside, "python3 -m streams | grep '^library .* /.*-linux-gnu/libstreams.so.1$'"])
    suite.command("installs what C needs", [*inside, f"{apt} /release/libstreams-dev_* {' '.join(TOOLS)}"], timeout=1800)
    check_c(suite, inside, work)
    names = "libstreams1 libstreams-dev python3-streams"
    suite.command("removes them", [*inside, f"apt-get purge --yes {names}"])
    # asyncio, which comes with Python, has a module of this name.
    left = sorted(path for path in files(system) - before if "streams" in path and "/asyncio/" not in path)
    suite.check("nothing is left", not left, " ".join(left))


def check_c(suite, inside, work):
    compiled = "cd /release && cc -x c program.c -x none -o program $(pkgconf --cflags --libs streams) && ./program"
    check_program(suite, inside, work, "c", compiled)
    static = "cc -static -x c /release/program.c -x none -o /release/program $(pkgconf --static --cflags --libs streams)"
    check_program(suite, inside, work, "c", f"{static} 2>/release/warnings && /release/program", ", static")
    (work / "CMakeLists.txt").write_text(PROJECT)
    cmake = "cd /release && (cmake -S . -B cmake && cmake --build cmake) >/release/cmake.log && cmake/by-cmake"
    check_program(suite, inside, work, "c", cmake, ", with CMake")
    # Such small systems are told to unpack no pages of the manual.
    suite.command("the page of the manual", [*inside, "dpkg -L libstreams-dev | grep -x /usr/share/man/man3/streams.3.gz"])


def check_program(suite, inside, work, language, command, how=""):
    """README.md's program prints what stands below it."""
    source, expected = example(language)
    (work / f"program.{language}").write_text(source)
    _, printed = suite.run([*inside, command], split=True)
    suite.check(f"README.md's program in {language}{how}", printed == expected, printed)


def files(system):
    """The paths of files and folders, without what is written anew whatever is installed."""
    parts = {path.name for path in system.iterdir()} - {"var", "release", "proc", "tmp"}
    return {path.relative_to(system).as_posix() for part in parts for path in (system / part).rglob("*")}


def suite_twice_long(suite):
    """Two builds of one commit in two folders, with Swift, make the same files, byte for byte."""
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        releases = [pathlib.Path(folder, name, "build", "dist") for name in ("first", "second")]
        for release in releases:
            tree = release.parents[1]
            made = suite.command(f"clones into {tree.name}", ["git", "clone", "--quiet", ROOT, tree])[0]
            if not made or not suite.command(f"make dist in {tree.name}", ["make", "-C", tree, "dist"], timeout=7200)[0]:
                return
        names = sorted({path.name for release in releases for path in release.iterdir()})
        for name in names:
            same = all((release / name).exists() for release in releases)
            same = same and filecmp.cmp(*(release / name for release in releases), shallow=False)
            suite.check(f"{name} is the same", same, "it is not: diffoscope shows where")
