"""Events of a stream, for recordings and their pictures."""

from typing import Any, Callable, NamedTuple


# Annotations are evaluated here, for libraries that ask a named tuple for the types of its fields.
class Mark(NamedTuple):
    """An event of a stream: "value", "finished", "failed" or, when the recording was ended, "cancelled"."""

    nanoseconds: int
    kind: str
    value: Any = None

    def label(self, name: Callable[[Any], str]) -> str:
        """Its text in marble notation."""
        return {"finished": "|", "failed": "#", "cancelled": "!"}.get(self.kind) or name(self.value)
