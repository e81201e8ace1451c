"""Makes what a release has, the same bytes each time from the same commit: `make dist`.

    .venv/bin/python Tools/dist.py --into FOLDER [archive wheel sdist debian sbom]

The library is in build/lib already, and the documentation in build/docs, or STREAMS_SITE. All times are that of the commit,
or SOURCE_DATE_EPOCH.
"""

import argparse
import email.utils
import hashlib
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import sbom  # noqa: E402  Tools/sbom.py

ROOT = pathlib.Path(__file__).resolve().parents[1]
LIBRARIES = ROOT / "build" / "lib"
LIBRARY = (LIBRARIES / "libstreams.so").resolve()
VERSION = LIBRARY.name.removeprefix("libstreams.so.")
SONAME = f"libstreams.so.{VERSION.partition('.')[0]}"
PYTHON_PACKAGE = ROOT / "Bindings" / "Python"
LICENSES = {"LICENSE": ROOT / "LICENSE", "LICENSE.swift": ROOT / "Packaging" / "Licenses" / "swift.txt"}
# The references, the guides and their search, by `make docs`.
SITE = pathlib.Path(os.environ.get("STREAMS_SITE") or ROOT / "build" / "docs")
GUIDES = ["README.md", "CHANGELOG.md", "SECURITY.md", "Docs"]
# What the make that called us says to its own commands only.
HIDDEN = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "PYTHONPATH", "DESTDIR", "PREFIX"}


def epoch():
    """The time of all files: that of the commit."""
    named = os.environ.get("SOURCE_DATE_EPOCH")
    if named:
        return int(named)
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def run(*command, **environment):
    """Runs a command; what it prints is shown only if it fails."""
    env = {name: value for name, value in os.environ.items() if name not in HIDDEN}
    env |= {"SOURCE_DATE_EPOCH": str(epoch()), "LC_ALL": "C.UTF-8", "TZ": "UTC", **environment}
    folder = env.pop("FOLDER", ROOT)
    done = subprocess.run([*map(str, command)], cwd=folder, env=env, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def install(folder, **places):
    """`make install` of what has been built, and the guides beside it."""
    built = [f"-o{LIBRARIES.relative_to(ROOT) / name}" for name in ("libstreams.so", "libstreams.a", LIBRARY.name)]
    run("make", *built, "install", f"DESTDIR={folder}", *(f"{name}={place}" for name, place in places.items()))
    guides = folder / places["PREFIX"].lstrip("/") / "share" / "doc" / "streams"
    for name in GUIDES:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        guides.mkdir(parents=True, exist_ok=True)
        copy(ROOT / name, guides / name)
    return guides


def make_archive(work, into):
    """Headers, libraries, guides, licenses and the site, for any folder."""
    if not (SITE / "index.html").exists():
        sys.exit(f"there is no documentation in {SITE}: make docs")
    folder = work / f"streams-{VERSION}-linux-{platform.machine()}"
    guides = install(folder, PREFIX="")
    for name, path in LICENSES.items():
        shutil.copy(path, guides / name)
    shutil.copytree(SITE, guides / "html")
    file = folder / "lib" / "pkgconfig" / "streams.pc"
    text = re.sub("^(prefix)=.*", r"\1=${pcfiledir}/../..", file.read_text(), flags=re.M)
    file.write_text(re.sub("^(libdir|includedir)=", r"\1=${prefix}", text, flags=re.M))
    same = ["--sort=name", f"--mtime=@{epoch()}", "--owner=0", "--group=0", "--numeric-owner", "--mode=go+u,go-w"]
    archive = into / f"{folder.name}.tar"
    run("tar", "-C", work, *same, "--format=posix", "--pax-option=delete=atime,delete=ctime", "-cf", archive, folder.name)
    run("gzip", "--no-name", "--force", archive)


def python_package(work):
    """The sources of Python's package, with the licenses, which are links in the tree."""
    folder = work / "python"
    if not folder.exists():
        shutil.copytree(PYTHON_PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__", "*.so*"))
    return folder


def build_wheel(work, library):
    """A wheel with this library, or, if it is a name only, for the system's."""
    into = pathlib.Path(tempfile.mkdtemp(dir=work))
    command = ["-m", "pip", "wheel", "--disable-pip-version-check", "--no-deps", "--no-build-isolation", "--wheel-dir"]
    environment = {"STREAMS_LIBRARY": str(library), "LD_LIBRARY_PATH": str(LIBRARIES)}
    run(sys.executable, *command, into, python_package(work), **environment)
    return next(into.glob("*.whl"))


def make_wheel(work, into):
    """A wheel that brings the library, as auditwheel leaves it."""
    wheel = build_wheel(work, LIBRARY)
    tools = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
    run(sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", into, wheel, PATH=tools)


def make_sdist(work, into):
    run(sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", into, python_package(work))


def make_debian(work, into):
    """libstreams1, libstreams-dev and python3-streams."""
    folder = work / "debian" / f"streams-{VERSION}"
    shutil.copytree(ROOT / "Packaging" / "debian", folder / "debian")
    shutil.copy(ROOT / "CHANGELOG.md", folder / "CHANGELOG.md")
    license = "\n".join(f" {line or '.'}" for line in LICENSES["LICENSE"].read_text().split("\n\n", 2)[2].splitlines())
    fill = {
        "MAINTAINER": os.environ.get("MAINTAINER", "Streams contributors <nobody@streams.invalid>"),
        "VERSION": VERSION,
        "DATE": email.utils.formatdate(epoch()),
        "MIT": license,
    }
    for name in ("control", "changelog", "copyright"):
        file = folder / "debian" / name
        file.write_text(re.sub("@([A-Z]+)@", lambda found: fill[found[1]], file.read_text()))
    multiarch = run("dpkg-architecture", "-qDEB_HOST_MULTIARCH").strip()
    install(folder / "stage", PREFIX="/usr", LIBDIR=f"/usr/lib/{multiarch}")
    modules = folder / "stage" / "usr" / "lib" / "python3" / "dist-packages"
    run(sys.executable, "-m", "zipfile", "-e", build_wheel(work, SONAME), modules)
    for each in ("RECORD", "licenses"):  # dpkg knows what it has installed, and the copyright is in usr/share/doc
        run("rm", "-r", *modules.glob(f"*.dist-info/{each}"))
    run("dpkg-buildpackage", "--build=binary", "--no-sign", FOLDER=folder)
    for package in folder.parent.glob("*.deb"):
        shutil.copy(package, into)


def make_sbom(work, into):
    compiler = run(os.environ.get("SWIFT", "swift"), "--version")
    swift = re.search(r"swift-([\d.]+)-RELEASE", compiler)[1]
    text = sbom.document(VERSION, swift, epoch(), [LIBRARY, LIBRARIES / "libstreams.a"])
    (into / f"streams-{VERSION}.cdx.json").write_text(text, encoding="utf-8")


PARTS = {"archive": make_archive, "wheel": make_wheel, "sdist": make_sdist, "debian": make_debian, "sbom": make_sbom}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--into", type=pathlib.Path, required=True)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"only these of {' '.join(PARTS)}, and no checksums")
    arguments = parser.parse_args()
    into = arguments.into.resolve()
    into.mkdir(parents=True, exist_ok=True)
    os.umask(0o022)
    with tempfile.TemporaryDirectory() as work:
        for part in arguments.parts or PARTS:
            PARTS[part](pathlib.Path(work), into)
    if not arguments.parts:
        write_sums(into)


def write_sums(into):
    files = sorted(path for path in into.iterdir() if path.name != "SHA256SUMS")
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (into / "SHA256SUMS").write_text("".join(lines))
    for path in files:
        print(f"{path.stat().st_size:>12,}  {path.name}")


if __name__ == "__main__":
    main()
