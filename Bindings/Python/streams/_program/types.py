"""The type variables of signatures. A publisher of some type is one of a wider type too."""

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
    """A subject that takes values of some type, and perhaps of a wider one: streams.Subject."""

    def send(self, value: T_contra, /) -> None: ...

    def _as_subject(self) -> int: ...


class Encoder(Protocol[T_co]):
    """What has a function `dumps`: the modules json and pickle, or an object of one's own."""

    def dumps(self, obj: Any, /) -> T_co: ...


class Decoder(Protocol[T_co]):
    """What has a function `loads`."""

    def loads(self, s: Any, /) -> T_co: ...
