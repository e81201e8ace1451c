"""Subscribing: demand, batches, subscriptions, cancellables, assign."""

import array
import gc
import itertools
import weakref

import pytest
import streams
from programs import run
from recorder import Recorder
from streams import UNLIMITED, Cancellable, CurrentValueSubject, Demand, PassthroughSubject, Sequence, from_iterable

# ---- demand ------------------------------------------------------------------------------------------------------


def test_demand_has_names():
    assert Demand.NONE == 0 and Demand.UNLIMITED == UNLIMITED == 2**63 - 1


@pytest.mark.parametrize("demand, count", [(0, 0), (1, 1), (3, 3), (UNLIMITED, 5), (2**64, 5), (True, 1)])
def test_demand_at_the_start(demand, count):
    assert Recorder(Sequence("abcde"), demand).values == list("abcde")[:count]


@pytest.mark.parametrize("returned, count", [(None, 1), (0, 1), (1, 5), (UNLIMITED, 5), (True, 5)])
def test_demand_returned_by_a_value(returned, count):
    assert len(Recorder(Sequence("abcde"), 1, returned).values) == count


def test_demand_adds_up():
    recorder = Recorder(from_iterable(itertools.count), demand=1)
    recorder.subscription.request(2)
    recorder.subscription.request(3)
    assert recorder.values == [0, 1, 2, 3, 4, 5]
    recorder.cancellable.cancel()


@pytest.mark.parametrize("where", ["subscription", "value", "after"])
def test_request_from_everywhere(where):
    got, kept = [], []

    def subscription(it):
        kept.append(it)
        if where == "subscription":
            it.request(2)

    def value(n):
        got.append(n)
        if where == "value" and n == 1:
            kept[0].request(1)

    cancellable = from_iterable(range(1, 10)).sink(value, demand=1, subscription=subscription)
    if where == "after":
        kept[0].request(1)
    assert got == {"subscription": [1, 2, 3], "value": [1, 2], "after": [1, 2]}[where]
    cancellable.cancel()


def test_request_after_the_end_does_nothing():
    recorder = Recorder(Sequence([1]))
    subscription = recorder.subscription
    subscription.request(5)
    subscription.cancel()
    subscription.request(1)
    assert recorder.values == [1] and recorder.finished


# ---- batches -----------------------------------------------------------------------------------------------------


def batches_of(subject, send, **options):
    got = []
    cancellable = subject.sink(batch=lambda values: got.append(values), **options)
    send()
    cancellable.close()
    return got


@pytest.mark.parametrize("numbers, kind", [([1.5, 2.5], "d"), ([1, 2, -3], "q")])
def test_batch_of_numbers_is_a_memoryview(numbers, kind):
    subject = PassthroughSubject()
    (found,) = batches_of(subject, lambda: subject.send_many(numbers))
    assert isinstance(found, memoryview) and found.format == kind and found.tolist() == numbers
    (found,) = batches_of(subject, lambda: subject.send_many(array.array(kind, numbers)))
    assert array.array(kind, found) == array.array(kind, numbers)


def test_batch_of_other_values_is_a_list():
    subject = PassthroughSubject()
    values = ["a", 1, None, 2.5]
    (found,) = batches_of(subject, lambda: subject.send_many(values))
    assert found == values and type(found) is list and found[0] is values[0]


def test_single_values_are_batches_of_one():
    subject = PassthroughSubject()
    found = batches_of(subject, lambda: [subject.send(n) for n in ("x", "y")])
    assert [list(each) for each in found] == [["x"], ["y"]]


def test_batch_is_cut_at_the_demand_and_its_result_is_demanded():
    got = []
    subscription = []
    publisher = Sequence(list(range(10)))

    def batch(values):
        got.append(list(values))
        return 2 if len(got) == 1 else 0

    cancellable = publisher.sink(batch=batch, demand=3, subscription=subscription.append)
    assert list(itertools.chain(*got)) == [0, 1, 2, 3, 4]
    subscription.pop().request(UNLIMITED)
    assert list(itertools.chain(*got)) == list(range(10))
    cancellable.close()


def test_large_batch_arrives_whole():
    subject = PassthroughSubject()
    found = batches_of(subject, lambda: subject.send_many(range(100_000)))
    assert list(itertools.chain(*found)) == list(range(100_000))


def test_batch_through_python_functions():
    subject = PassthroughSubject()
    got = []
    cancellable = subject.map(lambda n: n * 2).filter(lambda n: n % 3 == 0).sink(batch=got.extend)
    subject.send_many(range(10))
    subject.send_many(array.array("q", range(10, 20)))
    assert got == [n * 2 for n in range(20) if n % 3 == 0]
    cancellable.close()


# ---- cancellables -----------------------------------------------------------------------------------------------------


def test_letting_go_of_the_cancellable_cancels():
    subject = PassthroughSubject()
    got = []
    cancellable = subject.sink(got.append)
    subject.send(1)
    del cancellable
    subject.send(2)
    assert got == [1]


def test_cancellable_as_a_context_manager():
    subject = PassthroughSubject()
    got = []
    with subject.sink(got.append) as cancellable:
        subject.send(1)
        assert isinstance(cancellable, Cancellable)
    subject.send(2)
    assert got == [1]
    cancellable.cancel()
    cancellable.close()
    cancellable.cancel()
    cancellable.close()


def test_context_manager_cancels_also_when_the_block_raises():
    subject = PassthroughSubject()
    got = []
    with pytest.raises(KeyError), subject.sink(got.append):
        raise KeyError
    subject.send(1)
    assert got == []


@pytest.mark.parametrize("cancellables", [set(), []])
def test_store(cancellables):
    subject = PassthroughSubject()
    got = []
    subject.sink(got.append).store(cancellables)
    subject.send(1)
    cancellables.clear()
    subject.send(2)
    assert got == [1]
    with pytest.raises(AttributeError):
        subject.sink(got.append).store(3)


def test_cancel_lets_go_of_the_callbacks():
    class Value:
        def __call__(self, value):
            pass

    value = Value()
    gone = weakref.ref(value)
    subject = PassthroughSubject()
    cancellable = subject.sink(value)
    del value
    gc.collect()
    assert gone() is not None
    cancellable.cancel()
    assert gone() is None


@pytest.mark.parametrize("how", ["cancellable", "subscription", "close", "release"])
def test_cancel_inside_a_value(how):
    got, kept = [], {}

    def value(n):
        got.append(n)
        if n == 3:
            if how == "cancellable":
                kept["cancellable"].cancel()
            elif how == "close":
                kept["cancellable"].close()
            elif how == "release":
                del kept["cancellable"]
            else:
                kept["subscription"].cancel()

    subject = PassthroughSubject()
    ends = []
    begin = lambda subscription: kept.update(subscription=subscription)  # noqa: E731
    kept["cancellable"] = subject.sink(value, ends.append, subscription=begin)
    subject.send_many(list(range(10)))
    subject.finish()
    assert got == [0, 1, 2, 3] and ends == []


def test_cancel_inside_the_subscription():
    got, ends = [], []
    cancellable = Sequence([1, 2]).sink(got.append, ends.append, subscription=lambda it: it.cancel())
    assert got == [] and ends == []
    cancellable.cancel()


def test_cancel_inside_the_completion():
    kept = {}
    ends = []

    def completion(error):
        ends.append(error)
        kept.pop("cancellable").close()

    subject = PassthroughSubject()
    kept["cancellable"] = subject.sink(completion=completion)
    subject.finish()
    assert ends == [None] and not kept


def test_everything_closed_inside_a_value():
    subject = PassthroughSubject()
    mapped = subject.map(str)
    kept = {}
    got = []

    def value(text):
        got.append(text)
        for each in (kept["subscription"], kept["cancellable"], mapped, subject):
            each.close()

    begin = lambda subscription: kept.update(subscription=subscription)  # noqa: E731
    kept["cancellable"] = mapped.sink(value, subscription=begin)
    subject.send(1)
    assert got == ["1"]
    assert kept["subscription"].closed


# ---- the rest ----------------------------------------------------------------------------------------------------


def test_sink_without_functions_runs_the_stream():
    seen = []
    Sequence([1, 2]).handle_events(receive_output=seen.append).sink()
    assert seen == [1, 2]


def test_assign_to_an_attribute():
    class Display:
        text = ""

    display = Display()
    subject = PassthroughSubject()
    cancellable = subject.map(str).assign(display, "text")
    subject.send(21)
    assert display.text == "21"
    cancellable.cancel()
    subject.send(22)
    assert display.text == "21"


def test_assign_to_an_attribute_that_refuses(unraisable):
    cancellable = Sequence([1]).assign(object(), "text")
    assert [type(report.__cause__) for report in unraisable] == [AttributeError]
    cancellable.close()


def test_assign_to_a_current_value_subject():
    source, target = PassthroughSubject(), CurrentValueSubject(0)
    recorder = Recorder(target)
    cancellable = source.map(lambda n: n * 10).assign(target)
    source.send(1)
    source.finish()
    source.send(2)
    assert target.value == 10 and recorder.values == [0, 10] and recorder.ends == []
    cancellable.cancel()


def test_objects_cannot_be_copied():
    import copy
    import pickle

    for thing in (PassthroughSubject(), Sequence([1]).sink(lambda _: None)):
        for make in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="cannot be copied"):
                make(thing)


def test_representation():
    assert repr(PassthroughSubject()).startswith("<streams.PassthroughSubject at 0x")
    assert streams.Publisher.__module__ == "streams"


# ---- sinks that fail -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("batches", [False, True])
def test_a_sink_that_raises_cancels_and_hears_why(error, batches):
    def fail(_):
        raise error

    subject, got = PassthroughSubject(), []
    stream = subject.handle_events(receive_cancel=lambda: got.append("cancel"))
    cancellable = stream.sink(None if batches else fail, got.append, batch=fail if batches else None)
    subject.send(1)
    subject.send(2)
    assert got == ["cancel", error]
    cancellable.cancel()


def test_a_sink_that_is_cancelled_while_it_fails_hears_nothing_more(error):
    def fail(_):
        raise error

    subject, got, cancellables = PassthroughSubject(), [], []
    stream = subject.handle_events(receive_cancel=lambda: cancellables[0].cancel())
    cancellables.append(stream.sink(fail, got.append))
    subject.send(1)
    assert got == []


def test_what_a_sink_raises_after_it_has_cancelled_is_reported(error, unraisable):
    def fail(_):
        cancellables[0].cancel()
        raise error

    subject, got, cancellables = PassthroughSubject(), [], []
    cancellables.append(subject.sink(fail, got.append))
    subject.send(1)
    assert got == [] and unraisable == [error]


def test_a_cancellable_that_is_not_kept_is_told_of_in_development_mode():
    program = """
        import streams
        subject = streams.PassthroughSubject()
        box = type("Box", (), {})()
        subject.sink(print)
        subject.map(
            str
        ).assign(box, "value")
        subject.sink(print, demand=1)
        streams.Just(1).sink(print)
        kept = subject.sink(print)
        kept = subject.sink(print)
        del kept
        with subject.sink(print):
            pass
        [subject.sink(print)]
    """
    shown = run(program, "-X", "dev", "-W", "always").stdout.decode()
    lines = [line for line in shown.splitlines() if ": ResourceWarning: the result of " in line]
    assert [line.partition("the result of ")[2].split()[0] for line in lines] == ["sink", "assign", "sink"]
    assert lines[0].startswith("<string>:5:")
    assert run(program).stdout == b"1\n"


def test_a_cancellable_that_is_not_kept_cancels_if_that_is_an_error():
    program = """
        import streams
        subject = streams.PassthroughSubject()
        subject.handle_events(receive_cancel=lambda: print("cancelled")).sink(print)
        subject.send(1)
    """
    shown = run(program, "-X", "dev", "-W", "error").stdout.decode()
    assert "ResourceWarning: the result of sink is not kept" in shown and shown.splitlines().count("cancelled") == 1
    assert "1" not in shown.splitlines()
