"""The operators for debugging."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Callable

from .._native.errors import made
from .._native.handle import as_plain
from .._native.library import library
from .._native.tracing import as_label, as_text, write_to_stderr, writer, writing
from .._program.chains import made_here
from .._program.types import T_co
from .._subscriptions import sink
from .base import Operators

if TYPE_CHECKING:
    from .._subscriptions.subscription import Subscription
    from .publisher import Publisher


class Debugging(Operators[T_co]):
    """Publisher's operators for debugging."""

    def handle_events(
        self,
        *,
        receive_subscription: Callable[[Subscription], Any] | None = None,
        receive_output: Callable[[T_co], Any] | None = None,
        receive_completion: Callable[[BaseException | None], Any] | None = None,
        receive_cancel: Callable[[], Any] | None = None,
        receive_request: Callable[[int], Any] | None = None,
    ) -> Publisher[T_co]:
        """Calls functions for the events of the stream, each before the event is forwarded, and changes nothing.

        An exception in one of these functions goes to sys.unraisablehook.
        """
        handlers = sink.event_handlers(
            self._step, receive_subscription, receive_output, receive_completion, receive_cancel, receive_request
        )
        try:
            publisher = self._take()
        except BaseException:
            sink.drop(handlers)
            raise
        return self._of(made(library.streams_handle_events(publisher, handlers)))

    def print(self, prefix: str = "", to: Any = None) -> Publisher[T_co]:
        """Writes a line for each event of the stream, such as "prefix: receive value: (1)".

        `to` is an open text file, or anything with a method `write`; without it, the lines go to sys.stdout.
        """
        write = writer(to, _write_to_stdout)
        return self._of(writing(library.streams_print, self._take, as_text(prefix, "prefix"), write))

    def track(self, label: str = "", to: Any = None) -> Publisher[T_co]:
        """Writes a line for each call between this publisher and its subscribers, indented as the calls nest: `>`
        begins a call, `<` ends it, and `-` is a call without any other call inside. A line begins with the label.
        Values that are dropped for lack of demand or room have a line too.

        The lines of several trackers in a pipeline nest in each other. `to` is an open text file, or anything with a
        method `write`, which gets a whole line at a time on the thread that makes the call; without it, the lines go to
        sys.stderr. Calls that `write` makes are not tracked.

        >>> cancellable = Just(1).track("one").sink(print)
        """
        write = writer(to, write_to_stderr)
        return self._of(writing(library.streams_track, self._take, as_label(label), write))

    def tree(self) -> str:
        """The pipeline as an indented tree, each publisher above its upstream publishers.

        >>> print(Just(1).map(str).merge(Just("a")).tree())
        merge()
          map(str)
            Just(1)
          Just('a')

        The tree shows at most 100 levels. streams.debug.to_dot and to_mermaid make graphs of a pipeline.
        """
        from .._program.trees import tree  # imported only when it is used

        return tree(made_here(None) if self._step is None else self._step)

    def breakpoint(
        self,
        *,
        receive_subscription: Callable[[Subscription], Any] | None = None,
        receive_output: Callable[[T_co], Any] | None = None,
        receive_completion: Callable[[BaseException | None], Any] | None = None,
    ) -> Publisher[T_co]:
        """Calls Python's breakpoint() when one of the functions returns a true value, before the event is forwarded.

        >>> prices.breakpoint(receive_output=lambda price: price < 0)
        """
        return self.handle_events(
            receive_subscription=_stopping(receive_subscription, "receive_subscription"),
            receive_output=_stopping(receive_output, "receive_output"),
            receive_completion=_stopping(receive_completion, "receive_completion"),
        )

    def breakpoint_on_error(self) -> Publisher[T_co]:
        """Calls Python's breakpoint() when the stream fails."""
        return self.breakpoint(receive_completion=lambda error: error is not None)


def _stopping(function: Any, name: str) -> Any:
    """Wraps a function: stops in the debugger when it returns a true value."""
    if function is None:
        return None
    as_plain(function, name)

    def stop(event: Any) -> None:
        if function(event):
            breakpoint()

    return stop


def _write_to_stdout(text: str) -> None:
    sys.stdout.write(text)
