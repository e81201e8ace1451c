"""Python's package as pip installs it."""

import email
import re
import sys
import tarfile
import zipfile

import pytest
from checks.readme import example
from conftest import BARE, ROOT


@pytest.fixture(scope="module")
def wheel(release):
    (found,) = release.first.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel, run, tmp_path_factory):
    """An empty environment with the wheel."""
    folder = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", folder)
    run(folder / "bin" / "python", "-m", "pip", "install", "--disable-pip-version-check", "--no-index", wheel)
    return folder / "bin" / "python"


def test_metadata(release, wheel):
    with zipfile.ZipFile(wheel) as file:
        info = f"streams-{release.version}.dist-info"
        metadata = email.message_from_bytes(file.read(f"{info}/METADATA"))
        for name, path in {"LICENSE": ROOT / "LICENSE", "LICENSE.swift": ROOT / "Packaging/Licenses/swift.txt"}.items():
            assert file.read(f"{info}/licenses/{name}") == path.read_bytes()
    assert metadata["Version"] == release.version
    assert metadata["License-Expression"] == "MIT AND Apache-2.0 WITH Swift-exception"
    assert metadata["Requires-Python"] == ">=3.9" and metadata["Author"] == "Streams contributors"
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert metadata.get_payload().strip() == (ROOT / "Bindings/Python/README.md").read_text(encoding="utf-8").strip()
    versions = [each.rpartition(" ")[2] for each in metadata.get_all("Classifier") if re.search(r":: 3\.\d+$", each)]
    assert versions == [f"3.{minor}" for minor in range(9, 16)]


def test_platform_is_what_auditwheel_says(wheel, run):
    tag = re.search(r"manylinux_2_\d+_x86_64", wheel.name)[0]
    assert f'platform tag: "{tag}"' in " ".join(run(sys.executable, "-m", "auditwheel", "show", wheel).split())


def test_pip_shows_it(installed, run):
    text = run(installed, "-m", "pip", "--disable-pip-version-check", "show", "streams")
    assert re.search(r"^Summary: \w", text, re.M) and "Author: Streams contributors" in text


def test_the_programs_of_its_page_run(installed, run, tmp_path):
    source, expected = example("python", ROOT / "Bindings" / "Python" / "README.md")
    (tmp_path / "program.py").write_text(source)
    assert run(installed, tmp_path / "program.py", cwd=tmp_path) == expected


def test_it_says_what_it_is(release, installed, run, tmp_path):
    rows = dict(line.split(maxsplit=1) for line in run(installed, "-m", "streams", cwd=tmp_path).splitlines())
    folder = installed.parents[1]
    assert rows["streams"] == release.version
    assert re.fullmatch(rf"{release.version}, {folder}/lib/\S+/streams/libstreams\.so\.1", rows["library"])
    assert rows["interpreter"].startswith(f"CPython {sys.version.split()[0]}, {folder}/")
    assert rows["NATS"].startswith("no") and rows["trio"].startswith("no") and "Linux" in rows["system"]


def test_sources_say_in_one_sentence_what_they_need(release, run):
    command = ["-m", "pip", "install", "--no-index", "--no-build-isolation", "--no-deps", "--disable-pip-version-check"]
    source, env = (
        release.first / f"streams-{release.version}.tar.gz",
        {**BARE, "STREAMS_LIBRARY": "/nowhere/libstreams.so.1"},
    )
    text = run(sys.executable, *command, "--target", "/nowhere", source, status=1, env=env)
    (lines,) = re.findall(r"\[1 lines of output\]\n(.*)\n *\[end of output\]", text)
    assert lines.strip().startswith("streams needs the library libstreams.so.1, and it was not found: ")


def test_sources_have_no_links(release):
    with tarfile.open(release.first / f"streams-{release.version}.tar.gz") as file:
        assert all(each.isfile() for each in file)
        assert {"LICENSE", "LICENSE.swift", "README.md"} < {each.name.rpartition("/")[2] for each in file}
