"""Tasks of scopes, and what a tree releases."""

import gc
import random
import weakref

from scopes import Item, runs, shown  # noqa: F401  the fixture is used by its name
from streams import CurrentValueSubject, PassthroughSubject, ScopeTree
from streams._native.library import library


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


def test_a_task_that_gives_a_cancellable_cancels_it():
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
