"""How the package finds its library, and what it offers."""

import inspect
import os
import pathlib
import shutil
import subprocess
import sys

import pytest
import streams
from streams._native import ffi_generated as ffi
from streams._native.library import library
from streams._program.places import OWN_PACKAGES

PACKAGE = pathlib.Path(streams.__file__).parent


def python(code, **environment):
    env = {**os.environ, **environment}
    env = {name: value for name, value in env.items() if value is not None}
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)


def test_the_package_knows_its_parts():
    parts = [path.parent.name for path in PACKAGE.glob("*/__init__.py")]
    assert OWN_PACKAGES == {"streams", *(f"streams.{part}" for part in parts)}


def test_version():
    assert streams.__version__.split(".")[0] == str(ffi.STREAMS_VERSION_MAJOR)
    assert library.streams_version() >= ffi.STREAMS_VERSION


@pytest.mark.parametrize("path", ["/nonexistent/libstreams.so", __file__])
def test_a_wrong_path_is_named(path):
    result = python("import streams", STREAMS_LIBRARY=path)
    assert result.returncode == 1
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError") and path in last and "STREAMS_LIBRARY" in last


def test_a_library_that_is_another():
    result = python("import streams", STREAMS_LIBRARY="libc.so.6")
    assert result.returncode == 1
    assert "ImportError: the library of streams could not be loaded" in result.stderr
    assert "streams_version" in result.stderr


def test_without_a_library():
    result = python("import streams", STREAMS_LIBRARY=None)
    if result.returncode:  # it is installed otherwise
        assert "ImportError" in result.stderr and "libstreams.so.1" in result.stderr


@pytest.mark.parametrize("name", ["libstreams.so.1", "libstreams.so"])
def test_a_library_beside_the_package(tmp_path, name):
    shutil.copytree(PACKAGE, tmp_path / "streams", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "streams" / name).symlink_to(os.path.realpath(library._name))
    code = "import streams; from streams._native.library import library; print(library._name)"
    result = python(code, STREAMS_LIBRARY=None, PYTHONPATH=str(tmp_path))
    assert result.stdout.strip() == str(tmp_path / "streams" / name), result.stderr


def test_the_declarations_are_complete():
    for name in ffi.FUNCTIONS:
        assert library.declared(name).argtypes is not None and callable(getattr(library, name))
    assert len(ffi.FUNCTIONS) > 80


def test_everything_public_is_documented_and_typed():
    for name in streams.__all__:
        thing = getattr(streams, name)
        if not (inspect.isclass(thing) or inspect.isfunction(thing)):
            continue
        assert inspect.getdoc(thing), name
        for member, function in inspect.getmembers(thing, inspect.isfunction):
            if not member.startswith("_") and function.__module__.startswith("streams"):
                assert inspect.getdoc(function), f"{name}.{member}"
                assert "return" in function.__annotations__, f"{name}.{member}"
    assert (PACKAGE / "py.typed").exists()


def test_all_is_all():
    public = {name for name in dir(streams) if not name.startswith("_") and not inspect.ismodule(getattr(streams, name))}
    assert public == set(streams.__all__) - {"debug"}


def test_functions_are_declared_when_they_are_used():
    """Declaring all takes a tenth of the time that the import takes."""
    code = """if True:
        import streams
        from streams._native.library import library
        assert "streams_zip" not in vars(library) and len(vars(library)) < len(library.functions) / 2
        streams.Just(1).zip(streams.Just(2))
        assert "streams_zip" in vars(library) and not hasattr(library, "streams_nonsense")
    """
    result = python(code)
    assert (result.returncode, result.stderr) == (0, "")


def test_asyncio_is_imported_when_it_is_used():
    """It is half of the time that the import takes."""
    done = subprocess.run([sys.executable, "-X", "importtime", "-c", "import streams"], capture_output=True, text=True)
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "streams" in imported and done.returncode == 0
    later = ("asyncio", "concurrent", "datetime", "json", "queue", "socket", "ssl")
    assert not {name for name in imported if name.partition(".")[0] in later}
    assert not {name for name in imported if name == "streams.debug" or name.startswith("streams._inspect")}


@pytest.mark.parametrize(
    "use",
    [
        "streams.AsyncioScheduler",
        "streams.Values",
        "streams.from_async_iterable",
        "from streams import *; Values",
        "streams.Just(1).map_async(use)",
    ],
)
def test_each_use_imports_it(use):
    code = f"""if True:
        import sys, streams
        assert "asyncio" not in sys.modules
        assert set(streams.__all__) <= set(dir(streams))
        assert not hasattr(streams, "nonsense") and "asyncio" not in sys.modules
        async def use(n): pass
        {use}
        assert "asyncio" in sys.modules
        assert streams.Values.__module__ == streams.from_async_iterable.__module__ == "streams"
        assert streams.AsyncioScheduler.__module__ == "streams" and streams.Values is streams.Values
    """
    result = python(code)
    assert (result.returncode, result.stderr) == (0, "")


def test_a_name_that_is_not_there():
    with pytest.raises(AttributeError, match="module 'streams' has no attribute 'nonsense'"):
        streams.nonsense  # noqa: B018
