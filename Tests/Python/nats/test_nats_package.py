"""How the package finds its library, and what it offers."""

import inspect
import os
import pathlib
import shutil
import subprocess
import sys

import pytest
import streams
from nats_server import server  # noqa: F401
from programs import run
from streams import nats
from streams.nats import ffi_generated as ffi
from streams.nats._library import library

PACKAGE = pathlib.Path(nats.__file__).parent
# The declarations aside: structs that are declared again are others than those of the functions.
MODULES = sorted(path.stem for path in PACKAGE.glob("*.py") if path.stem not in ("__init__", "ffi_generated"))


def python(code, **environment):
    env = {name: value for name, value in {**os.environ, **environment}.items() if value is not None}
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)


def test_it_is_not_loaded_with_the_package():
    done = python("import streams, sys; print([name for name in sys.modules if 'nats' in name])")
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.parametrize("path", ["/nonexistent/libstreams_nats.so", __file__, "libc.so.6"])
def test_without_its_library_it_says_what_to_do(path):
    done = python("import streams.nats", STREAMS_NATS_LIBRARY=path)
    last = done.stderr.strip().splitlines()[-1]
    assert done.returncode == 1 and last.startswith("ImportError: the library of streams.nats could not be loaded: ")
    for part in (path if path != "libc.so.6" else "streams_nats_", "make nats", "libnats-dev", "STREAMS_NATS_LIBRARY"):
        assert part in last, last


def test_the_library_beside_libstreams(tmp_path):
    folder = pathlib.Path(os.path.realpath(library._name)).parent
    for name in ("libstreams", "libstreams_nats"):
        (tmp_path / f"{name}.so.1").symlink_to(folder / f"{name}.so")
    code = "from streams.nats._library import library; print(library._name)"
    done = python(code, STREAMS_LIBRARY=str(tmp_path / "libstreams.so.1"), STREAMS_NATS_LIBRARY=None)
    assert (done.stdout.strip(), done.stderr) == (str(tmp_path / "libstreams_nats.so.1"), "")


def test_the_library_beside_the_package(tmp_path):
    shutil.copytree(PACKAGE.parent, tmp_path / "streams", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "streams" / "libstreams_nats.so.1").symlink_to(os.path.realpath(library._name))
    code = "from streams.nats._library import library; print(library._name)"
    done = python(code, STREAMS_NATS_LIBRARY=None, PYTHONPATH=str(tmp_path))
    assert (done.stdout.strip(), done.stderr) == (str(tmp_path / "streams" / "libstreams_nats.so.1"), "")


def test_the_declarations_are_complete():
    for name in ffi.FUNCTIONS:
        assert library.declared(name).argtypes is not None and callable(getattr(library, name))
    assert len(ffi.FUNCTIONS) > 50


def test_all_functions_are_used():
    """Those of calls that other languages make, and those that Python has otherwise, aside."""
    unused = {
        "streams_nats_retain", "streams_nats_close", "streams_nats_header",
        "streams_nats_map_bytes", "streams_nats_map_text", "streams_nats_subject_of", "streams_nats_key_binding",
    }  # fmt: skip
    text = "".join(path.read_text(encoding="utf-8") for path in PACKAGE.glob("_*.py"))
    assert {name for name in ffi.FUNCTIONS if f"{name}" not in text} <= unused


def test_everything_public_is_documented_and_typed():
    for name in nats.__all__:
        thing = getattr(nats, name)
        if not inspect.isclass(thing):
            continue
        assert inspect.getdoc(thing), name
        assert thing.__module__ == "streams.nats"
        for member, function in inspect.getmembers(thing):
            if member.startswith("_") or not (inspect.isfunction(function) or isinstance(function, property)):
                continue
            assert inspect.getdoc(function), f"{name}.{member}"
            assert "return" in getattr(function, "fget", function).__annotations__, f"{name}.{member}"


def test_all_is_all():
    public = {name for name in dir(nats) if not name.startswith("_") and not inspect.ismodule(getattr(nats, name))}
    assert public == set(nats.__all__)


def test_help_shows_it():
    done = python("from streams import nats; help(nats)", PAGER="cat")
    assert done.returncode == 0 and not done.stderr
    for part in ("NATS and JetStream as publishers", "class Connection", "publish_all", "acknowledge"):
        assert part in done.stdout, part


USE = """
    with nats.Connection(server) as connection:
        stream = connection.stream("LOADED")
        stream.create()
        connection.publish("LOADED", "1")
        for message in stream.consumer():
            assert message.text == "1" and message.sequence == 1
            break
        stream.delete()
"""


@pytest.mark.parametrize("module", MODULES)
def test_a_module_is_loaded_again(server, module):
    program = f"""
    import gc, importlib, streams.nats.{module}
    from streams import nats
    server = {server.url!r}
    importlib.reload(streams.nats.{module})
    gc.collect()
    """
    result = run(program + USE)
    assert (result.returncode, result.stdout) == (0, b"")


@pytest.mark.parametrize("option", ["-O", "-OO"])
def test_without_assertions_and_documentation(server, option):
    program = USE.replace("assert ", "good = ").replace("break", "print(good)\n            break")
    result = run(f"    server = {server.url!r}\n    from streams import nats\n" + program, option)
    assert (result.returncode, result.stdout) == (0, b"True\n")


def test_its_failures_are_exceptions_of_the_package():
    assert issubclass(nats.NATSError, streams.StatusError)
    for kind in (nats.PublishError, nats.NATSTimeoutError, nats.NoRespondersError):
        assert issubclass(kind, streams.StreamError)
    assert issubclass(nats.NATSTimeoutError, TimeoutError) and issubclass(nats.PublishTimeoutError, nats.PublishError)
