"""What is dropped for want of demand, or room, is counted and told."""

import gc
import threading
import warnings

import pytest
import streams
from streams import PassthroughSubject


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
