"""Scopes: functions that run again when what they have read has changed."""

from __future__ import annotations

import threading
from typing import Any, Callable

from .._native import host
from .._native.errors import check, check_outcome, made
from .._native.handle import ACTION, DESTROY, Closing, Handle, as_plain, function_of_library
from .._native.library import library
from .._native.values import Value, read_value
from .._operators.publisher import Publisher, source
from .._program.places import called
from .._program.types import T
from .._schedulers.schedulers import Scheduler, as_scheduler
from .binding import Binding

_BODY = function_of_library("streams_callable_body")


class ScopeTree(Closing):
    """Runs a function, its body, and those that it asks for, again whenever something changes that they have read. With
    `with`, it is closed at the end of the block.

    What a program shows is a function of what it knows. A scope is the place of such a function in a tree: SwiftUI's State,
    Binding, ObservedObject and Environment, without its views. What is drawn, and with what, is the program's.

    >>> class Note(ObservableObject):
    ...     text = Published("milk")
    >>> def board(scope, notes):
    ...     for note in notes:
    ...         scope.child(row, note)
    ...     return f"{len(notes)} notes"
    >>> def row(scope, note):
    ...     return f"- {note.text}"
    >>> notes = [Note(), Note()]
    >>> tree = ScopeTree(board, notes)
    >>> tree.update()
    >>> tree.shown
    [(0, '2 notes'), (1, '- milk'), (1, '- milk')]
    >>> notes[1].text = "bread"
    >>> tree.update()  # runs the second row, and nothing else
    >>> tree.shown[2]
    (1, '- bread')

    A body is called with its Scope and the arguments that it was asked for with. It has read what it gets of attributes
    that are Published, properties, bindings, subjects with a current value, and the environment.

    **Updates.** All that changes until an update comes is seen by it together. A scheduler makes the updates; without one,
    `update` does. An update first runs the bodies of what has changed, those above first, then the tasks that they have
    asked for, and begins again if these have changed something, up to 100 times; then `update` raises StreamLimitError.

    **Failures.** Where a body raises, its scope shows what it showed before, and keeps its children. The others run.
    `update` raises what the body has raised, until that has run again and returned. In the updates of a scheduler, it
    is told to sys.unraisablehook as well.

    **Threads.** What is read may change on any thread; the bodies run on the one that updates. A body must not wait for
    another thread that changes what it reads.

    **Lifetime.** The tree is taken down when it is closed or released: what its scopes keep is let go, and no body runs any
    more. A body that is a method of whoever keeps the tree is a circle that Python's collector does not see: close the tree
    then, or see help(weak). So is an exception of a body, until that has run again: its frames may know the tree.
    """

    def __init__(self, body: Callable[..., Any], *arguments: Any, scheduler: Scheduler | None = None) -> None:
        """Makes a tree with one scope, whose body is called first in the first update."""
        clock = None if scheduler is None else as_scheduler(scheduler)
        self._bodies = _Bodies()
        with Value(_Asked(as_plain(body, "body"), arguments)) as asked:
            context = self._bodies.context = library.streams_callable_create(host.number, self._bodies)
            self._handle = made(library.streams_scope_tree_create(clock, asked, _BODY, context, DESTROY))

    def update(self) -> None:
        """Makes the update that is due, if there is one and no other is under way."""
        thread, updaters = threading.get_ident(), self._bodies.updaters
        updaters.append(thread)
        try:
            check_outcome(library.streams_scope_tree_update(self._handle))
        finally:
            updaters.remove(thread)

    @property
    def updates(self) -> Publisher[int]:
        """Publishes the end of each update: the number of bodies that it has called. Finishes when the tree is closed.

        >>> cancellable = tree.updates.sink(lambda _: draw(tree.shown))
        """
        return source(made(library.streams_scope_tree_updates(self._handle)))

    @property
    def shown(self) -> list[tuple[int, Any]]:
        """What the bodies have returned, each with how deep its scope is; each scope is followed by those below it."""
        return [(depth, value) for depth, value in read_value(library.streams_scope_tree_get_shown, self._handle)]

    def set_environment(self, key: str, value: Any) -> None:
        """Gives the whole tree a value of the environment; None gives none. Bodies that have read it run again."""
        with Value(value) as given:
            absent = None if value is None else given
            check(library.streams_scope_tree_set_environment_value(self._handle, _text(key), absent))


class Scope(Handle):
    """The place of a body in a ScopeTree.

    Its methods are for its own body while that runs, on the thread on which it runs, but for `invalidate`.
    """

    _context = 0

    def child(self, body: Callable[..., Any], *arguments: Any, key: Any = None) -> None:
        """Asks for a scope below, whose body is called with it and these arguments, after this body has returned, if it is
        new or asked for with other arguments than before.

        It is the one that it was, with its state, if it is asked for with the same key, or without one in the same place
        among those without. One that is not asked for again is removed, with all below it. A function that is made each
        time, such as a lambda, is another one each time, and so is called. A list that was changed in place is no other
        argument.

        >>> for item in items:
        ...     scope.child(row, item, key=item.id)
        """
        with Value(key) as name, Value(_Asked(as_plain(body, "body"), arguments)) as asked:
            check_outcome(library.streams_scope_child(self._handle, name, asked, _BODY, self._context, None))

    def state(self, name: str, initial: T) -> Binding[T]:
        """The binding of a value that the scope keeps until it is removed. What it is at first counts the first time. To set
        it to an equal value changes nothing: instead of changing a list in place, set it to another one.

        >>> count = scope.state("count", 0)
        >>> button = Button(command=lambda: setattr(count, "value", count.value + 1))
        """
        kept, kind = self._kept(b"\2" + _text(name)), Binding[T]
        # The same one each time: who is asked for with it is asked for with nothing else than before.
        if not hasattr(kept, "content") or kept.content.closed:
            with Value(initial) as value:
                kept.content = kind._adopt(made(library.streams_scope_state(self._handle, _text(name), value)))
        binding: Binding[T] = kept.content
        return binding

    def _kept(self, name: bytes) -> Any:
        """The place of something that the scope keeps, apart from the states of the same name."""
        with Value(_Kept()) as place:
            return Binding[Any]._adopt(made(library.streams_scope_state(self._handle, name, place))).value

    def object(self, name: str, make: Callable[[], T]) -> T:
        """An object that the scope keeps until it is removed: made the first time, as SwiftUI's StateObject. What is read to
        make it does not count as read by the body.

        >>> model = scope.object("model", Model)
        """
        kept = self._kept(b"\1" + _text(name))
        if not hasattr(kept, "content"):
            with ScopeTree(_make, kept, as_plain(make, "make")) as maker:  # whose body reads what is read to make it
                maker.update()
        content: T = kept.content
        return content

    def task(self, name: str, start: Callable[..., Any], *arguments: Any) -> None:
        """Has `start` called with these arguments once in this update, after the bodies, and again when this is asked for
        with other arguments: SwiftUI's onAppear, onChange and task.

        What it returns ends what it has begun, if it is something with a method `cancel`, such as a cancellable or a task of
        asyncio, or a function. That is called before `start` is called again, when the body has run without asking for the
        task, and when the scope is removed. What they raise is told to sys.unraisablehook.

        >>> scope.task("news", lambda topic: feed(topic).sink(show), topic)
        """
        with Value(_Asked(None, arguments)) as asked:
            task = _Task(as_plain(start, "start"), arguments)
            context = library.streams_callable_create(host.number, task)
            check_outcome(library.streams_scope_task(self._handle, _text(name), asked, ACTION, context, DESTROY))

    def environment(self, key: str, default: Any = None) -> Any:
        """What the nearest scope above gives under the key, or else the tree, or `default`."""
        name = _text(key)

        def read(scope: int, out: Any) -> int:
            status: int = library.streams_scope_get_environment_value(scope, name, out)
            return status

        found = read_value(read, self._handle)
        return default if found is None else found

    def set_environment(self, key: str, value: Any) -> None:
        """Gives the scopes below a value of the environment. What the body does not give again when it is called again, it
        gives no more."""
        with Value(value) as given:
            check_outcome(library.streams_scope_set_environment_value(self._handle, _text(key), given))

    def invalidate(self) -> None:
        """Has the body called again in the next update, for a change of something that the library does not know. On any
        thread; once the scope has been removed, does nothing."""
        check(library.streams_scope_invalidate(self._handle))


def _text(name: str) -> bytes:
    if not isinstance(name, str):
        raise TypeError(f"{called()}: a name must be text, not {type(name).__name__}")
    if "\0" in name:
        raise ValueError(f"{called()}: the name {name!r} has a NUL in it")
    return name.encode()


class _Asked:
    """What a body, or a task, is asked for with. Equal if it is to be called with what is equal."""

    __slots__ = ("function", "arguments")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, function: Any, arguments: tuple[Any, ...]) -> None:
        self.function = function
        self.arguments = arguments

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Asked):
            return NotImplemented
        return bool(self.function == other.function and self.arguments == other.arguments)


class _Bodies:
    """Calls the bodies of a tree."""

    context = 0

    def __init__(self) -> None:
        self.updaters: list[int] = []
        """The threads that update by hand, and get what bodies raise."""

    def __call__(self, handle: int, asked: _Asked) -> Any:
        check(library.streams_retain(handle))
        scope = Scope._adopt(handle)
        scope._context = self.context
        try:
            return asked.function(scope, *asked.arguments)
        except Exception as error:
            if threading.get_ident() not in self.updaters:
                _Unheard(error)
            raise


class _Unheard:
    """Tells sys.unraisablehook of an exception."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __del__(self) -> None:
        raise self.error


class _Kept:
    """The place of an object, once that is made."""

    content: Any


def _make(_: Scope, kept: _Kept, make: Callable[[], Any]) -> None:
    if not hasattr(kept, "content"):
        kept.content = make()


class _Task:
    """Something that is begun, and is ended when the library releases it."""

    __slots__ = ("start", "arguments", "end")

    def __init__(self, start: Any, arguments: tuple[Any, ...]) -> None:
        self.start = start
        self.arguments = arguments
        self.end: Any = None

    def __call__(self, _: None) -> None:
        result = self.start(*self.arguments)
        end = getattr(result, "cancel", result)
        self.end = end if callable(end) else None

    def __del__(self) -> None:
        if self.end is not None:
            self.end()
