"""Exceptions that also leave the stream: KeyboardInterrupt, SystemExit and other BaseExceptions that are no Exception.

Raised in a callback they fail the stream, as all do, and are also raised by the call that caused the delivery. The library
passes them to this module, and each call that can deliver checks for them when it returns.
"""

from __future__ import annotations

import os
import sys
import threading
from types import FrameType

from .depth import caller

pending: dict[int, list[tuple[FrameType, BaseException]]] = {}
"""The exceptions that must still be raised, by thread: each with the frame that called the library."""


def _forget_other_threads() -> None:
    """The child of a fork has no other threads."""
    own = pending.get(threading.get_ident())
    pending.clear()
    if own:
        pending[threading.get_ident()] = own


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_other_threads)


def escape(error: BaseException, depth: int = 1) -> None:
    """Keeps an exception for the call that led here, in the frame at this depth. That frame must call raise_pending before
    it returns: after that another call might raise the exception."""
    try:
        frame = caller(sys._getframe(depth))
    except ValueError:
        raise error from None  # no Python function called: sys.unraisablehook gets it
    kept = pending.setdefault(threading.get_ident(), [])
    if not any(each is error or at is frame for at, each in kept):
        kept.append((frame, error))


def raise_pending(depth: int = 1) -> None:
    """Raises the exception of a library call that the frame at this depth has made.

    An exception of a call that is still running stays: a function that a stream calls in the meantime, such as a
    completion, may use other streams.
    """
    thread = threading.get_ident()
    kept = pending.get(thread, [])
    here = sys._getframe(depth)
    for entry in tuple(kept):
        frame, error = entry
        if frame is here or not _is_running(frame, here):
            try:
                kept.remove(entry)
            except ValueError:
                continue  # a function that the collector called in the meantime has raised it
            if not kept:
                pending.pop(thread, None)
            try:
                raise error
            finally:
                del entry, error, frame, kept, here


def _is_running(frame: FrameType, innermost: FrameType) -> bool:
    each = innermost.f_back
    while each is not None and each is not frame:
        each = each.f_back
    return each is not None
