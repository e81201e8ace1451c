"""The recipes of the guide for users of RxPY, each beside what it stands for, on random scripts of what is sent when."""

import itertools
import operator
import pathlib
import re
import statistics

import pytest
import streams
from hypothesis import given
from hypothesis import strategies as st
from rxpy_sources import (
    FEWER,
    SECOND,
    Here,
    There,
    of_nothing,
    ops,
    ours,
    parts_here,
    parts_there,
    played,
    rx,
    scripts,
    theirs,
)  # fmt: skip
from streams import Interval, Sequence

GUIDE = pathlib.Path(__file__).parents[2] / "Docs" / "python-from-rxpy.md"
SECTION = re.findall(r"## Recipes\n(.*?)\n## ", GUIDE.read_text(encoding="utf-8"), re.DOTALL)[0]
RECIPES = dict(re.findall(r"^\| `(.+)` \| `(.+)` \|$", SECTION, re.MULTILINE))


def is_even(number):
    return number % 2 == 0


def numbered(p):
    return p.scan((-1, None), lambda last, value: (last[0] + 1, value))


def twice(number):
    return number, number


def common():
    """What recipes use on both sides, with notes of their own."""
    left, notes = iter([True, True]), []
    return {
        "condition": lambda *_: next(left, False),
        "choose": lambda: 0,
        "note": lambda: notes.append(None),
        "notes": notes,
        "is_even": is_even,
        "operator": operator,
        "abs": abs,
    }


def names_here(scheduler, p, other, third):
    modules = {"itertools": itertools, "statistics": statistics, "scheduler": scheduler, "numbered": numbered}
    numbers = itertools.count()

    def timer(n):
        clock = Interval(abs(n) + 1, scheduler, count=2)
        return clock.ignore_output() if n % 2 else clock

    def closing():
        clock = Interval(1.5, scheduler, count=1)
        return clock.ignore_output() if next(numbers) % 2 else clock

    made = {"made": lambda n: ours([n, -n]), "timer": timer, "closing": closing}
    return {**vars(streams), **modules, **made, **common(), "p": p, "other": other, "third": third}


def names_there(scheduler, p, other, third):
    numbers = itertools.count()

    def timer(n):
        clock = rx.timer(abs(n) + 1, abs(n) + 1, scheduler).pipe(ops.take(2))
        return clock.pipe(ops.ignore_elements()) if n % 2 else clock

    def closing():
        clock = rx.timer(1.5, scheduler=scheduler)
        return clock.pipe(ops.ignore_elements()) if next(numbers) % 2 else clock

    made = {"made": lambda n: theirs([n, -n]), "timer": timer, "closing": closing}
    return {**vars(ops), **made, **common(), "rx": rx, "p": p, "other": other, "third": third}


# A sample ends otherwise: see the guide. What the values are made into first; nothing where they are numbers.
PREPARED = {
    "concat_all()": "made",
    "merge_all()": "made",
    "merge(max_concurrent=1)": "made",
    "starmap(operator.add)": "twice",
}


def told(value):
    """A value as both have it."""
    if hasattr(value, "timestamp"):
        return value.value, value.timestamp.timestamp()
    return "refused" if value not in ("finished", "Broken") and str(value).endswith(("Error", "Exception")) else value


def heard(side, names, make, script):
    """What happens, and how much was noted, of what is made of three subjects."""
    found = []

    def pipeline(side, *sources):
        named = names(side.scheduler, *sources)
        found.append(named["notes"])
        return make(named)

    events = played(side, pipeline, 3, script)
    return [(time, told(value)) for time, value in events], len(found[0])


def flat_here(made):
    if isinstance(made, streams.Connectable):
        return made.autoconnect()
    return parts_here(Sequence(made)) if isinstance(made, list) else made


def flat_there(made):
    if hasattr(made, "connect"):
        return made.pipe(ops.ref_count())
    return parts_there(rx.of(*made)) if isinstance(made, (list, tuple)) else made


def here(recipe, prepared):
    def make(names):
        if prepared:
            names["p"] = names["p"].map(twice if prepared == "twice" else names[prepared])
        made = flat_here(eval(RECIPES[recipe], names))
        return parts_here(made) if recipe.startswith("window") else made

    return make


def there(recipe, prepared):
    def make(names):
        if prepared:
            names["p"] = names["p"].pipe(ops.map(twice if prepared == "twice" else names[prepared]))
        called = eval(recipe, names)
        made = flat_there(called if recipe.startswith("rx.") else called(names["p"]))
        made = parts_there(made) if recipe.startswith("window") else made
        return made.pipe(of_nothing(lambda source: source))

    return make


def same(recipe, script):
    prepared = PREPARED.get(recipe)
    mine = heard(Here(), names_here, here(recipe, prepared), script)
    assert mine == heard(There(), names_there, there(recipe, prepared), script)


@pytest.mark.parametrize("recipe", RECIPES)
@FEWER
@given(data=st.data())
def test_recipe(recipe, data):
    same(recipe, data.draw(scripts(3, ends=["fail"] if recipe.startswith("sample") else ["finish", "fail"])))


@pytest.mark.parametrize("recipe", RECIPES)
def test_recipe_with_a_value_each_second(recipe):
    same(recipe, [(n * SECOND + n, 0, "value", n) for n in range(1, 9)])


def test_there_are_recipes():
    assert len(RECIPES) >= 77
