"""find_package(streams) in a folder to which the archive was moved."""

import pytest
from checks.readme import example

PROJECT = """
cmake_minimum_required(VERSION 3.16)
project(program C CXX)
find_package(streams {version} REQUIRED)
set_source_files_properties(program.cc PROPERTIES LANGUAGE CXX)
foreach(kind streams static)
  foreach(source program.c program.cc)
    string(MAKE_C_IDENTIFIER "${{kind}}_${{source}}" name)
    add_executable(${{name}} ${{source}})
    target_link_libraries(${{name}} PRIVATE streams::${{kind}})
  endforeach()
endforeach()
"""
IN_CXX = """
#include <cstdio>
#include <streams.h>
int main() { return std::printf("%s\\n", streams_version_string()) < 0; }
"""


@pytest.fixture
def configure(release, run, tmp_path):
    """Configures a project that asks for a version."""

    def call(version, **options):
        (tmp_path / "CMakeLists.txt").write_text(PROJECT.format(version=version))
        (tmp_path / "program.c").write_text(example("c")[0])
        (tmp_path / "program.cc").write_text(IN_CXX)
        return run("cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={release.archive}", **options)

    return call


def test_programs(configure, release, run, tmp_path):
    configure("1.0")
    run("cmake", "--build", tmp_path / "build")
    for kind in ("streams", "static"):
        assert run(tmp_path / "build" / f"{kind}_program_c") == example("c")[1]
        assert run(tmp_path / "build" / f"{kind}_program_cc") == f"{release.version}\n"
    assert "libstreams.so.1" in run("ldd", tmp_path / "build" / "streams_program_c")
    assert "libstreams" not in run("ldd", tmp_path / "build" / "static_program_c")


@pytest.mark.parametrize("version", ["", "1", "1.0.0 EXACT", "1.0...<2", "1.0...1.9"])
def test_versions_that_fit(configure, version):
    configure(version)


@pytest.mark.parametrize("version", ["2.0", "1.9999", "0.9", "1.0.0.1 EXACT", "0.1...<1.0.0", "1.5...<2"])
def test_versions_that_do_not(configure, version):
    assert "streams-config.cmake, version:" in configure(version, status=1)
