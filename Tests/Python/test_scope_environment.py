"""The environment that a program gives a whole tree of scopes: an update sees it with all else that has changed."""

from streams import CurrentValueSubject, EventLoop, ScopeTree


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
        ticket = tree.updates.sink(counts.append)
        loop.run_once()
        tree.set_environment("size", 1)
        loop.run_once()
        tree.set_environment("size", 1)
        loop.run_once()
        ticket.cancel()
    assert body.seen == [(0, None), (0, 1)]
    assert counts == [2, 1]
