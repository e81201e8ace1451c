"""A subscriber that writes down what it gets."""

import streams


class Recorder:
    """Keeps values and the end of a stream."""

    def __init__(self, publisher, demand=streams.UNLIMITED, returns=None):
        self.values = []
        self.ends = []
        self.subscription = None
        self.returns = returns
        self.ticket = publisher.sink(self._value, self.ends.append, demand, subscription=self._begin)

    def _begin(self, subscription):
        assert self.subscription is None and not self.values and not self.ends
        self.subscription = subscription

    def _value(self, value):
        assert not self.ends
        self.values.append(value)
        return self.returns

    @property
    def finished(self):
        return self.ends == [None]

    @property
    def error(self):
        assert len(self.ends) == 1 and self.ends[0] is not None
        return self.ends[0]


def values_of(publisher):
    """All values of a publisher that finishes while it is subscribed to."""
    recorder = Recorder(publisher)
    assert recorder.finished, recorder.ends
    return recorder.values
