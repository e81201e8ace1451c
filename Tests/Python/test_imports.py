"""The package loaded again, loaded anew, without its documentation, and its exceptions in other processes."""

import concurrent.futures
import copy
import gc
import multiprocessing
import pathlib
import pickle

import pytest
import streams
from programs import run
from streams import ObservableObject, PassthroughSubject, Property, Published, Status
from streams._native.library import library

PACKAGE = pathlib.Path(streams.__file__).parent
PATHS = [path.relative_to(PACKAGE).with_suffix("") for path in PACKAGE.rglob("*.py")]
# Those of nats need a library of their own: they have tests of their own.
MODULES = sorted(
    ".".join(path.parts) for path in PATHS if path.name not in ("__init__", "trio_loop") and path.parts[0] != "nats"
)

USE = """
        subject = streams.PassthroughSubject()
        seen = []
        cancellable = subject.map(str).sink(seen.append)
        subject.send(1)
        value = streams.CurrentValueSubject(1)
        value.value += 1
        class Car(streams.ObservableObject):
            charge = streams.Published(5)
        car = Car()
        car.charge += 1
        assert (seen, value.value, car.charge) == (["1"], 2, 6)
        cancellable.cancel()
"""
WAIT = """
        assert list(streams.Sequence([1, 2])) == [1, 2]
        assert streams.Just(1).map(str).first_value() == streams.Just("1").run() == "1"
"""


@pytest.mark.parametrize("module", MODULES)
def test_a_module_is_loaded_again(module):
    program = f"""
        import gc, importlib, streams, streams.{module}
        subject = streams.PassthroughSubject()
        seen = []
        cancellable = subject.sink(seen.append)
        importlib.reload(streams.{module})
        gc.collect()
        junk = [bytes([65 + i % 26]) * n for i in range(2000) for n in (24, 32, 40, 48)]
        subject.send("after")
        assert seen == ["after"]
        subject.close()
        del subject
    """
    # To what is not loaded again, objects of the new classes are none of its own, as ever in Python.
    program += "" if module in ("_native.library", "_state.observable") else USE
    program += "" if module in ("_native.library", "_native.ffi_generated") else WAIT
    result = run(program)
    assert (result.returncode, result.stdout) == (0, b"")


def test_all_modules_are_loaded_again_in_turn():
    program = f"""
        import importlib, streams, sys
        for name in sorted(name for name in sys.modules if name.partition(".")[0] == "streams"):
            importlib.reload(sys.modules[name])
        {WAIT}
    """
    result = run(program)
    assert (result.returncode, result.stdout) == (0, b"")


def test_the_package_is_imported_anew_until_that_is_refused():
    program = f"""
        import gc, sys
        kept, refused = [], 0
        for round in range(12):
            for name in [name for name in sys.modules if name.partition(".")[0] == "streams"]:
                del sys.modules[name]
            gc.collect()
            try:
                import streams
            except ImportError as error:
                assert "anew too often" in str(error)
                refused += 1
                continue
            if round % 2:
                kept.append(streams)
            {USE.strip().replace(chr(10), chr(10) + "    ")}
        assert refused == 4, refused
    """
    result = run(program)
    assert (result.returncode, result.stdout) == (0, b"")


@pytest.mark.parametrize("option", ["-O", "-OO"])
def test_without_assertions_and_documentation(option):
    program = USE.replace("assert ", "refused = not ") + "        print(refused, __debug__)\n"
    result = run("        import streams\n" + program, option)
    assert (result.returncode, result.stdout) == (0, b"False False\n")


def closed(_=None):
    subject = PassthroughSubject()
    subject.close()
    subject.finish()


def refusals():
    closed_property = Property(1)
    closed_property.close()
    queue = streams.SerialQueue()
    queue.close()
    yield closed
    yield lambda: closed_property.value
    yield lambda: queue.schedule(print)
    yield lambda: streams.Just(1).collect(0)


def test_refusals_are_pickled_and_copied():
    for call in refusals():
        with pytest.raises(streams.StatusError) as caught:
            call()
        error = caught.value
        for other in [pickle.loads(pickle.dumps(error, protocol)) for protocol in range(6)] + [copy.copy(error)]:
            assert type(other) is type(error) and str(other) == str(error)
            assert type(other.status) is type(error.status) is Status
            assert (other.status, other.function, other.message) == (error.status, error.function, error.message)


def test_every_status_is_pickled():
    assert (Status.__module__, Status.__qualname__) == ("streams", "Status")
    for status in Status:
        assert pickle.loads(pickle.dumps(status)) is status
        assert "streams_status" not in repr(status) + str(status)


def test_a_status_of_a_later_library():
    assert streams.StatusError(9999, "streams_f", "no").status == 9999


def test_a_refusal_in_another_process():
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        with pytest.raises(streams.ClosedError, match="closed"):
            pool.submit(closed).result(timeout=60)


def test_classes_that_are_made_at_run_time_go():
    def make():
        class Car(ObservableObject):
            a = Published(1)
            b = Published(2)

        car = Car()
        car.a += car.b
        return car.a

    from streams._native import host

    make()
    gc.collect()
    kept, objects, handles = len(host.kept), len(gc.get_objects()), library.streams_live_handles()
    for _ in range(200):
        assert make() == 3
    gc.collect()
    assert (len(host.kept), library.streams_live_handles()) == (kept, handles)
    assert len(gc.get_objects()) - objects < 100
