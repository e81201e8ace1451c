"""Builds the documentation: references of Swift with DocC, one archive for each module, merged into the folder swift; of
the C headers with Doxygen, in the folder c; of the Python package with pdoc, in the folder python; and before them a page
with the guides and a search.

    python3 Tools/docs/site_builder.py [FOLDER]

The folder is build/docs. Every warning is an error. Needs the library and the virtual environment of `make check`.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path[:0] = [str(folder) for folder in pathlib.Path(__file__).resolve().parents[:2]]
import guides  # noqa: E402
import header_text  # noqa: E402  Tools/header_text.py
import marbles  # noqa: E402
import spellings  # noqa: E402
import symbols  # noqa: E402

ROOT = symbols.ROOT
SWIFT = os.environ.get("SWIFT", "swift")
PACKAGE = symbols.SCRATCH / "guides"
ARCHIVES = symbols.SCRATCH / "archives"
CATALOGS = symbols.SCRATCH / "catalogs"
PYTHON = ROOT / ".venv" / "bin" / "python"
PROGRAM = symbols.SCRATCH / "build" / "debug" / "guides"


def docc():
    """The docc of the Swift toolchain."""
    swift = shutil.which(SWIFT)
    beside = os.path.join(os.path.dirname(os.path.realpath(swift)), "docc") if swift else ""
    return beside if os.path.exists(beside) else shutil.which("docc") or "docc"


def build_command():
    """Builds the examples of the articles, and with them every module and its symbol graph."""
    flags = [part for flag in symbols.FLAGS for part in ("-Xswiftc", flag)]
    flags += ["--disable-index-store", "-debug-info-format", "none"]
    return [SWIFT, "build", "--package-path", PACKAGE, "--scratch-path", symbols.SCRATCH / "build", *flags]


def archive_command(module, earlier):
    """Converts a module's symbols and catalog; its articles may link to the modules converted before."""
    links = [part for name in earlier for part in ("--dependency", ARCHIVES / f"{name}.doccarchive")]
    return [
        docc(),
        "convert",
        CATALOGS / f"{module}.docc",
        *("--additional-symbol-graph-dir", symbols.GRAPHS / module),
        *("--output-dir", ARCHIVES / f"{module}.doccarchive"),
        *("--fallback-display-name", module),
        *("--fallback-bundle-identifier", f"streams.{module}"),
        *("--fallback-default-module-kind", "Module"),
        *("--default-code-listing-language", "swift"),
        "--enable-experimental-external-link-support",
        "--warnings-as-errors",
        *links,
    ]


def illustrate(module):
    """Copies the module's catalog, with drawings in the place of diagrams and tables in that of the spellings."""
    catalog = CATALOGS / f"{module}.docc"
    shutil.rmtree(catalog, ignore_errors=True)
    shutil.copytree(ROOT / "Sources" / module / f"{module}.docc", catalog)
    for path in catalog.glob("**/*.md"):
        text = path.read_text(encoding="utf-8")
        for line, language, diagram, _ in guides.blocks(text):
            if language == "marbles":
                name = f"{path.stem.lower()}-{line}"
                for ending, drawing in marbles.draw(diagram).items():
                    (catalog / f"{name}{ending}.svg").write_text(drawing, encoding="utf-8")
                spoken = re.sub(r"[\[\]`*_\\]", r"\\\g<0>", marbles.describe(diagram))
                # As many lines as before, so that docc's diagnostics name the right ones.
                image = f"![{spoken}]({name})" + "\n" * (diagram.count("\n") + 1)
                text = text.replace(f"```marbles\n{diagram}```", image, 1)
            elif language == "spellings":
                text = text.replace(f"```spellings\n{diagram}```", spellings.tables(), 1)
        path.write_text(text, encoding="utf-8")


def merge_command(folder):
    archives = [ARCHIVES / f"{module}.doccarchive" for module in symbols.MODULES]
    name = ["--synthesized-landing-page-name", "Streams", "--synthesized-landing-page-kind", "Package"]
    return [docc(), "merge", *archives, *name, "--output-path", folder]


def steps(folder):
    """What has to be run, one after the other: names and commands."""
    examples = guides.write(PACKAGE)
    yield f"the modules and {len(examples)} examples compile", build_command()
    symbols.sort_out()
    ARCHIVES.mkdir(parents=True, exist_ok=True)
    CATALOGS.mkdir(parents=True, exist_ok=True)
    for index, module in enumerate(symbols.MODULES):
        illustrate(module)
        yield f"docc converts {module}", archive_command(module, symbols.MODULES[:index])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    yield "docc merges the modules", merge_command(folder / "swift")
    headers = " ".join(str(path.relative_to(ROOT)) for path in header_text.files())
    settings = [f"STREAMS_DOCS={folder}", f"STREAMS_HEADERS={headers}", f"STREAMS_TAGS={symbols.TAGS}"]
    yield "doxygen reads the headers", ["env", *settings, "doxygen", "Tools/docs/Doxyfile"]
    package = f"PYTHONPATH={ROOT / 'Bindings' / 'Python'}"
    library = f"STREAMS_LIBRARY={ROOT / 'build' / 'lib' / 'libstreams.so'}"
    pdoc = [PYTHON, "Tools/docs/python_reference.py", folder / "python"]
    yield "pdoc reads the package", ["env", package, library, *pdoc]
    yield "the first page, the guides and the search", [PYTHON, "Tools/docs/front_door.py", folder]


def main(folder):
    for _, command in steps(folder):
        subprocess.run([str(part) for part in command], check=True, cwd=ROOT)
    print(f"The documentation begins at {os.path.relpath(folder)}/index.html, for a browser or a server of files.")


if __name__ == "__main__":
    try:
        main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "docs").resolve())
    except subprocess.CalledProcessError as error:
        sys.exit(f"{error.cmd[0]} failed with status {error.returncode}")
