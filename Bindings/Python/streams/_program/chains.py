"""The operators of a publisher and the lines of the program that made them, for messages and debugging.

They are recorded when a publisher is made, and read when a program asks or a stream fails; no value passes here.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator
from types import CodeType, FrameType, FunctionType, TracebackType
from typing import Any, Callable, TypeVar

from .demand import UNLIMITED, returned_demand
from .places import OWN_PACKAGES, Place, frames, line_of

_PLAIN = frozenset({int, float, bool})
_SHOWN, _DEPTH = 10, 4  # how many operators are shown at each end, and how many nested pipelines
_PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep
_RAISED, _CAME = "raised in ", "came through a stream with "  # the beginnings of notes
_NAME = "co_qualname" if hasattr(CodeType, "co_qualname") else "co_name"
S = TypeVar("S", bound="Step")

_GENERATOR = 0x20  # inspect.CO_GENERATOR, without the import
_HASHED, _ORDERED = ("__eq__", "__hash__"), ("__lt__", "__gt__")
# The operators and the source that call methods of the values or of the iterator.
_ASKING = {
    "contains": _HASHED, "distinct": _HASHED, "from_iterable": ("__iter__", "__next__"), "group_by": _HASHED,
    "max": _ORDERED, "min": _ORDERED, "remove_duplicates": _HASHED, "sum": ("__add__", "__radd__"),
}  # fmt: skip
# The methods that are called if a class is passed as a function; and those of an operator or a source that it makes.
_METHODS, _OWN = ("__init__", "__new__"), ("on_value", "on_completion", "produce")
_DEMAND_CODE = returned_demand.__code__
_behind: dict[str, tuple[CodeType, ...]] = {}  # by operator, the package's functions that call the user's functions
_FUNCTIONS, _PLACES = 4096, 3  # how many functions are known, and how many operators for each


class Step:
    """A source or an operator of a pipeline. It keeps none of the arguments, which belong to the library."""

    __slots__ = ("arguments", "codes", "frame_code", "instruction", "name", "native", "upstream", "wrapper")

    def __init__(self, name: str, upstream: Step | None, frame: FrameType | None) -> None:
        self.name = name
        self.upstream = upstream
        self.arguments: tuple[Any, ...] = ()  # texts and numbers, each with its keyword
        self.codes: tuple[CodeType, ...] = ()  # the code of its functions
        self.wrapper: CodeType | None = None  # the code of the package's function that calls them
        self.native = False  # whether one of its functions has no Python code
        self.frame_code = None if frame is None else frame.f_code
        self.instruction = 0 if frame is None else frame.f_lasti  # its line is computed on demand

    def take(self, value: Any, keyword: str = "") -> None:
        """Records an argument."""
        try:
            text = self._noted(value)
        except Exception:  # as attributes may raise that are functions
            text = type(value).__name__
        self.arguments += ((keyword, text),)

    def take_all(self, values: Iterable[Any]) -> None:
        """Records many arguments, in linear time."""
        arguments, codes = self.arguments, self.codes
        taken: list[tuple[str, Any]] = []
        called: list[CodeType] = []
        for value in values:
            self.arguments, self.codes = (), ()
            self.take(value)
            taken += self.arguments
            called += self.codes
        self.arguments, self.codes = (*arguments, *taken), (*codes, *called)

    def _noted(self, value: Any) -> Any:
        kind = value.__class__
        if kind is FunctionType:
            self.codes += (value.__code__,)
            return value.__name__
        if kind in _PLAIN:
            return value
        if kind is str:
            return repr(value if len(value) <= 20 else value[:17] + "...")
        if hasattr(kind, "_step") and isinstance(
            getattr(value, "_step", None), Step
        ):  # not by a method of the value, which may be a proxy
            return value._step
        if callable(value):
            codes = _codes_of(value, _OWN if self.name in _behind else ())
            self.codes += codes
            self.native |= not codes or isinstance(value, type)
            return getattr(value, "__name__", None) or kind.__name__
        return f"<{kind.__name__}>"

    @property
    def place(self) -> Place | None:
        """The line of the user's program; None if only C called."""
        code = self.frame_code
        return None if code is None else Place(code.co_filename, line_of(code, self.instruction), code.co_name)

    def made_of(self) -> list[Step]:
        """Its upstream publishers."""
        joined = [value for _, value in self.arguments if isinstance(value, Step)]
        return joined if self.upstream is None else [self.upstream, *joined]

    def labeled(self) -> str:
        """The operator without the publishers among its arguments."""
        return self._with([each for each in self.arguments if not isinstance(each[1], Step)])

    def spelled(self, depth: int = 0) -> str:
        """The operator as a program might spell it."""
        return self._with(
            (word, chain(text, depth + 1) if isinstance(text, Step) else text) for word, text in self.arguments
        )

    def _with(self, arguments: Iterable[tuple[str, Any]]) -> str:
        return f"{self.name}({', '.join(f'{word}={text}' if word else str(text) for word, text in arguments)})"

    def described(self) -> str:
        """The operator and its place."""
        return f"{self.spelled()}, made at {self.place}" if self.place else self.spelled()


_Signature = tuple[list[tuple[str, str]], str, CodeType]
_signatures: dict[int, _Signature] = {}  # by the id of a function's code, which is kept so that the id stays unique


def stands_behind(operator: str, *functions: Callable[..., Any]) -> None:
    """Registers the package's functions with which an operator calls the user's functions, or the objects that they
    make."""
    _behind[operator] = tuple(code for function in functions for code in _codes_of(function))


def _signature(code: CodeType) -> _Signature:
    """The parameters of a function except `self`, each with its keyword if it needs one, and the name of *others."""
    names, plain = code.co_varnames, code.co_argcount
    count = plain + code.co_kwonlyargcount
    parameters = [(names[index], names[index] if index >= plain else "") for index in range(count) if names[index] != "self"]
    _signatures[id(code)] = parameters, names[count] if code.co_flags & 0x04 else "", code
    return _signatures[id(code)]


def made_here(upstream: Step | None, callback: Any = None) -> Step:
    """The step that the innermost function of the user's program is making, with the package's function that it has called,
    and that call's arguments."""
    inner, frame = frames()
    code, given = inner.f_code, inner.f_locals
    name = type(given["self"]).__name__ if code.co_name == "__init__" else code.co_name
    step = Step(name, upstream, frame)
    if type(callback) is FunctionType:
        step.wrapper = callback.__code__
    parameters, others, _ = _signatures.get(id(code)) or _signature(code)
    for parameter, keyword in parameters:
        value = given.get(parameter)
        if value is not None and value is not UNLIMITED:
            step.take(value, keyword)
    if others:
        step.take_all(given[others])
    for function in step.codes:
        _remember(function, step)
    return step


def made_with(name: str, function: Any, upstream: Step | None, depth: int) -> Step:
    """As made_here, in a third of the time, for an operator of this name whose only argument is a function; the user's
    program called the operator, if the operator's caller, at this depth, is none of the package."""
    try:
        frame = sys._getframe(depth)
    except ValueError:
        return made_here(upstream, function)  # only C has called the operator
    if frame.f_globals.get("__package__") in OWN_PACKAGES:
        return made_here(upstream, function)
    step = Step(name, upstream, frame)
    if type(function) is FunctionType:  # as take would record it
        code = step.wrapper = function.__code__
        step.codes = (code,)
        step.arguments = (("", function.__name__),)
    else:
        step.take(function)
    for code in step.codes:
        _remember(code, step)
    return step


class _Users:
    """The latest operators that use a function, by name and place. A failing stream knows only its own steps, not those of
    the streams that its functions have made."""

    __slots__ = ("code", "described", "last", "more")

    def __init__(self, code: CodeType, step: Step) -> None:
        self.code = code  # kept so that its id stays unique
        self.described: dict[tuple[str, Place | None], str] = {}
        self.more = False
        self.add(step)

    def add(self, step: Step) -> None:
        frame = step.frame_code
        self.last = step.instruction, step.name, frame
        key = step.name, step.place
        described = dict(self.described)  # other threads may be doing the same
        # The last one is the most likely.
        described[key] = described.pop(key, "") or step.described()
        if len(described) > _PLACES:
            self.more = True
            del described[next(iter(described))]
        self.described = described

    def told(self) -> list[str]:
        return [*reversed(self.described.values()), *["elsewhere"][: self.more]]


_users: dict[int, _Users] = {}


def _remember(function: CodeType, step: Step) -> None:
    known = _users.get(id(function))
    if known is None:
        if len(_users) >= _FUNCTIONS:
            _users.clear()
        _users[id(function)] = _Users(function, step)
        return
    instruction, name, frame = known.last
    if instruction != step.instruction or name != step.name or frame is not step.frame_code:
        known.add(step)


def sink_here(kind: type[S], upstream: Step | None, function: Any) -> S:
    """The step of a sink with the function that receives values. It reads no frame's variables: the exception with which
    the stream fails may keep those."""
    # As frames() finds it, but without creating the frame object of sink itself.
    name = "sink"
    try:
        frame: FrameType | None = sys._getframe(2)
    except ValueError:
        frame = None  # only C has called it
    while frame is not None and frame.f_globals.get("__package__") in OWN_PACKAGES:
        name, frame = frame.f_code.co_name, frame.f_back
    step = kind(name, upstream, frame)
    step.wrapper = _DEMAND_CODE
    # The package's own sinks, which wait for values, have functions that do not fail; the function of assign may.
    if function is not None and (name == "sink" or name == "assign"):
        if type(function) is FunctionType:  # as take would record it
            step.codes = (function.__code__,)
            step.arguments = (("", function.__name__),)
        else:
            step.take(function)
        if name == "assign":
            step.arguments = ()
    return step


def chain(step: Step, depth: int = 0) -> str:
    """A whole pipeline, as a program might spell it; deeply nested pipelines are left out."""
    if depth == _DEPTH:
        return "…"
    texts: list[str] = []
    each: Step | None = step
    while each is not None:
        texts.append(each.spelled(depth))
        each = each.upstream
    if len(texts) > 2 * _SHOWN:
        texts[_SHOWN:-_SHOWN] = [f"… {len(texts) - 2 * _SHOWN} more …"]
    return ".".join(reversed(texts))


def explain(error: BaseException, step: Step | None) -> None:
    """Adds a note to an exception with which a stream has failed: the operator in which it was raised, and the line that
    made the operator. If that belongs to another stream, which a function of this one has made, the note names the
    operators that have the function. A C function has no frame in the traceback, so then the note names the stream's
    operators with C functions, and those that call methods of the values."""
    if not isinstance(error, Exception):
        return
    steps = [] if step is None else list(_all(step))
    raised = list(_codes(error.__traceback__))
    found = _first(raised, [(code, each) for each in steps for code in each.codes])
    found = found or _first(raised, [(each.wrapper, each) for each in steps if each.wrapper is not None])
    found = found or _first(raised, [(code, each) for each in steps for code in _behind.get(each.name, ())])
    described = list(dict.fromkeys(each.described() for each in found)) or _elsewhere(raised)
    if described:
        _note(error, _RAISED + " or ".join(described))
    else:
        suspects = [] if raised else _refused(error, steps)
        told = dict.fromkeys(each.described() for each in reversed(suspects or _suspects(error, raised, steps)))
        if told:
            _note(error, _CAME + "; ".join(told))


def _suspects(error: Exception, raised: list[CodeType], steps: list[Step]) -> list[Step]:
    """The steps whose functions have no frame, or which call methods of the values. The error may also have been passed
    in."""
    for code in raised:
        if not code.co_filename.startswith(_PACKAGE):
            called = "__next__" if code.co_flags & _GENERATOR else code.co_name
            return [each for each in steps if called in _ASKING.get(each.name, ())]
    is_asked = isinstance(error, TypeError)
    return [each for each in steps if each.native or (is_asked and each.name in _ASKING)]


def _refused(error: Exception, steps: list[Step]) -> list[Step]:
    """The steps with a function of the name in Python's message about wrong arguments: the function has not begun, so it
    has no frame in the traceback."""
    # Not str() of the error, which runs user's code if its argument is not a str.
    if type(error) is not TypeError or len(error.args) != 1 or type(error.args[0]) is not str:
        return []
    name, _, wrong = error.args[0].partition("() ")
    if not wrong.startswith(("takes ", "missing ", "got ")):
        return []
    names = (name, name.rpartition(".")[2])  # the qualified name, and the plain one
    return [each for each in steps if any(getattr(code, _NAME) in names for code in each.codes)]


def _all(step: Step) -> Iterator[Step]:
    """The steps of a pipeline and of those that it joins, the last one first."""
    left, seen = [step], {id(step)}
    while left:
        each = left.pop()
        yield each
        for other in reversed(each.made_of()):
            if id(other) not in seen:
                seen.add(id(other))
                left.append(other)


def _codes(traceback: TracebackType | None) -> Iterator[CodeType]:
    while traceback is not None:
        yield traceback.tb_frame.f_code
        traceback = traceback.tb_next


def _first(raised: list[CodeType], known: Iterable[tuple[CodeType | None, Step]]) -> list[Step]:
    """The steps with the first known code in the exception's traceback."""
    for code in raised:
        found = [step for each, step in known if each is code]
        if found:
            return found
    return []


def _elsewhere(raised: list[CodeType]) -> list[str]:
    """The operators that use the function that the library called."""
    for code in raised:
        if not code.co_filename.startswith(_PACKAGE):
            known = _users.get(id(code))
            return [] if known is None else known.told()
    return []


def _codes_of(function: Any, own: tuple[str, ...] = ()) -> tuple[CodeType, ...]:
    """The Python code that runs when an object is called; for a class, also that of its instances' methods."""
    function = getattr(function, "func", function)  # the function of a functools.partial
    methods = _METHODS + own if isinstance(function, type) else ()
    known = [getattr(getattr(function, name, None), "__code__", None) for name in methods]
    known.append(getattr(function, "__code__", None) or getattr(type(function).__call__, "__code__", None))
    return tuple(code for code in known if isinstance(code, CodeType))


def _note(error: Exception, text: str) -> None:
    # An exception may be of any class, also one that does not accept notes.
    with contextlib.suppress(Exception):
        notes = list(getattr(error, "__notes__", None) or ())
        if not any(str(note).startswith((_RAISED, _CAME)) for note in notes):
            # A new list, since copies of an exception share one.
            setattr(error, "__notes__", [*notes, text])
