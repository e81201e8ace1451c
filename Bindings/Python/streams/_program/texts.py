"""Texts for values of the program."""

from __future__ import annotations

from typing import Any, Callable


def text_of(value: Any, make: Callable[[Any], str] = repr) -> str:
    """The text for a value, even if its own repr() or str() fails."""
    try:
        return make(value)
    except Exception:
        return f"<{type(value).__name__}>"
