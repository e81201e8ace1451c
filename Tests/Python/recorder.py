"""A subscriber that writes down what it gets."""

import streams


class Recorder:
    """Keeps values and the end of a stream, which is cancelled when the recorder is released."""

    def __init__(self, publisher, demand=streams.UNLIMITED, returns=None):
        # The functions know the lists and not the recorder, which holds the cancellable: otherwise it would live for ever.
        self.values = values = []
        self.ends = ends = []
        self._subscriptions = subscriptions = []

        def begin(subscription):
            assert not subscriptions and not values and not ends
            subscriptions.append(subscription)

        def value(value):
            assert not ends
            values.append(value)
            return returns

        self.cancellable = publisher.sink(value, ends.append, demand, subscription=begin)

    @property
    def subscription(self):
        return self._subscriptions[0]

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
