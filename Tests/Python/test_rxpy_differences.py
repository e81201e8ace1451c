"""What the guide for those who know RxPY says to differ: the same in both, with another outcome."""

import pathlib
import re

import pytest
import streams
from rxpy_sources import happens_here, happens_there, ops, ours, rx, theirs

GUIDE = pathlib.Path(__file__).parents[2] / "Docs" / "python-from-rxpy.md"


def none(name, *arguments):
    """An operator of a publisher and an observable without values."""
    called = "element_at" if name == "output_at" else name.partition("_")[0]
    return (
        lambda: getattr(streams.Empty(), name)(*arguments),
        lambda: rx.empty().pipe(getattr(ops, called)(*arguments)),
    )


def is_less(first, second):
    return first < second


def fails_twice():
    """Fails when it is subscribed to for the first and for the second time."""
    left = [2]

    def make(*_):
        left[0] -= 1
        return ([], True) if left[0] >= 0 else ([7], False)

    return make


def pairs(operation, source):
    return operation(source).zip(ours([0, 0], False)).map(sum)


def rx_pairs(operation, source):
    return source.pipe(operation, ops.zip(theirs([0, 0], False)), ops.map(sum))


TWO, DIGITS = ([0, 0], False), ([0, 1], False)

# For each operator in the guide's table, the same in both, with another outcome.
DIFFERENCES = {
    **{name: none(name) for name in ("first", "last", "min", "max")},
    **{name: none(name, bool) for name in ("first_where", "last_where")},
    **{name: none(name, is_less) for name in ("min_by", "max_by")},
    "output_at": none("output_at", 1),
    "combine_latest": (
        lambda: streams.Empty().combine_latest(ours([0], True)),
        lambda: rx.empty().pipe(ops.combine_latest(theirs([0], True))),
    ),
    "retry": (
        lambda: (lambda make: streams.Deferred(lambda: ours(*make())).retry(2))(fails_twice()),
        lambda: (lambda make: rx.defer(lambda _: theirs(*make())).pipe(ops.retry(2)))(fails_twice()),
    ),
    "prefix": (lambda: streams.Empty(False).prefix(0), lambda: rx.never().pipe(ops.take(0))),
    "flat_map": (
        lambda: pairs(lambda p: p.flat_map(lambda _: ours(*DIGITS)), ours(*TWO)),
        lambda: rx_pairs(ops.flat_map(lambda _: theirs(*DIGITS)), theirs(*TWO)),
    ),
    "merge": (
        lambda: pairs(lambda p: p.merge(ours(*DIGITS)), ours(*DIGITS)),
        lambda: rx_pairs(ops.merge(theirs(*DIGITS)), theirs(*DIGITS)),
    ),
}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_each_difference_is_one(name):
    here, there = DIFFERENCES[name]
    assert happens_here(here()) != happens_there(there())


def test_the_guide_lists_the_differences():
    (section,) = re.findall(r"## Where results differ\n(.*?)\n## ", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    rows = [line.split("|")[1] for line in section.split("\n") if line.startswith("| `")]
    assert sorted(re.findall("`(.*?)`", " ".join(rows))) == sorted(DIFFERENCES)
