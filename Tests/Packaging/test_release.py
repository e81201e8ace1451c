"""What a release has, and that it is the same from another folder."""

import filecmp
import hashlib
import json
import re
import stat
import sys
import tarfile

from checks.readme import example
from conftest import BARE, ROOT
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packaging.licenses import canonicalize_license_expression


def test_files(release):
    found = {re.sub(r"manylinux_\d+_\d+_", "", path.name.replace(release.version, "V")) for path in release.first.iterdir()}
    packages = {"libstreams1_V-1_amd64.deb", "libstreams-dev_V-1_amd64.deb", "python3-streams_V-1_all.deb"}
    python = {"streams-V-py3-none-x86_64.whl", "streams-V.tar.gz"}
    assert found == {"SHA256SUMS", "streams-V-linux-x86_64.tar.gz", "streams-V.cdx.json"} | packages | python


def test_another_folder_makes_the_same_bytes(release):
    names = sorted(path.name for path in release.first.iterdir())
    assert sorted(path.name for path in release.second.iterdir()) == names
    same, different, errors = filecmp.cmpfiles(release.first, release.second, names, shallow=False)
    assert (sorted(same), different, errors) == (names, [], [])


def test_checksums(release, run):
    text = run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=release.first)
    assert text.count(": OK") == len(list(release.first.iterdir())) - 1


def test_the_archive_has_what_is_installed_and_the_guides(release, run, tmp_path):
    run("make", "-obuild/lib/libstreams.so", "-obuild/lib/libstreams.a", "install", f"DESTDIR={tmp_path}", "PREFIX=")
    installed = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if not path.is_dir()}
    headers = {path.relative_to(ROOT).as_posix().lower() for path in ROOT.glob("Include/**/*.h*") if "nats" not in str(path)}
    assert headers <= installed
    guides = {f"Docs/{path.name}" for path in (ROOT / "Docs").iterdir()}
    guides |= {"README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE", "LICENSE.swift"}
    guides |= {"html/index.html", "html/guides/map(_:)-1a2b3.html"}
    expected = installed | {f"share/doc/streams/{name}" for name in guides}
    assert {
        path.relative_to(release.archive).as_posix() for path in release.archive.rglob("*") if not path.is_dir()
    } == expected


def test_without_documentation_there_is_no_archive(run, tmp_path):
    command = [sys.executable, "Tools/dist.py", "--into", tmp_path / "made", "archive"]
    text = run(*command, status=1, env={**BARE, "STREAMS_SITE": str(tmp_path)})
    assert text == f"there is no documentation in {tmp_path}: make docs\n"
    assert not list((tmp_path / "made").iterdir())


def test_nothing_in_the_archive_is_of_who_made_it(release):
    with tarfile.open(f"{release.first / release.archive.name}.tar.gz") as file:
        for each in file:
            assert (each.uid, each.gid, each.uname, each.gname, each.mtime) == (0, 0, "", "", release.time), each.name
            assert each.issym() or each.mode in (0o644, 0o755), each.name
            assert each.mode == 0o755 or not each.isdir()
    assert not stat.S_IMODE((release.archive / "lib" / "libstreams.a").stat().st_mode) & 0o111


def test_readmes_program_in_c_with_the_archive_anywhere(release, run, tmp_path):
    source, expected = example("c")
    (tmp_path / "program.c").write_text(source)
    env = {**BARE, "PKG_CONFIG_PATH": str(release.archive / "lib" / "pkgconfig")}
    flags = run("pkg-config", "--cflags", "--libs", "streams", env=env).split()
    run("gcc", "program.c", "-o", "program", *flags, cwd=tmp_path)
    assert run(tmp_path / "program", env={**BARE, "LD_LIBRARY_PATH": str(release.archive / "lib")}) == expected


def test_bill_of_materials(release):
    text = (release.first / f"streams-{release.version}.cdx.json").read_text(encoding="utf-8")
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    document = json.loads(text)
    assert {each["name"] for each in document["components"]} == {"swift", "swift-corelibs-libdispatch"}
    for each in [document["metadata"]["component"], *document["components"]]:
        (license,) = each["licenses"]
        assert canonicalize_license_expression(license["expression"]) == license["expression"]
    for each in document["metadata"]["component"]["components"]:
        name = each["name"] if each["name"].endswith(".a") else "libstreams.so"
        digest = hashlib.sha256((release.archive / "lib" / name).read_bytes()).hexdigest()
        assert each["hashes"] == [{"alg": "SHA-256", "content": digest}]


def test_page_of_the_manual(release, run):
    page = release.archive / "share" / "man" / "man3" / "streams.3"
    text = run("groff", "-man", "-ww", "-Tutf8", "-P-cbou", "-rLL=110n", page)
    assert "warning" not in text
    assert f"Streams {release.version}" in text.splitlines()[-1]
    assert re.findall(r"^[A-Z ]+$", text, re.M) == [
        "NAME",
        "SYNOPSIS",
        "DESCRIPTION",
        "RULES",
        "COMMENTS",
        "CONTENTS",
        "SEE ALSO",
    ]
    assert re.findall(r"^ +(\d)\. ", text, re.M) == list("123456789")
    for part in (release.archive / "include" / "streams").glob("[!h]*.h"):
        assert part.name in text
    assert 'printf("%.1f\\n", value->as.real);' in text


def test_hardening(release, run):
    library = release.archive / "lib" / "libstreams.so"
    # Swift's runtime does not say where branches may lead, so no library that has it can.
    text = run("hardening-check", "--nocfprotection", library)
    assert "Read-only relocations: yes" in text and "Immediate binding: yes" in text
    assert "Stack protected: yes" in text and "Fortify Source functions: yes" in text
    assert re.search(r"GNU_STACK .* RW ", run("readelf", "--wide", "--segments", library))
    symbols = run("nm", "--dynamic", "--defined-only", "--with-symbol-versions", library).split("\n")
    unversioned = [line for line in symbols if " T " in line and not line.endswith(f"@@STREAMS_{release.version[0]}")]
    assert "streams_version" in str(symbols) and not unversioned
