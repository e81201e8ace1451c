"""What the tests of pipelines have in common."""

import re


def chain(publisher):
    """What the representation says of the pipeline."""
    return re.fullmatch(r"<streams\.\w+ at 0x[0-9a-f]+(?: \(closed\))?: (.*)>", repr(publisher))[1]


def celsius(fahrenheit):
    return (fahrenheit - 32) / 1.8


class Recipe:
    def convert(self, value):
        return celsius(value)
