"""Key-value buckets."""

from __future__ import annotations

import ctypes

from .._native import host
from .._native.errors import check, made
from .._native.handle import DESTROY
from .._native.library import library as streams
from .._native.tracing import as_text
from .._native.values import _Native
from .._operators.publisher import Publisher, source
from .._program.demand import as_int64
from .._schedulers.schedulers import Seconds
from .._state.binding import Binding, adopted
from . import ffi_generated as ffi
from ._library import library
from ._link import Link
from ._messages import Entry, entries
from ._options import count, duration, filled, text
from ._payload import MESSAGE, Value, payload


class Bucket:
    """A key-value bucket of the server, by its name. Made by Connection.bucket, which asks for nothing.

    >>> settings = connection.bucket("settings")
    >>> settings.create(history=5)
    >>> settings.put("color", "red")
    1
    >>> settings.get("color")
    b'red'

    A key has letters, digits and -/_=. in its name. A value is text or bytes. The functions ask the server and wait, 5
    seconds at most, except those that return publishers. They raise a NATSError if the server refuses.
    """

    def __init__(self, link: Link, name: str) -> None:
        if not isinstance(link, Link):
            raise TypeError("a Bucket is not made by itself: Connection.bucket makes one")
        self._link = link
        self._name = as_text(name, "name")

    @property
    def name(self) -> str:
        """Its name."""
        return self._name.decode()

    def create(
        self,
        *,
        description: str | None = None,
        history: int | None = None,
        max_age: Seconds | None = None,
        max_bytes: int | None = None,
        max_value_size: int | None = None,
        replicas: int | None = None,
        memory: bool = False,
    ) -> None:
        """Makes the bucket; one that is there with the same options is left alone. `history` is how many values of a key
        are kept: 1 to 64, and 1 by default."""
        options = filled(
            ffi.streams_nats_bucket_options(),
            name=self._name,
            description=text(description, "description"),
            history=count(history, "history"),
            max_age=duration(max_age, "max_age"),
            max_bytes=count(max_bytes, "max_bytes"),
            max_value_size=count(max_value_size, "max_value_size"),
            replicas=count(replicas, "replicas"),
            memory=bool(memory),
        )
        check(library.streams_nats_bucket_create(self._link._handle, options))

    def delete_bucket(self) -> None:
        """Removes the bucket with all that is in it."""
        check(library.streams_nats_bucket_delete(self._link._handle, self._name))

    def get(self, key: str) -> bytes | None:
        """The value of a key; None if there is none."""
        return self.get_with_revision(key)[0]

    def get_with_revision(self, key: str) -> tuple[bytes | None, int]:
        """The value of a key, and its revision, which put takes; None and 0 if there is none."""
        revision = ctypes.c_uint64()
        with _Native() as out:
            check(library.streams_nats_key_get(self._link._handle, self._name, as_text(key, "key"), out, revision))
            return host.object_of(out), revision.value

    def put(self, key: str, value: str | bytes, *, revision: int | None = None) -> int:
        """Sets a key, and returns its new revision. With `revision`, only if that is its revision now; with 0, only if it
        has no value. Otherwise raises a NATSError with the code 10071, "wrong last sequence".

        >>> value, revision = bucket.get_with_revision("count")
        >>> bucket.put("count", str(int(value) + 1), revision=revision)
        """
        new = ctypes.c_uint64()
        arguments = self._link._handle, self._name, as_text(key, "key")
        with Value(value) as native:
            if revision is None:
                check(library.streams_nats_key_put(*arguments, native, new))
            else:
                check(library.streams_nats_key_put_at(*arguments, native, as_int64(revision, "revision"), new))
        return new.value

    def delete(self, key: str, *, purge: bool = False) -> None:
        """Removes the value of a key, and with `purge` its history too."""
        check(library.streams_nats_key_delete(self._link._handle, self._name, as_text(key, "key"), bool(purge)))

    def watch(self, keys: str | None = None) -> Publisher[Entry]:
        """Publishes the last entry of a key, or of each key that a wildcard covers, or of all, and then each that follows.

        **Demand**: entries wait on the server. **Completion**: none. **Failure**: if the bucket is not there, or is deleted.
        After a lost connection it goes on after the last entry. **Threads**: values come on a thread of the library.

        >>> cancellable = bucket.watch("sensor.*").sink(lambda entry: print(entry.key, entry.value))
        """
        return entries(library.streams_nats_watch(self._link._handle, self._name, text(keys, "keys")))

    def values(self, key: str) -> Publisher[bytes | None]:
        """Publishes the value of a key, None if there is none: first the present one, then each that follows. Otherwise as
        watch.

        >>> color = Property(b"", then=bucket.values("color"))
        """
        return source(made(library.streams_nats_key_values(self._link._handle, self._name, as_text(key, "key"))))

    def history(self, key: str) -> Publisher[Entry]:
        """Publishes the entries of a key that the bucket has kept, oldest first, and finishes."""
        return entries(library.streams_nats_key_history(self._link._handle, self._name, as_text(key, "key")))

    def binding(self, key: str) -> Binding[bytes | None]:
        """Reads, sets and watches a key as a value: reading and setting ask the server and wait; setting None removes the
        value. If the server refuses, they raise a StreamError with the code that a NATSError would have. Subscribers get
        each change, of this program or another.

        >>> color = bucket.binding("color")
        >>> color.value = b"blue"
        >>> cancellable = color.values.sink(print)
        b'blue'
        """
        named = as_text(key, "key")
        context = streams.streams_callable_create(host.number, payload)
        handle = library.streams_nats_key_binding_of(self._link._handle, self._name, named, MESSAGE, context, DESTROY)
        return adopted(made(handle))

    def __repr__(self) -> str:
        return f"<streams.nats.Bucket {self.name}>"
