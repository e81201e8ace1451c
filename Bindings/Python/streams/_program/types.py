"""The type variables of signatures. A publisher of a type is also a publisher of a wider type."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
U = TypeVar("U")
K = TypeVar("K")
V = TypeVar("V")
W = TypeVar("W")
X = TypeVar("X")
Y = TypeVar("Y")
Z = TypeVar("Z")
S = TypeVar("S")
T_contra = TypeVar("T_contra", contravariant=True)


class AnySubject(Protocol[T_contra]):
    """A subject that accepts values of a type, and perhaps of a wider one: streams.Subject."""

    def send(self, value: T_contra, /) -> None: ...

    def _as_subject(self) -> int: ...


class Encoder(Protocol[T_co]):
    """An object with a function `dumps`: the modules json and pickle, or a custom object."""

    def dumps(self, obj: Any, /) -> T_co: ...


class Decoder(Protocol[T_co]):
    """An object with a function `loads`."""

    def loads(self, s: Any, /) -> T_co: ...
