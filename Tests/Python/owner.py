"""An object that keeps a stream and is called by it."""


class Owner:
    """What a program's objects look like."""

    def __init__(self, subject):
        self.subject = subject
        self.got = []

    def on(self, value):
        self.got.append(value)

    def end(self, error):
        self.error = error

    def begin(self, subscription):
        self.subscription = subscription

    def change(self, value):
        return value
