"""Arguments as the fields of the library's structs."""

from __future__ import annotations

import ctypes
import os
from typing import Any

from .._native.tracing import as_text
from .._program.demand import as_int64
from .._schedulers.schedulers import Seconds, as_duration


def filled(struct: Any, **fields: Any) -> Any:
    """Sets fields of a struct: bytes by their address. What is None has its default."""
    kept: list[Any] = []
    for name, value in fields.items():
        if isinstance(value, bytes):
            kept.append(value)
            value = ctypes.cast(ctypes.c_char_p(value), ctypes.c_void_p).value
        if value is not None:
            setattr(struct, name, value)
    struct.kept = kept
    return struct


def text(value: Any, name: str) -> bytes | None:
    return None if value is None else as_text(value, name)


def path(value: Any, name: str) -> bytes | None:
    return None if value is None else as_text(os.fsdecode(value), name)


def duration(value: Seconds | None, name: str) -> int | None:
    return None if value is None else as_duration(value, name)


def count(value: int | None, name: str) -> int | None:
    """A number that is at least 1: 0 would be the default."""
    if value is not None and as_int64(value, name) == 0:
        raise ValueError(f"{name} must be at least 1")
    return None if value is None else as_int64(value, name)


def choice(word: Any, words: dict[str, int], name: str) -> int:
    """The library's number for a word."""
    expected = " or ".join(repr(each) for each in words)
    if not isinstance(word, str):
        raise TypeError(f"{name} must be {expected}, not {type(word).__name__}")
    if word not in words:
        raise ValueError(f"{name} must be {expected}, not {word!r}")
    return words[word]


def words_of(kind: Any) -> dict[str, int]:
    """The words for the values of an enumeration."""
    return {each.name.lower(): int(each) for each in kind}
