"""The environment of scopes: inherited, overridden, and given to a whole tree, with whatever else has changed."""

from scopes import runs, shown  # noqa: F401  the fixture is used by its name
from streams import CurrentValueSubject, EventLoop, ScopeTree


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


def test_readers_of_an_equal_value_are_left_alone(runs):
    theme = CurrentValueSubject(None)

    def top(scope):
        if theme.value is not None:
            scope.set_environment("theme", theme.value)
        scope.child(leaf)

    def leaf(scope):
        runs("leaf")
        return scope.environment("theme")

    with ScopeTree(top) as tree:
        tree.set_environment("theme", "light")
        assert shown(tree)[1] == "light" and runs.taken() == ["leaf"]
        theme.value = "light"
        assert shown(tree)[1] == "light" and runs.taken() == []
        tree.set_environment("theme", "dark")
        assert shown(tree)[1] == "light" and runs.taken() == []
        tree.set_environment("theme", "light")
        theme.value = None
        assert shown(tree)[1] == "light" and runs.taken() == []
        tree.set_environment("theme", "dark")
        assert shown(tree)[1] == "dark" and runs.taken() == ["leaf"]


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


class Reader:
    """A body that notes what it reads."""

    def __init__(self):
        self.seen = []
        self.count = CurrentValueSubject(0)

    def __call__(self, scope):
        self.seen.append((self.count.value, scope.environment("size")))


def test_the_first_update_sees_it():
    body = Reader()
    with ScopeTree(body) as tree:
        tree.set_environment("size", 1)
        tree.set_environment("size", 2)
        tree.update()
    assert body.seen == [(0, 2)]


def test_it_changes_together_with_what_else_changes():
    body = Reader()
    with ScopeTree(body) as tree:
        for step in (1, 2):
            tree.set_environment("size", step)
            body.count.send(step)
            tree.update()
        tree.set_environment("size", None)
        tree.update()
        # Nobody reads anything else than before.
        tree.set_environment("size", None)
        tree.update()
    assert body.seen == [(1, 1), (2, 2), (2, None)]


def test_it_asks_for_an_update():
    body, counts = Reader(), []
    with EventLoop() as loop, ScopeTree(lambda scope: scope.child(body), scheduler=loop) as tree:
        cancellable = tree.updates.sink(counts.append)
        loop.run_once()
        tree.set_environment("size", 1)
        loop.run_once()
        tree.set_environment("size", 1)
        loop.run_once()
        cancellable.cancel()
    assert body.seen == [(0, None), (0, 1)]
    assert counts == [2, 1]
