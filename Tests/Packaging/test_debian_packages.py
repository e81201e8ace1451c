"""The Debian packages, as lintian sees them. `make check-long` installs them too."""

import pytest


@pytest.fixture(scope="module")
def packages(release, run, tmp_path_factory):
    """The packages, that for development without the static library: readelf, which lintian runs, goes through all of its
    symbols for each of 30,000 sections."""
    folder = tmp_path_factory.mktemp("packages")
    found = {path.name.split("_")[0]: path for path in release.first.glob("*.deb")}
    run("dpkg-deb", "--raw-extract", found["libstreams-dev"], folder / "unpacked")
    (archive,) = (folder / "unpacked").glob("usr/lib/*/libstreams.a")
    archive.unlink()
    sums = folder / "unpacked" / "DEBIAN" / "md5sums"
    sums.write_text("".join(line for line in sums.read_text().splitlines(True) if "libstreams.a" not in line))
    found["libstreams-dev"] = folder / found["libstreams-dev"].name
    run("dpkg-deb", "--root-owner-group", "-Zxz", "-z0", "--build", folder / "unpacked", found["libstreams-dev"])
    return found


def test_lintian_finds_no_error(packages, run):
    text = run("lintian", "--allow-root", "--fail-on", "error", "--tag-display-limit", "0", *packages.values())
    # It is in no archive of Debian's, so nobody has asked for it there.
    assert {line.split(": ")[2].split()[0] for line in text.splitlines()} <= {"initial-upload-closes-no-bugs"}


def test_what_they_need(packages, run):
    def needs(name):
        return run("dpkg-deb", "--field", packages[name], "Depends").strip()

    assert "libc6 (>= 2." in needs("libstreams1") and "python" not in needs("libstreams1")
    assert "libstreams1 (= " in needs("libstreams-dev")
    assert "libstreams1 (>= " in needs("python3-streams") and "python3:any" in needs("python3-streams")
