"""Updates of scopes: failures, schedulers, threads."""

import asyncio
import threading

import pytest
from recorder import Recorder
from scopes import runs, shown  # noqa: F401  the fixture is used by its name
from streams import (
    AsyncioScheduler,
    CurrentValueSubject,
    EventLoop,
    ImmediateScheduler,
    ScopeTree,
    StatusError,
    StreamLimitError,
    VirtualTimeScheduler,
)

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
    heard.cancellable.close()


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
