"""What is dropped for want of demand, or room, is counted and told."""

import asyncio
import gc
import threading
import warnings
import weakref

import pytest
import streams
from collected import is_collected
from conftest import Oops
from streams import DroppedValuesWarning, Empty, Fail, PassthroughSubject, Sequence
from streams._subscriptions import subscription
from turns import within


@pytest.fixture(autouse=True)
def told_anew():
    """Each test is told of lines that others have been told of."""
    subscription._told.clear()


def losing(subject, count=5, demand=2):
    cancellable = subject.sink(lambda _: None, demand=demand)
    for each in range(count):
        subject.send(each)
    return cancellable


def test_the_subject_and_the_cancellable_count():
    subject = PassthroughSubject()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with losing(subject) as cancellable:
            assert (subject.dropped, cancellable.dropped) == (3, 3)
            subject.send_many([1, 2, 3])
            assert (subject.dropped, cancellable.dropped) == (6, 6)


@pytest.mark.parametrize("kept", [0, 1, 3])
@pytest.mark.parametrize("is_array", [False, True])
def test_a_replay_subject_counts_what_it_no_longer_keeps(kept, is_array):
    subject, values, subscriptions = streams.ReplaySubject(kept), [], []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with subject.sink(values.append, demand=2, subscription=subscriptions.append) as cancellable, subject.sink():
            if is_array:
                subject.send_many(range(7))
            else:
                for each in range(7):
                    subject.send(each)
            lost = 5 - kept
            assert (subject.dropped, cancellable.dropped) == (lost, lost)
            subscriptions[0].request(10)
            assert values == [0, 1, *range(7 - kept, 7)]
            assert (subject.dropped, cancellable.dropped) == (lost, lost)


def test_what_is_shared_and_no_longer_kept_is_counted():
    subject = PassthroughSubject()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with subject.share(replay=1).sink(lambda _: None, demand=1) as cancellable:
            subject.send_many(range(5))
            assert cancellable.dropped == 3


def test_the_last_sample_is_counted_if_nobody_wants_it():
    subject, trigger, values = PassthroughSubject(), PassthroughSubject(), []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with subject.sample(trigger).sink(values.append, demand=1) as cancellable:
            for each in (1, 2):
                subject.send(each)
                trigger.send(None)
            trigger.finish()
            assert (values, cancellable.dropped) == ([1], 1)


def test_a_subscription_counts():
    subject, kept = PassthroughSubject(), []
    cancellable = subject.buffer(1, "by_request", "drop_newest").sink(lambda _: None, demand=1, subscription=kept.append)
    with pytest.warns(streams.DroppedValuesWarning, match="2 values were dropped"):
        for each in range(4):
            subject.send(each)
        assert kept[0].dropped == 2
        cancellable.cancel()


def test_a_warning_is_told_once_a_place():
    subject = PassthroughSubject()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for _ in range(3):
            cancellable = subject.sink(lambda _: None, demand=1)
            subject.send_many([1, 2, 3])
            cancellable.cancel()
        del cancellable
        gc.collect()
    assert [each.category for each in told] == [streams.DroppedValuesWarning]
    assert told[0].filename == __file__ and "2 values were dropped" in str(told[0].message)


def test_who_demands_everything_is_told_of_nothing():
    subject = PassthroughSubject()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with subject.sink(lambda _: None) as cancellable:
            subject.send_many(range(1000))
        assert (subject.dropped, cancellable.dropped) == (0, 0)


def test_a_loop_that_falls_behind_tells():
    subject = PassthroughSubject()
    begun = threading.Event()
    loop = iter(subject.handle_events(receive_request=lambda _: begun.set()))
    taken = []
    thread = threading.Thread(target=lambda: taken.append(next(loop)))
    thread.start()
    assert begun.wait(10)
    subject.send_many(range(1000))
    thread.join()
    assert taken == [0] and subject.dropped == 1000 - streams._aio.iteration.BUFFER
    with pytest.warns(streams.DroppedValuesWarning, match="744 values were dropped"):
        loop.close()


# ---- every stream is told of -------------------------------------------------------------------------------------


def busy(_):
    return Empty(complete_immediately=False)


LOSSES = {
    "no demand": lambda source: source.sink(ignore, demand=1),
    "no demand for a batch": lambda source: source.sink(batch=ignore, demand=1),
    "a full buffer": lambda source: source.buffer(2, "by_request", "drop_oldest").flat_map(busy, max_publishers=1).sink(),
    "an operator without demand": lambda source: source.flat_map(busy, max_publishers=1).sink(ignore),
    "an attribute": lambda source: source.flat_map(busy, max_publishers=1).assign(Thing(), "attribute"),
    "a merge": lambda source: source.merge(PassthroughSubject()).sink(ignore, demand=1),
}


class Thing:
    def __call__(self, value):
        return value


def ignore(_):
    pass


@pytest.mark.parametrize("loss", LOSSES)
def test_every_loss_is_told_of_once_a_place(loss):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for _ in range(3):
            subject = PassthroughSubject()
            cancellable = LOSSES[loss](subject)
            subject.send_many(range(10))
            count = cancellable.dropped
            cancellable.cancel()
            cancellable.close()
    assert count > 0 and [each.category for each in told] == [DroppedValuesWarning]
    assert told[0].filename == __file__ and str(told[0].message).startswith(f"{count} values were dropped on the way to ")


async def test_what_map_async_does_not_demand_is_told_of_where_that_is():
    async def endless(_):
        await asyncio.get_running_loop().create_future()

    subject = PassthroughSubject()
    mapped = subject.map_async(endless)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        async with mapped.values():
            while subject.dropped == 0:
                subject.send_many(range(10))
                await asyncio.sleep(0)
    assert [str(each.message).partition(",")[0] for each in told] == [
        f"{subject.dropped} values were dropped on the way to map_async"
    ]
    assert told[0].lineno == test_what_map_async_does_not_demand_is_told_of_where_that_is.__code__.co_firstlineno + 5


# ---- a filter may make the warning an exception ------------------------------------------------------------------


def leave(cancellable):
    with cancellable:
        pass


ENDS = {
    "cancel": lambda held: held[0].cancel(),
    "close": lambda held: held[0].close(),
    "with": lambda held: leave(held[0]),
    "del": lambda held: held.clear(),
}


@pytest.fixture
def errors():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("loss", LOSSES)
def test_a_warning_that_is_an_exception_keeps_nothing_running(errors, unraisable, loss, end):
    subject, cancelled, raised = PassthroughSubject(), [], []
    function = Thing()
    gone = weakref.ref(function)
    source = subject.map(function).handle_events(receive_cancel=lambda: cancelled.append(True))
    held = [LOSSES[loss](source)]
    del source, function
    subject.send_many(range(10))
    try:
        ENDS[end](held)
    except DroppedValuesWarning as warning:
        raised.append(type(warning))
    raised += [type(each) for each in unraisable]
    unraisable.clear()
    assert raised == [DroppedValuesWarning] and cancelled == [True]
    held.clear()
    assert is_collected(gone)


def test_a_loop_that_is_left_is_cancelled(errors):
    cancelled = []
    source = Sequence(range(10)).append(Empty(complete_immediately=False))
    source = source.handle_events(receive_cancel=lambda: cancelled.append(True))
    loop = source.buffer(2, "by_request", "drop_newest").iterate()
    assert next(loop) == 0
    with pytest.raises(DroppedValuesWarning):
        loop.close()
    assert cancelled == [True] and list(loop) == []


async def test_an_async_loop_that_is_left_is_cancelled(errors):
    subject, cancelled = PassthroughSubject(), []
    values = subject.handle_events(receive_cancel=lambda: cancelled.append(True)).values(buffer=2)
    subject.send_many(range(5))
    assert await values.__anext__() == 0
    with pytest.raises(DroppedValuesWarning):
        await values.aclose()
    assert cancelled == [True] and [each async for each in values] == []


async def test_the_tasks_of_a_stream_are_awaited_all_the_same(errors, unraisable):
    ended = []

    async def endless(_):
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            await asyncio.sleep(0)
            ended.append(True)

    subject = PassthroughSubject()
    values = subject.map_async(endless).values()
    while subject.dropped == 0:
        subject.send_many(range(10))
        await asyncio.sleep(0)
    await asyncio.sleep(0)
    await within(values.aclose())
    assert ended == [True] and [type(each) for each in unraisable] == [DroppedValuesWarning]


def losing_at_the_end(error=None):
    """A stream that drops values, whatever is demanded of it, and ends."""
    source = Sequence(range(10))
    return (source if error is None else source.append(Fail(error))).buffer(2, "by_request", "drop_newest")


async def all_of(publisher):
    return [each async for each in publisher]


async def awaited(publisher):
    return await publisher


WAITS = {
    "list": list,
    "for": lambda publisher: [*publisher.iterate(buffer=1)],
    "run": lambda publisher: publisher.run(),
    "async for": lambda publisher: asyncio.run(all_of(publisher)),
    "await": lambda publisher: asyncio.run(awaited(publisher)),
}


@pytest.mark.parametrize("wait", WAITS)
def test_who_waits_is_told_at_the_end(wait):
    with pytest.warns(DroppedValuesWarning):
        assert WAITS[wait](losing_at_the_end()) in ([0, 1], [0, 1, 2], 1)


@pytest.mark.parametrize("wait", WAITS)
def test_who_waits_gets_the_failure_before_a_warning_that_is_an_exception(errors, wait):
    with pytest.raises(DroppedValuesWarning):
        WAITS[wait](losing_at_the_end())
    error = Oops("why")
    with pytest.raises(Oops) as raised:
        WAITS[wait](losing_at_the_end(error))
    assert raised.value is error
    error.__traceback__ = error.__context__ = None


@pytest.mark.parametrize("method", ["assign", "subscribe"])
def test_a_subject_that_is_fed_hears_of_losses(method):
    source, target = PassthroughSubject(), streams.CurrentValueSubject(0)
    publisher = source.flat_map(lambda _: Empty(complete_immediately=False), max_publishers=1)
    cancellable = getattr(publisher, method)(target)
    source.send_many([1, 2, 3])
    assert cancellable.dropped == 2
    with pytest.warns(DroppedValuesWarning, match="2 values were dropped"):
        cancellable.close()


BEHIND = {
    "a subject": lambda publisher, _: publisher,
    "an operator": lambda publisher, _: publisher.map(str).filter(len),
    "a hand-over": lambda publisher, loop: publisher.receive_on(loop),
}


@pytest.mark.parametrize("name", BEHIND)
def test_first_value_wants_no_more_and_is_told_of_nothing(errors, name):
    with streams.EventLoop() as loop:
        subject = PassthroughSubject()
        loop.schedule(lambda: [subject.send(each) for each in range(5)])
        assert int(BEHIND[name](subject, loop).first_value(loop=loop)) == 0
        assert subject.dropped == (4 if name == "a hand-over" else 0)
