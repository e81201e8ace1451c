"""Writes down what the headers promise to programs that are compiled already, in the format of libabigail.

    python Tools/abi.py FILE

It is taken from a library of empty functions, one for each that is declared: what libstreams.so says of itself is in
Swift's terms.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tools"))
sys.dont_write_bytecode = True
import header  # noqa: E402
import header_text  # noqa: E402
from pycparser import c_generator  # noqa: E402

DUMP = ["abidw", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--type-id-style", "hash"]


def definitions():
    """A C program that defines all that the headers declare."""
    generator = c_generator.CGenerator()
    functions = header.Header().functions
    return "\n".join(
        ['#include "streams_host.h"', *(f"{generator.visit(each)} {{ __builtin_trap(); }}" for each in functions)]
    )


def write(file):
    compiler = [os.environ.get("CC", "cc"), "-std=c11", "-g", "-shared", "-fPIC", f"-I{header_text.FOLDER}", "-x", "c", "-"]
    with tempfile.TemporaryDirectory() as folder:
        library = pathlib.Path(folder) / "libstreams.so"
        subprocess.run([*compiler, "-o", library], input=definitions(), text=True, check=True)
        subprocess.run([*DUMP, library, "--out-file", file], check=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    write(parser.parse_args().file)
