"""A release to look at: what `make dist` makes, from this tree and from a copy of it in another folder."""

import os
import pathlib
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tools"))
LEFT_OUT = ("build", ".*", "__pycache__")
# Nothing of this tree.
BARE = {**os.environ, "PYTHONPATH": "", "STREAMS_LIBRARY": "", "LD_LIBRARY_PATH": "", "PYTHONDONTWRITEBYTECODE": "1"}


@pytest.fixture(scope="session")
def run():
    """Runs a command that has to succeed, and returns what it prints."""

    def call(*command, status=0, **options):
        options = {"env": BARE, "cwd": ROOT, **options}
        done = subprocess.run([*map(str, command)], stdout=-1, stderr=subprocess.STDOUT, text=True, **options)
        assert done.returncode == status, f"{' '.join(map(str, command))}\n{done.stdout}"
        return done.stdout

    return call


@pytest.fixture(scope="session")
def release(run, tmp_path_factory):
    """Where both releases are, the archive unpacked, and the version."""
    folder = tmp_path_factory.mktemp("release")
    copy = folder / "a copy"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT), symlinks=True)
    shutil.copytree(ROOT / "build" / "lib", copy / "build" / "lib", symlinks=True)
    time = run("git", "log", "-1", "--format=%ct").strip()
    # What `make docs` makes has tests of its own.
    site = folder / "site"
    (site / "guides").mkdir(parents=True)
    for name in ("index.html", "guides/map(_:)-1a2b3.html"):
        (site / name).write_text("<p>")
    env = {**BARE, "STREAMS_SITE": str(site)}
    # What must not matter: the folder, the time zone, the umask.
    others = {**env, "SOURCE_DATE_EPOCH": time, "TZ": "Asia/Kolkata", "LC_ALL": "C"}
    with ThreadPoolExecutor() as pool:
        first = pool.submit(run, sys.executable, "Tools/dist.py", "--into", folder / "first", env=env)
        command = [sys.executable, "Tools/dist.py", "--into", folder / "second"]
        pool.submit(run, *command, cwd=copy, env=others, umask=0o077).result()
        first.result()
    (archive,) = (folder / "first").glob("*-linux-*.tar.gz")
    (folder / "moved").mkdir()
    run("tar", "-C", folder / "moved", "-xf", archive)
    name = archive.name.removesuffix(".tar.gz")
    return SimpleNamespace(
        first=folder / "first",
        second=folder / "second",
        archive=folder / "moved" / name,
        version=name.split("-")[1],
        time=int(time),
    )
