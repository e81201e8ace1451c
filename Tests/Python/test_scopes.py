"""Scopes: functions that run again when what they have read has changed; their children, state and objects."""

import gc
import weakref

import pytest
from recorder import Recorder
from scopes import Item, runs, shown  # noqa: F401  the fixture is used by its name
from streams import Binding, CurrentValueSubject, Just, ObservableObject, Property, Published, ScopeTree, StatusError

# ---- what is read ------------------------------------------------------------------------------------------------


def test_each_thing_that_can_be_read_is_noted(runs):
    subject, source, item = CurrentValueSubject(1), CurrentValueSubject(1), Item()
    binding, title = Binding(CurrentValueSubject({"a": 1})), item.bindings.title
    readings = {
        "subject": lambda: subject.value,
        "property": lambda: doubled.value,
        "attribute": lambda: item.done,
        "binding": lambda: title.value,
        "part": lambda: binding["a"].value,
        "environment": None,
    }
    doubled = Property(source).map(lambda n: 2 * n)

    def top(scope):
        for name in readings:
            scope.child(read, name)

    def read(scope, name):
        runs(name)
        return scope.environment("theme", "light") if name == "environment" else readings[name]()

    with ScopeTree(top) as tree:
        assert shown(tree) == [None, 1, 2, False, "milk", 1, "light"]
        assert runs.taken() == list(readings)
        changes = {
            "subject": lambda: subject.send(2),
            "property": lambda: source.send(3),
            "attribute": lambda: setattr(item, "done", True),
            "binding": lambda: setattr(item, "title", "bread"),
            "part": lambda: setattr(binding["a"], "value", 4),
            "environment": lambda: tree.set_environment("theme", "dark"),
        }
        for name, change in changes.items():
            change()
            tree.update()
            assert runs.taken() == [name]
        assert shown(tree) == [None, 2, 6, True, "bread", 4, "dark"]
        assert tree.shown[1] == (1, 2)


def test_what_is_read_outside_of_bodies_is_not_noted(runs):
    subject = CurrentValueSubject(1)

    def body(scope):
        runs("run")
        scope.task("read", lambda: runs(subject.value))

    with ScopeTree(body) as tree:
        tree.update()
        assert subject.value == 1
        subject.value = 2
        tree.update()
        assert runs.taken() == ["run", 1]


# ---- children, state, objects ------------------------------------------------------------------------------------


def test_children_keep_their_state_by_key(runs):
    items = CurrentValueSubject(["a", "b", "c"])

    def top(scope):
        for item in items.value:
            scope.child(row, item, key=item)

    def row(scope, item):
        count = scope.state("count", 0)
        runs(item)
        return item, count.value, count

    with ScopeTree(top) as tree:
        counts = {item: count for item, _, count in shown(tree)[1:]}
        counts["b"].value += 5
        items.value = ["c", "d", "b"]
        assert [row[:2] for row in shown(tree)[1:]] == [("c", 0), ("d", 0), ("b", 5)]
        assert sorted(runs.taken()) == ["a", "b", "b", "c", "d"]
        counts["a"].value = 7
        items.value = ["a"]
        assert [row[:2] for row in shown(tree)[1:]] == [("a", 0)]
        assert counts["b"].value == 5
        counts.clear()


def test_a_child_is_called_again_with_other_arguments_only(runs):
    pair = CurrentValueSubject((1, [1]))

    def top(scope):
        for number in pair.value:
            scope.child(child, number)

    def child(scope, number):
        runs(number)

    with ScopeTree(top) as tree:
        tree.update()
        pair.value = (1, [1])
        tree.update()
        assert runs.taken() == [1, [1]]
        pair.value = (1, [2])
        tree.update()
        assert runs.taken() == [[2]]
        pair.value = (1,)
        tree.update()
        assert runs.taken() == []


def test_an_object_is_made_once_for_each_scope(runs):
    made = []

    def top(scope):
        choice = scope.state("choice", 0)
        scope.child(owner, key=choice.value)
        return choice

    def owner(scope):
        runs("run")
        item = scope.object("item", make)
        return item.title

    def make():
        item = Item()
        made.append(weakref.ref(item))
        return item

    with ScopeTree(top) as tree:
        choice = shown(tree)[0]
        made[0]().title = "bread"
        assert shown(tree)[1] == "bread"
        assert runs.taken() == ["run", "run"] and len(made) == 1
        choice.value = 1
        assert shown(tree)[1] == "milk"
        gc.collect()
        assert made[0]() is None and made[1]() is not None
    gc.collect()
    assert made[1]() is None


def test_what_makes_an_object_is_no_part_of_the_body(runs):
    source = CurrentValueSubject(1)

    class Counted(ObservableObject):
        count = Published(0)

        def __init__(self):
            runs("made")
            self.count += source.value

    def top(scope):
        runs("run")
        counted = scope.object("counted", Counted)
        return None if counted.count == 5 else counted

    def fail():
        raise KeyError("why")

    with ScopeTree(top) as tree:
        counted = shown(tree)[0]
        source.value = 2
        tree.update()
        assert runs.taken() == ["run", "made"]
        counted.count = 5
        assert shown(tree) == [None] and runs.taken() == ["run"]
    with ScopeTree(lambda scope: scope.object("bad", fail)) as tree, pytest.raises(KeyError, match="why"):
        tree.update()


def test_an_object_and_a_state_may_have_one_name():
    def top(scope):
        return scope.state("item", 1).value, type(scope.object("item", Item)), scope.state("item", 2).value

    with ScopeTree(top) as tree:
        assert shown(tree) == [(1, Item, 1)]


def test_what_compares_hashes_and_ends_is_no_part_of_the_body(runs, unraisable):
    number, noise = CurrentValueSubject(0), CurrentValueSubject(0)

    class Key:
        scope = None

        def __init__(self, name):
            self.name = name

        def __hash__(self):
            noise.value
            return 1

        def __eq__(self, other):
            noise.value
            try:
                Key.scope.child(row, key=Key("intruder"))
            except StatusError as error:
                runs(error.function)
            return self.name == other.name

    def end():
        noise.value
        Key.scope.child(row, key="intruder")

    def row(scope):
        return "row"

    def top(scope):
        Key.scope = scope
        for name in ("abc", "cab")[number.value]:
            scope.child(row, key=Key(name))
        if number.value == 0:
            scope.task("end", lambda: end)
        return "top"

    with ScopeTree(top) as tree:
        assert shown(tree) == ["top", "row", "row", "row"]
        runs.taken()
        number.value = 1
        assert shown(tree) == ["top", "row", "row", "row"]
        assert set(runs.taken()) == {"streams_scope_child"}
        assert [type(each) for each in unraisable] == [StatusError]
        updates = Recorder(tree.updates)
        noise.value = 1
        tree.update()
        assert updates.values == []


def test_a_child_that_is_given_a_state_runs_once(runs):
    def top(scope):
        scope.child(editor, scope.state("text", "a"))
        return scope.state("other", 0)

    def editor(scope, text):
        runs(text.value)

    with ScopeTree(top) as tree:
        other = shown(tree)[0]
        other.value += 1
        tree.update()
        assert runs.taken() == ["a"]
        other.close()
        scope_again = shown(tree)
        assert scope_again[0].closed and runs.taken() == []


def test_an_object_is_made_of_the_environment(runs):
    def body(scope):
        runs("run")
        return scope.object("list", lambda: [scope.environment("first")])

    with ScopeTree(body) as tree:
        tree.set_environment("first", 1)
        assert shown(tree) == [[1]]
        tree.set_environment("first", 2)
        assert shown(tree) == [[1]] and runs == ["run"]


def test_state_is_set_by_its_bindings_anywhere():
    def top(scope):
        scope.child(editor, scope.state("text", "a"))
        return scope.state("text", "b").value

    def editor(scope, text):
        return text

    with ScopeTree(top) as tree:
        text = shown(tree)[1]
        heard = Recorder(text.values)
        text.value += "!"
        assert shown(tree)[0] == "a!" and heard.values == ["a", "a!"]
        cancellable = Just("typed").assign(text)
        assert shown(tree)[0] == "typed"
        cancellable.close()
        heard.cancellable.close()
    assert text.value == "typed"
