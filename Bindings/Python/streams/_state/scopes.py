"""Scopes: functions that run again when a value that they have read changes."""

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
    """Runs a function, its body, and the bodies of its child scopes, and runs each again when a value that it has read
    changes. With `with`, it is closed at the end of the block.

    A program's display is a function of its state. A scope is the place of such a function in a tree: SwiftUI's State,
    Binding, ObservedObject and Environment, without its views. The program does the drawing.

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

    A body is called with its Scope and the arguments that its parent passes. It depends on the values that it reads from
    Published attributes, properties, bindings, subjects with a current value, and the environment.

    **Updates.** An update handles all changes before it together. A scheduler makes the updates; without one, `update`
    does. An update first runs the bodies that depend on a changed value, parents first, then the tasks that they have asked
    for, and starts again if these have changed a value, up to 100 times; then `update` raises StreamLimitError.

    **Failures.** If a body raises, its scope still shows its last result, and keeps its children. The other bodies run.
    `update` raises the body's exception, until that has run again and returned. In the updates of a scheduler, the
    exception also goes to sys.unraisablehook.

    **Threads.** Values may change on any thread; the bodies run on the thread that updates. A body must not wait for
    another thread that changes values that it reads.

    **Lifetime.** When the tree is closed or released, the objects that its scopes keep are released, and no body runs any
    more. If a body is a method of an object that keeps the tree, this is a cycle that Python's collector does not see:
    close the tree, or see help(weak). An exception of a body can make such a cycle too, until the body has run again, since
    its frames may refer to the tree.
    """

    def __init__(self, body: Callable[..., Any], *arguments: Any, scheduler: Scheduler | None = None) -> None:
        """Makes a tree with one scope, whose body is called for the first time in the first update."""
        clock = None if scheduler is None else as_scheduler(scheduler)
        self._bodies = _Bodies()
        with Value(_Asked(as_plain(body, "body"), arguments)) as asked:
            context = self._bodies.context = library.streams_callable_create(host.number, self._bodies)
            self._handle = made(library.streams_scope_tree_create(clock, asked, _BODY, context, DESTROY))

    def update(self) -> None:
        """Runs the due update, if there is one and no other is running."""
        thread, updaters = threading.get_ident(), self._bodies.updaters
        updaters.append(thread)
        try:
            check_outcome(library.streams_scope_tree_update(self._handle))
        finally:
            updaters.remove(thread)

    @property
    def updates(self) -> Publisher[int]:
        """Publishes at the end of each update the number of bodies that it has called. Finishes when the tree is closed.

        >>> cancellable = tree.updates.sink(lambda _: draw(tree.shown))
        """
        return source(made(library.streams_scope_tree_updates(self._handle)))

    @property
    def shown(self) -> list[tuple[int, Any]]:
        """The results of the bodies, each with the depth of its scope; each scope is followed by those below it."""
        return [(depth, value) for depth, value in read_value(library.streams_scope_tree_get_shown, self._handle)]

    def set_environment(self, key: str, value: Any) -> None:
        """Sets a value of the environment for the whole tree; None removes it. Bodies that have read it run again."""
        with Value(value) as given:
            absent = None if value is None else given
            check(library.streams_scope_tree_set_environment_value(self._handle, _text(key), absent))


class Scope(Handle):
    """The place of a body in a ScopeTree.

    Only its own body may call its methods, while it runs and on its thread; any thread may call `invalidate`.
    """

    _context = 0

    def child(self, body: Callable[..., Any], *arguments: Any, key: Any = None) -> None:
        """Asks for a child scope.

        Its body is called with the scope and these arguments, after this body has returned, if the scope is new or the body
        or arguments differ from those before. It is the same scope as before, with its state, if the key is the same, or,
        without a key, the position among the children without a key. A child that is not asked for again is removed, with
        all below it. A function that is made each time, such as a lambda, is a different one each time, and so is called. A
        list that was changed in place is not a different argument.

        >>> for item in items:
        ...     scope.child(row, item, key=item.id)
        """
        with Value(key) as name, Value(_Asked(as_plain(body, "body"), arguments)) as asked:
            check_outcome(library.streams_scope_child(self._handle, name, asked, _BODY, self._context, None))

    def state(self, name: str, initial: T) -> Binding[T]:
        """The binding of a value that the scope keeps until it is removed. The initial value is used the first time.
        Setting an equal value changes nothing: instead of changing a list in place, set another one.

        >>> count = scope.state("count", 0)
        >>> button = Button(command=lambda: setattr(count, "value", count.value + 1))
        """
        kept, kind = self._kept(b"\2" + _text(name)), Binding[T]
        # The same binding each time, so that a child that gets it as an argument has an equal argument.
        if not hasattr(kept, "content") or kept.content.closed:
            with Value(initial) as value:
                kept.content = kind._adopt(made(library.streams_scope_state(self._handle, _text(name), value)))
        binding: Binding[T] = kept.content
        return binding

    def _kept(self, name: bytes) -> Any:
        """The place of an object that the scope keeps, distinct from a state of the same name."""
        with Value(_Kept()) as place:
            return Binding[Any]._adopt(made(library.streams_scope_state(self._handle, name, place))).value

    def object(self, name: str, make: Callable[[], T]) -> T:
        """An object that the scope keeps until it is removed: made the first time, as SwiftUI's StateObject. The body does
        not depend on values that `make` reads.

        >>> model = scope.object("model", Model)
        """
        kept = self._kept(b"\1" + _text(name))
        if not hasattr(kept, "content"):
            with ScopeTree(_make, kept, as_plain(make, "make")) as maker:  # its body reads the values that make reads
                maker.update()
        content: T = kept.content
        return content

    def task(self, name: str, start: Callable[..., Any], *arguments: Any) -> None:
        """Has `start` called with these arguments once in this update, after the bodies, and again when the body passes
        other arguments: SwiftUI's onAppear, onChange and task.

        `start` may return a function, or an object with a method `cancel`, such as a cancellable or an asyncio task. It is
        called before `start` is called again, when the body has run without asking for the task, and when the scope is
        removed. Their exceptions go to sys.unraisablehook.

        >>> scope.task("news", lambda topic: feed(topic).sink(show), topic)
        """
        with Value(_Asked(None, arguments)) as asked:
            task = _Task(as_plain(start, "start"), arguments)
            context = library.streams_callable_create(host.number, task)
            check_outcome(library.streams_scope_task(self._handle, _text(name), asked, ACTION, context, DESTROY))

    def environment(self, key: str, default: Any = None) -> Any:
        """The value that the nearest scope above has set for the key, or else the tree's, or `default`."""
        name = _text(key)

        def read(scope: int, out: Any) -> int:
            status: int = library.streams_scope_get_environment_value(scope, name, out)
            return status

        found = read_value(read, self._handle)
        return default if found is None else found

    def set_environment(self, key: str, value: Any) -> None:
        """Sets a value of the environment for the scopes below. A value that the body does not set again when it is called
        again is removed."""
        with Value(value) as given:
            check_outcome(library.streams_scope_set_environment_value(self._handle, _text(key), given))

    def invalidate(self) -> None:
        """Has the body called again in the next update, after a change that the library cannot see. May be called on any
        thread; once the scope has been removed, it does nothing."""
        check(library.streams_scope_invalidate(self._handle))


def _text(name: str) -> bytes:
    if not isinstance(name, str):
        raise TypeError(f"{called()}: a name must be text, not {type(name).__name__}")
    if "\0" in name:
        raise ValueError(f"{called()}: the name {name!r} has a NUL in it")
    return name.encode()


class _Asked:
    """A body or task with its arguments. Equal if the functions and arguments are."""

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
        """The threads that call `update`, which raises the bodies' exceptions."""

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
    """Reports an exception to sys.unraisablehook."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __del__(self) -> None:
        raise self.error


class _Kept:
    """The place of an object that a scope keeps, after the object is made."""

    content: Any


def _make(_: Scope, kept: _Kept, make: Callable[[], Any]) -> None:
    if not hasattr(kept, "content"):
        kept.content = make()


class _Task:
    """A started task, which ends when the library releases it."""

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
