"""The operators that Combine does not have. Demand and the order of events are the conformance table's."""

import operator

import pytest
from recorder import Recorder, values_of
from streams import CurrentValueSubject, Just, PassthroughSubject, Sequence


@pytest.mark.parametrize("method", ["zip", "combine_latest"])
def test_a_function_sees_the_values_as_its_arguments(method):
    combined = getattr(Just("a"), method)(Just(None), Just([1]), combine=lambda *values: values)
    assert values_of(combined) == [("a", None, [1])]
    (found,) = values_of(getattr(Just(object), method)(combine=lambda value: value))
    assert found is object


def test_a_function_that_raises_fails_the_stream():
    recorder = Recorder(Sequence([1, 2]).zip(Sequence([1, 0]), combine=operator.floordiv))
    assert recorder.values == [1] and isinstance(recorder.error, ZeroDivisionError)
    recorder = Recorder(Just(1).with_latest_from(Just(0), operator.floordiv))
    assert recorder.values == [] and isinstance(recorder.error, ZeroDivisionError)
    recorder = Recorder(Just(1).zip(Just(2), combine=lambda value: value))
    assert isinstance(recorder.error, TypeError)


def test_a_coroutine_function_is_refused():
    async def combine(*_):
        pass

    for call in (lambda: Just(1).zip(combine=combine), lambda: Just(1).with_latest_from(Just(2), combine)):
        with pytest.raises(TypeError, match="combine must be a plain function"):
            call()


def test_with_latest_from():
    text, save = CurrentValueSubject("draft"), PassthroughSubject()
    pairs, texts = Recorder(save.with_latest_from(text)), Recorder(save.with_latest_from(text, lambda _, text: text))
    save.send(1)
    text.send("letter")
    save.send(2)
    assert pairs.values == [(1, "draft"), (2, "letter")] and type(pairs.values[0]) is tuple
    assert texts.values == ["draft", "letter"]
