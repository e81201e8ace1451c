"""Scopes: functions that run again when what they have read has changed."""

import asyncio
import gc
import random
import threading
import weakref

import pytest
from recorder import Recorder
from streams import (
    AsyncioScheduler,
    Binding,
    CurrentValueSubject,
    EventLoop,
    ImmediateScheduler,
    Just,
    ObservableObject,
    PassthroughSubject,
    Property,
    Published,
    ScopeTree,
    StatusError,
    StreamLimitError,
    VirtualTimeScheduler,
)
from streams._library import library


class Item(ObservableObject):
    title = Published("milk")
    done = Published(False)


class Runs(list):
    """What bodies have noted since the last look."""

    def __call__(self, *what):
        self.append(what[0] if len(what) == 1 else what)

    def taken(self):
        found, self[:] = list(self), []
        return found


@pytest.fixture
def runs():
    return Runs()


def shown(tree):
    tree.update()
    return [value for _, value in tree.shown]


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
        ticket = Just("typed").assign(text)
        assert shown(tree)[0] == "typed"
        ticket.close()
        heard.ticket.close()
    assert text.value == "typed"


# ---- tasks -------------------------------------------------------------------------------------------------------


def test_tasks_begin_after_the_bodies_and_end(runs):
    topic = CurrentValueSubject("a")

    def top(scope):
        runs("top")
        if topic.value:
            scope.task("watch", begin, topic.value)
        scope.child(lambda scope: runs("child"))

    def begin(topic):
        runs("begin", topic)
        return lambda: runs("end", topic)

    with ScopeTree(top) as tree:
        tree.update()
        assert runs.taken() == ["top", "child", ("begin", "a")]
        topic.value = "b"
        tree.update()
        assert runs.taken() == ["top", "child", ("end", "a"), ("begin", "b")]
        topic.value = ""
        tree.update()
        assert runs.taken() == ["top", ("end", "b"), "child"]
        topic.value = "c"
        tree.update()
        runs.taken()
    assert runs == [("end", "c")]


def test_a_task_that_gives_a_ticket_cancels_it():
    ticks = PassthroughSubject()

    def top(scope):
        count = scope.state("count", 0)
        scope.task("count", lambda: ticks.sink(lambda n: setattr(count, "value", count.value + n)))
        return count.value

    with ScopeTree(top) as tree:
        assert shown(tree) == [0]
        ticks.send(2)
        ticks.send(3)
        assert shown(tree) == [5]
    ticks.send(4)  # nobody is there


def test_what_tasks_raise_is_told(unraisable):
    def top(scope):
        scope.task("bad", lambda: 1 // 0)
        scope.task("fine", lambda: 5)
        scope.task("worst", lambda: lambda: [].pop())
        return "shown"

    with ScopeTree(top) as tree:
        assert shown(tree) == ["shown"]
        assert [type(each) for each in unraisable] == [ZeroDivisionError]
    assert isinstance(unraisable[1], IndexError)


# ---- the environment ---------------------------------------------------------------------------------------------


def test_the_environment_is_inherited_and_overridden(runs):
    theme = CurrentValueSubject(None)

    def top(scope):
        scope.child(middle)
        return scope.environment("theme")

    def middle(scope):
        if theme.value is not None:
            scope.set_environment("theme", theme.value)
        scope.child(leaf)
        return scope.environment("theme")

    def leaf(scope):
        runs("leaf")
        return scope.environment("theme"), scope.environment("size", 10)

    with ScopeTree(top) as tree:
        tree.set_environment("theme", "light")
        assert shown(tree) == ["light", "light", ("light", 10)]
        theme.value = "dark"
        assert shown(tree) == ["light", "light", ("dark", 10)]
        runs.taken()
        tree.set_environment("theme", "blue")
        assert shown(tree) == ["blue", "blue", ("dark", 10)]
        assert runs.taken() == []
        tree.set_environment("size", 12)
        assert shown(tree)[2] == ("dark", 12)
        theme.value = None
        assert shown(tree)[2] == ("blue", 12)
        tree.set_environment("theme", None)
        assert shown(tree) == [None, None, (None, 12)]


def test_the_first_update_finds_the_environment(runs):
    def top(scope):
        theme = scope.environment("theme", "light")
        scope.task("news", runs, theme)
        return theme

    with ScopeTree(top) as tree:
        tree.set_environment("theme", "dark")
        assert shown(tree) == ["dark"] and runs.taken() == ["dark"]
        tree.set_environment("theme", "blue")
        assert shown(tree) == ["blue"] and runs.taken() == ["blue"]


# ---- failures ----------------------------------------------------------------------------------------------------


def test_update_raises_what_a_body_raises_until_it_returns(error):
    number = CurrentValueSubject(0)

    def top(scope):
        scope.child(bad)
        scope.child(good)

    def bad(scope):
        if number.value == 1:
            raise error
        return "bad", number.value

    def good(scope):
        return "good", number.value

    with ScopeTree(top) as tree:
        tree.update()
        number.value = 1
        for _ in range(2):
            with pytest.raises(type(error), match="why"):
                tree.update()
        assert [value for _, value in tree.shown] == [None, ("bad", 0), ("good", 1)]
        number.value = 2
        assert shown(tree) == [None, ("bad", 2), ("good", 2)]


def test_what_a_body_raises_in_a_schedulers_update_is_told(unraisable, error):
    clock, number = VirtualTimeScheduler(), CurrentValueSubject(1)

    def body(scope):
        if number.value:
            raise error

    with ScopeTree(body, scheduler=clock) as tree:
        clock.run()
        assert unraisable == [error]
        with pytest.raises(type(error)):
            tree.update()
        number.value = 0
        clock.run()
        tree.update()
    assert unraisable == [error]


def test_an_interrupt_comes_out_of_the_update():
    class Interrupt(BaseException):
        pass

    calm = CurrentValueSubject(False)

    def body(scope):
        if not calm.value:
            raise Interrupt
        return "calm"

    with ScopeTree(body) as tree:
        with pytest.raises(Interrupt):
            tree.update()
        calm.value = True
        assert shown(tree) == ["calm"]


def test_an_update_without_an_end_is_given_up():
    number = CurrentValueSubject(0)

    def body(scope):
        number.value += 1

    with ScopeTree(body) as tree:
        with pytest.raises(StreamLimitError, match="given up after 100 rounds"):
            tree.update()
        assert number.value == 100


def test_bad_input(runs):
    scopes = []

    def body(scope):
        scopes.append(scope)
        with pytest.raises(TypeError, match="body must be callable"):
            scope.child(5)
        with pytest.raises(TypeError, match="start must be callable"):
            scope.task("x", None)
        with pytest.raises(TypeError, match="unhashable"):
            scope.child(runs, key={})
        with pytest.raises(ValueError, match="has a NUL"):
            scope.state("a\0b", 1)
        with pytest.raises(TypeError, match="must be text"):
            scope.environment(5)

    with pytest.raises(TypeError, match="body must be callable"):
        ScopeTree(None)
    with pytest.raises(TypeError):
        ScopeTree(body, scheduler=5)
    with pytest.raises(ValueError, match="immediate"):
        ScopeTree(body, scheduler=ImmediateScheduler())
    with ScopeTree(body) as tree:
        tree.update()
        for use in [
            lambda scope: scope.child(body),
            lambda scope: scope.state("x", 1),
            lambda scope: scope.task("x", body),
            lambda scope: scope.environment("x"),
            lambda scope: scope.set_environment("x", 1),
        ]:
            with pytest.raises(StatusError, match="does not run on this thread"):
                use(scopes[0])
        scopes[0].invalidate()
        tree.update()
        assert len(scopes) == 2
    scopes[0].invalidate()
    scopes.clear()


# ---- schedulers and threads --------------------------------------------------------------------------------------


def test_one_update_for_all_that_changes():
    clock, a, b = VirtualTimeScheduler(), CurrentValueSubject(1), CurrentValueSubject(2)
    with ScopeTree(lambda scope: a.value + b.value, scheduler=clock) as tree:
        heard = Recorder(tree.updates)
        clock.run()
        a.value, b.value, a.value = 10, 20, 30
        clock.run()
        assert [value for _, value in tree.shown] == [50] and heard.values == [1, 1]
    assert heard.finished
    heard.ticket.close()


def test_on_asyncio():
    async def main():
        number = CurrentValueSubject(1)
        with AsyncioScheduler() as scheduler, ScopeTree(lambda scope: number.value, scheduler=scheduler) as tree:
            updates = tree.updates.values(buffer=8)
            number.value = 2
            async for _ in updates:
                if tree.shown == [(0, 5)]:
                    break
                number.value += 1
            await updates.aclose()

    asyncio.run(main())


def test_threads_change_what_a_loop_shows():
    numbers = [CurrentValueSubject(0) for _ in range(4)]

    def top(scope):
        for number in numbers:
            scope.child(row, number)

    def row(scope, number):
        return number.value

    def count(number):
        for n in range(1, 501):
            number.value = n

    with EventLoop() as loop, ScopeTree(top, scheduler=loop) as tree:
        threads = [threading.Thread(target=count, args=(number,)) for number in numbers]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            loop.run_once(0.01)
        for thread in threads:
            thread.join()
        tree.update()
        assert [value for _, value in tree.shown[1:]] == [500] * 4


# ---- lifetime ----------------------------------------------------------------------------------------------------


def test_a_tree_lets_go_of_everything():
    def top(scope, items):
        for item in items:
            scope.child(row, item, key=id(item))

    def row(scope, item):
        held = scope.object("held", Item)
        scope.task("t", lambda: lambda: None)
        return item.title, held.title, scope.state("s", [item])

    before = library.streams_live_handles()
    items = [Item() for _ in range(100)]
    tree = ScopeTree(top, items)
    for _ in range(20):
        items[random.randrange(100)].title += "!"
        tree.update()
    watched = weakref.ref(items[0])
    del tree, items
    gc.collect()
    assert watched() is None and library.streams_live_handles() == before


def test_a_tree_is_closed_in_a_body_or_a_task(runs):
    def in_body(scope):
        trees[0].close()
        scope.child(never)
        return runs("body")

    def in_task(scope):
        scope.task("close", trees[1].close)
        scope.task("later", lambda: runs("later"))

    def never(scope):
        runs("never")

    trees = [ScopeTree(in_body), ScopeTree(in_task)]
    for tree in trees:
        tree.update()
        assert tree.closed
    assert runs == ["body"]
    trees.clear()


# ---- against a model ---------------------------------------------------------------------------------------------


class Node(ObservableObject):
    """A place in a random tree."""

    number = Published(0)
    children = Published(default_factory=list)
    gives = Published()


def show_node(scope, node):
    count = scope.state("count", 0)
    if node.gives is not None:
        scope.set_environment("given", node.gives)
    for child in node.children:
        scope.child(show_node, child, key=id(child))
    node.count = count
    return node.number, count.value, scope.environment("given")


def make_node(nodes, number):
    node = Node()
    node.gives, node.number = None, number
    nodes.append(node)
    return node


def expected(node, counts, given=None, depth=0):
    """What there is to show, found by going through everything."""
    shown = [(depth, (node.number, counts.setdefault(node, 0), given))]
    for child in node.children:
        shown += expected(child, counts, given if node.gives is None else node.gives, depth + 1)
    return shown


def below(node):
    yield node
    for child in node.children:
        yield from below(child)


@pytest.mark.parametrize("seed", range(4))
def test_random_edits_of_a_random_tree(seed):
    """As a model that goes through the whole tree each time says; and what is not there any more is let go of."""
    rng, nodes, counts = random.Random(seed), [], {}
    top = make_node(nodes, 0)
    removed = []
    with ScopeTree(show_node, top) as tree:
        for step in range(2500):
            alive = list(below(top))
            node = rng.choice(alive)
            edit = rng.randrange(7)
            if edit == 0:
                node.number = step
            elif edit == 1 and len(alive) < 40:
                node.children = [*node.children, make_node(nodes, step)]
            elif edit == 2 and node.children:
                gone = rng.choice(node.children)
                node.children = [child for child in node.children if child is not gone]
                for each in list(below(gone)):
                    counts.pop(each, None)
                    nodes.remove(each)
                    removed.append(weakref.ref(each))
                gone = each = None
            elif edit == 3:
                node.children = rng.sample(node.children, len(node.children))
            elif edit == 4:
                node.gives = rng.choice([None, "a", "b"])
            elif edit == 5 and hasattr(node, "count"):
                counts[node] = node.count.value = step
            node = alive = None
            if rng.random() < 0.6:
                tree.update()
                assert tree.shown == expected(top, counts), (seed, step)
                assert all(each() is None for each in removed)
                removed.clear()
        tree.update()
        assert tree.shown == expected(top, counts)
