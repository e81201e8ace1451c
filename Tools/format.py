"""Lists the files that have a formatter; with --fix reformats them in place, and writes those that have a template.

Standard library only. clang-format and ruff come from .venv, swift-format from the Swift toolchain.
"""

import os
import pathlib
import subprocess
import sys

import arities  # Tools/arities.py

ROOT = pathlib.Path(__file__).resolve().parents[1]
SWIFT_FOLDERS = ["Sources", "Tests", "Examples", "Benchmarks"]
C_FOLDERS = ["Include", "Sources", "Tests", "Examples", "Benchmarks"]
PYTHON_FOLDERS = ["Bindings", "Tools", "Tests", "Examples", "Benchmarks"]
SWIFT = os.environ.get("SWIFT", "swift")
CLANG_FORMAT = str(ROOT / ".venv" / "bin" / "clang-format")
RUFF = str(ROOT / ".venv" / "bin" / "ruff")


def files(folders, suffixes):
    """The files below `folders` that end in one of `suffixes`, without hidden and build folders."""
    found = []
    for folder in folders:
        for path, names, leaves in os.walk(ROOT / folder):
            names[:] = sorted(n for n in names if not n.startswith(".") and n != "build")
            found += [os.path.join(path, leaf) for leaf in sorted(leaves) if leaf.endswith(suffixes)]
    return found


def swift_files():
    return files(SWIFT_FOLDERS, (".swift",)) + [str(path) for path in [ROOT / "Package.swift"] if path.exists()]


def c_files():
    return files(C_FOLDERS, (".c", ".h", ".cpp", ".hpp"))


def python_files():
    return files(PYTHON_FOLDERS, (".py",))


def main():
    if sys.argv[1:] != ["--fix"]:
        print("\n".join(swift_files() + c_files() + python_files()))
        return
    arities.write()
    subprocess.run([SWIFT, "format", "--in-place", "--parallel", *swift_files()], check=True)
    if c_files():
        subprocess.run([CLANG_FORMAT, "-i", *c_files()], check=True)
    subprocess.run([RUFF, "check", "--fix", "--quiet", "--force-exclude", *python_files()], check=True)
    subprocess.run([RUFF, "format", "--quiet", "--force-exclude", *python_files()], check=True)


if __name__ == "__main__":
    main()
