"""Writes Packaging/streams.order: the functions of the library that a small program, startup.c, runs, by their names.

    python3 Tools/startup_order.py

The linker puts them next to each other, so that such a program needs few of the library's pages: the kernel maps those
around each that is used, too. Names that are not there any more do no harm; `make check` looks at the memory. valgrind
tells which functions run.
"""

import os
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
SYMBOLS = ROOT / "build/debug"


def functions(profile, library):
    """The names of the library's functions in a profile of callgrind's, which writes each name once, with a number."""
    names, objects, found, here = {}, {}, set(), ""
    for line in profile.splitlines():
        part = re.match(r"c?(ob|fn)=\((\d+)\)(?: (.*))?$", line)
        if part is None:
            continue
        kind, number, name = part.groups()
        known = objects if kind == "ob" else names
        if name is not None:
            known[number] = name
        if line.startswith("ob"):
            here = objects[number]
        elif line.startswith("fn") and pathlib.Path(here).name == library:
            # A function that calls itself has a name for each depth.
            found.add(names[number].split("'")[0])
    return found


def main():
    library = next(path.name for path in SYMBOLS.glob("libstreams.so.*"))
    with tempfile.TemporaryDirectory() as folder:
        program, profile = pathlib.Path(folder, "startup"), pathlib.Path(folder, "profile")
        link = ["-IInclude", "-Lbuild/lib", "-lstreams"]
        source = ["Tests/Library/startup.c", "-o", program]
        subprocess.run([os.environ.get("CC", "gcc"), "-O2", *source, *link], cwd=ROOT, check=True)
        callgrind = ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={profile}"]
        environment = {**os.environ, "LD_LIBRARY_PATH": str(SYMBOLS)}
        subprocess.run([*callgrind, program], env=environment, check=True, stdout=subprocess.DEVNULL)
        found = functions(profile.read_text(encoding="utf-8", errors="replace"), library)
    (ROOT / "Packaging" / "streams.order").write_text("".join(f"{name}\n" for name in sorted(found)), encoding="utf-8")
    print(f"streams.order: {len(found)} functions")


if __name__ == "__main__":
    main()
