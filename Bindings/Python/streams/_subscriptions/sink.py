"""Subscribers and event handlers made of Python functions."""

from __future__ import annotations

import sys
import weakref
from typing import Any, Callable, Optional

from .._native import ffi_generated as ffi
from .._native import host
from .._native.batches import with_view
from .._native.errors import UnhandledFailure, check, exception_of, made
from .._native.failures import Failure
from .._native.handle import as_callable, as_plain
from .._native.library import library
from .._native.owner import Functions, owner_of
from .._program.chains import Step, explain
from .._program.frames import detach
from .subscription import Subscription

Function = Optional[Callable[..., Any]]


def ignore(_: Any) -> None:
    pass


def subscriber(value: Function, batch: Function, subscription: Function, ended: Any, amount: int) -> tuple[Any, Functions]:
    """Fills in a C subscriber. The caller passes it to the library, or calls drop(), and keeps the list of functions that
    comes with it while the stream runs."""
    if value is not None and batch is not None:
        raise TypeError("a sink takes values one at a time or in batches: give it value or batch, not both")
    kept = Functions()
    functions = ffi.streams_host_callables()
    if batch is not None:
        functions.on_values = _kept(kept, batch, "batch")
        functions.on_int64s = _kept(kept, with_view(batch, "q"))
        functions.on_doubles = _kept(kept, with_view(batch, "d"))
    else:
        function = ignore if value is None else value
        functions.on_value = _kept(kept, function, "value")
        call = host.calls.get(type(function))
        if call is not None:
            functions.call_value = ffi.streams_call_value_fn(call)
    functions.on_completion = _kept(kept, ended)
    if subscription is not None:
        functions.on_subscription = _kept(kept, _begun(subscription, "subscription"))
    owner = owner_of(kept)
    functions.owner = owner and id(owner)
    result = ffi.streams_subscriber()
    check(library.streams_host_subscriber(host.number, functions, amount, result))
    return result, kept


def event_handlers(
    step: Step | None,
    subscription: Function,
    output: Function,
    completion: Function,
    cancel: Function,
    request: Function,
) -> Any:
    """Fills in C event handlers, which the caller passes to the library, or drops."""
    kept: list[Any] = []
    functions = ffi.streams_host_callables()
    if subscription is not None:
        functions.on_subscription = _kept(kept, _begun(subscription, "receive_subscription"))
    if output is not None:
        functions.on_value = _kept(kept, as_plain(output, "receive_output"))
    if completion is not None:
        functions.on_completion = _kept(kept, ended(completion, step, "receive_completion"))
    if cancel is not None:
        functions.on_cancel = _kept(kept, _without_argument(cancel))
    if request is not None:
        functions.on_request = _kept(kept, as_plain(request, "receive_request"))
    return _event_handlers(functions)


def _event_handlers(functions: Any) -> Any:
    result = ffi.streams_event_handlers()
    check(library.streams_host_event_handlers(host.number, functions, result))
    return result


def reporting(publisher: int, step: SinkStep) -> int:
    """The handle of a publisher that reports a failure, which its subscriber ignores; consumes the publisher's."""
    functions = ffi.streams_host_callables()
    functions.on_completion = id(step)
    try:
        handlers = _event_handlers(functions)
    except BaseException:
        library.streams_release(publisher)
        raise
    return made(library.streams_handle_events(publisher, handlers))


def drop(struct: Any) -> None:
    """Releases the functions of a subscriber or of event handlers that the library has not received."""
    if struct.destroy:
        struct.destroy(struct.context)


def _kept(kept: list[Any], function: Any, name: str = "") -> int:
    """The address of a function, which the list keeps alive until the library has retained it."""
    kept.append(as_callable(function, name))
    return id(function)


def _begun(function: Any, name: str) -> Callable[[int], None]:
    as_plain(function, name)

    def on_subscription(handle: int) -> None:
        function(Subscription._borrow(handle))

    return on_subscription


class Waiting:
    """A completion of the package itself, for waiting: it gets a Failure, or None, and raises it later.

    `lost` is called with a weak reference when the library has released the completion: after the end, even if calls were
    nested too deep to call the completion.
    """

    __slots__ = ("function", "lost")

    is_waiting = True  # not told by its class, which is another one if this module is loaded again

    def __init__(self, function: Callable[[Failure | None], Any], lost: Callable[[Any], Any]) -> None:
        self.function = function
        self.lost = lost

    def __call__(self, error: BaseException | None) -> None:
        raise NotImplementedError  # see ended


def ended(function: Any, step: Step | None, name: str = "completion") -> Callable[[int | None], None]:
    given: object = function
    if hasattr(type(given), "is_waiting"):
        own = function.function

        def on_failure(handle: int | None) -> None:
            own(None if handle is None else Failure(explained(handle, step), handle))

        on_failure.__dict__["gone"] = weakref.ref(on_failure, function.lost)
        return on_failure
    as_plain(function, name)

    def on_completion(handle: int | None) -> None:
        function(None if handle is None else explained(handle, step))

    return on_completion


def explained(handle: int, step: Step | None) -> BaseException:
    """The exception of a library error, with a note about where it was raised; or what that exception itself raises when it
    is looked at."""
    try:
        error = exception_of(handle)
        detach(error)
        explain(error, step)
    except Exception as raised:
        return raised
    return error


def _without_argument(function: Any) -> Callable[[None], None]:
    as_plain(function, "receive_cancel")

    def on_cancel(_: None) -> None:
        function()

    return on_cancel


class SinkStep(Step):
    """A sink in a pipeline. Also its completion if it has no other: it reports a failure, which would be lost otherwise."""

    __slots__ = ()

    def __call__(self, handle: int | None) -> None:
        if handle is None:
            return
        error = explained(handle, self)
        if not isinstance(error, Exception):
            raise error  # it comes out of the call that caused this
        message = f"a stream failed, and its sink ({self.place}) has no completion to tell"
        if sys.unraisablehook is not sys.__unraisablehook__:
            # Not the error itself: its traceback would then contain this sink, and the stream keeps the error.
            raise UnhandledFailure(message) from error
        if sys.stderr is not None:  # Python's own hook would not show the cause
            import traceback  # only when it is needed: see _LATER in _native/handle.py

            lines = traceback.format_exception(type(error), error, error.__traceback__)
            if sys.version_info < (3, 11):
                lines += [f"{note}\n" for note in getattr(error, "__notes__", ())]
            sys.stderr.write(f"streams.UnhandledFailure: {message}:\n{''.join(lines)}")
