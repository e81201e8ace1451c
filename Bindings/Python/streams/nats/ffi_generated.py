"""What Include/streams_nats.h declares. Written by Tools/python_declarations.py; do not edit."""

from __future__ import annotations

import ctypes
import enum
from ctypes import CFUNCTYPE, POINTER, Structure, c_bool, c_char_p, c_int, c_int64, c_size_t, c_uint64, c_void_p
from typing import Any

from .._native.ffi_generated import function_address, streams_destroy_fn, streams_value

STREAMS_NATS_FAILED = 1000


class streams_nats_options(Structure):
    def __init__(self) -> None:
        self.size = ctypes.sizeof(self)


streams_nats_options._fields_ = [
    ("size", c_size_t),
    ("servers", c_void_p),
    ("name", c_void_p),
    ("user", c_void_p),
    ("password", c_void_p),
    ("token", c_void_p),
    ("credentials_file", c_void_p),
    ("nkey", c_void_p),
    ("nkey_seed_file", c_void_p),
    ("tls_ca_file", c_void_p),
    ("tls_certificate_file", c_void_p),
    ("tls_key_file", c_void_p),
    ("connect_timeout", c_int64),
    ("reconnect_wait", c_int64),
    ("max_reconnects", c_int64),
    ("ping_interval", c_int64),
    ("pending_messages", c_int64),
    ("pending_bytes", c_int64),
]


class streams_nats_state(enum.IntEnum):
    CONNECTING = 0
    CONNECTED = 1
    RECONNECTING = 2
    CLOSED = 3


class streams_nats_metadata(Structure):
    def __init__(self) -> None:
        self.size = ctypes.sizeof(self)


streams_nats_metadata._fields_ = [
    ("size", c_size_t),
    ("sequence", c_uint64),
    ("consumer_sequence", c_uint64),
    ("deliveries", c_uint64),
    ("pending", c_uint64),
    ("time", c_int64),
]


class streams_nats_deliver(enum.IntEnum):
    ALL = 0
    NEW = 1
    LAST = 2
    FROM_SEQUENCE = 3
    FROM_TIME = 4
    LAST_PER_SUBJECT = 5


class streams_nats_acknowledgement(enum.IntEnum):
    AFTER = 0
    BY_HAND = 1
    NONE = 2


class streams_nats_consume_options(Structure):
    def __init__(self) -> None:
        self.size = ctypes.sizeof(self)


streams_nats_consume_options._fields_ = [
    ("size", c_size_t),
    ("stream", c_void_p),
    ("durable", c_void_p),
    ("filter", c_void_p),
    ("deliver", c_int),
    ("start_sequence", c_uint64),
    ("start_time", c_int64),
    ("acknowledge_wait", c_int64),
    ("max_deliver", c_int64),
    ("max_acknowledge_pending", c_int64),
    ("acknowledgement", c_int),
    ("most", c_uint64),
    ("inactive", c_int64),
]

streams_nats_text_fn = CFUNCTYPE(c_int, c_void_p, POINTER(streams_value), c_void_p, c_size_t)

streams_nats_confirmed_fn = CFUNCTYPE(None, c_void_p, c_uint64, c_uint64, c_bool)


class streams_nats_publish_options(Structure):
    def __init__(self) -> None:
        self.size = ctypes.sizeof(self)


streams_nats_publish_options._fields_ = [
    ("size", c_size_t),
    ("subject", c_void_p),
    ("subject_of", streams_nats_text_fn),
    ("id_of", streams_nats_text_fn),
    ("on_confirmed", streams_nats_confirmed_fn),
    ("context", c_void_p),
    ("destroy", streams_destroy_fn),
    ("window", c_uint64),
    ("confirm_wait", c_int64),
    ("retries", c_int64),
]


class streams_nats_when_full(enum.IntEnum):
    DROP_NEWEST = 0
    DROP_OLDEST = 1
    FAIL = 2


class streams_nats_retention(enum.IntEnum):
    LIMITS = 0
    INTEREST = 1
    WORK = 2


class streams_nats_stream_options(Structure):
    def __init__(self) -> None:
        self.size = ctypes.sizeof(self)


streams_nats_stream_options._fields_ = [
    ("size", c_size_t),
    ("name", c_void_p),
    ("subjects", POINTER(c_char_p)),
    ("subject_count", c_size_t),
    ("description", c_void_p),
    ("retention", c_int),
    ("max_messages", c_int64),
    ("max_bytes", c_int64),
    ("max_messages_per_subject", c_int64),
    ("max_message_size", c_int64),
    ("max_age", c_int64),
    ("duplicates", c_int64),
    ("replicas", c_int64),
    ("memory", c_bool),
    ("discard_new", c_bool),
]


class streams_nats_stream_info(Structure):
    def __init__(self) -> None:
        self.size = ctypes.sizeof(self)


streams_nats_stream_info._fields_ = [
    ("size", c_size_t),
    ("messages", c_uint64),
    ("bytes", c_uint64),
    ("first_sequence", c_uint64),
    ("last_sequence", c_uint64),
    ("consumers", c_int64),
    ("subjects", c_int64),
]


class streams_nats_consumer_info(Structure):
    def __init__(self) -> None:
        self.size = ctypes.sizeof(self)


streams_nats_consumer_info._fields_ = [
    ("size", c_size_t),
    ("delivered", c_uint64),
    ("acknowledged", c_uint64),
    ("pending", c_uint64),
    ("acknowledge_pending", c_int64),
    ("redelivered", c_int64),
    ("waiting", c_int64),
]


class streams_nats_bucket_options(Structure):
    def __init__(self) -> None:
        self.size = ctypes.sizeof(self)


streams_nats_bucket_options._fields_ = [
    ("size", c_size_t),
    ("name", c_void_p),
    ("description", c_void_p),
    ("history", c_int64),
    ("max_age", c_int64),
    ("max_bytes", c_int64),
    ("max_value_size", c_int64),
    ("replicas", c_int64),
    ("memory", c_bool),
]


class streams_nats_operation(enum.IntEnum):
    PUT = 0
    DELETE = 1
    PURGE = 2


# What each function returns, and what it takes.
FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "streams_nats_last_code": (
        c_int64,
    ),
    "streams_nats_connect": (
        c_void_p,
        POINTER(streams_nats_options),  # options
    ),
    "streams_nats_retain": (
        c_int,
        c_void_p,  # connection
    ),
    "streams_nats_release": (
        c_int,
        c_void_p,  # connection
    ),
    "streams_nats_close": (
        c_int,
        c_void_p,  # connection
    ),
    "streams_nats_flush": (
        c_int,
        c_void_p,  # connection
        c_int64,  # timeout
    ),
    "streams_nats_states": (
        c_void_p,
        c_void_p,  # connection
    ),
    "streams_nats_get_state": (
        c_int,
        c_void_p,  # connection
    ),
    "streams_nats_dropped": (
        c_uint64,
        c_void_p,  # connection
    ),
    "streams_nats_data": (
        c_int,
        c_void_p,  # message
        POINTER(streams_value),  # out
    ),
    "streams_nats_subject_of": (
        c_int,
        c_void_p,  # message
        POINTER(c_char_p),  # out
    ),
    "streams_nats_reply_of": (
        c_int,
        c_void_p,  # message
        POINTER(c_char_p),  # out
    ),
    "streams_nats_header": (
        c_int,
        c_void_p,  # message
        c_char_p,  # name
        POINTER(c_char_p),  # out
    ),
    "streams_nats_headers": (
        c_int,
        c_void_p,  # message
        POINTER(streams_value),  # out
    ),
    "streams_nats_get_metadata": (
        c_int,
        c_void_p,  # message
        POINTER(streams_nats_metadata),  # out
    ),
    "streams_nats_message": (
        c_int,
        POINTER(streams_value),  # payload
        POINTER(c_char_p),  # headers
        c_size_t,  # count
        c_char_p,  # id
        POINTER(streams_value),  # out
    ),
    "streams_nats_message_to": (
        c_int,
        c_char_p,  # subject
        POINTER(streams_value),  # payload
        POINTER(c_char_p),  # headers
        c_size_t,  # count
        c_char_p,  # id
        POINTER(streams_value),  # out
    ),
    "streams_nats_map_bytes": (
        c_void_p,
        c_void_p,  # publisher
    ),
    "streams_nats_map_text": (
        c_void_p,
        c_void_p,  # publisher
    ),
    "streams_nats_map_parts": (
        c_void_p,
        c_void_p,  # publisher
        function_address,  # function
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_nats_keep": (
        c_void_p,
        c_void_p,  # message
    ),
    "streams_nats_free": (
        c_int,
        c_void_p,  # kept
    ),
    "streams_nats_consume": (
        c_void_p,
        c_void_p,  # connection
        POINTER(streams_nats_consume_options),  # options
    ),
    "streams_nats_acknowledge": (
        c_int,
        c_void_p,  # message
    ),
    "streams_nats_reject": (
        c_int,
        c_void_p,  # message
        c_int64,  # delay
    ),
    "streams_nats_terminate": (
        c_int,
        c_void_p,  # message
    ),
    "streams_nats_in_progress": (
        c_int,
        c_void_p,  # message
    ),
    "streams_nats_publish": (
        c_int,
        c_void_p,  # connection
        c_char_p,  # subject
        POINTER(streams_value),  # value
    ),
    "streams_nats_own_subject": (
        c_int,
        c_void_p,  # context
        c_void_p,  # message
        c_char_p,  # buffer
        c_size_t,  # capacity
    ),
    "streams_nats_publish_all": (
        c_void_p,
        c_void_p,  # publisher
        c_void_p,  # connection
        POINTER(streams_nats_publish_options),  # options
    ),
    "streams_nats_send_all": (
        c_void_p,
        c_void_p,  # publisher
        c_void_p,  # connection
        POINTER(streams_nats_publish_options),  # options
    ),
    "streams_nats_publish_confirmed": (
        c_void_p,
        c_void_p,  # connection
        c_char_p,  # subject
        POINTER(streams_value),  # value
    ),
    "streams_nats_subject": (
        c_void_p,
        c_void_p,  # connection
        c_char_p,  # subject
        c_char_p,  # queue
        c_int64,  # limit
        c_int,  # when_full
    ),
    "streams_nats_request": (
        c_void_p,
        c_void_p,  # connection
        c_char_p,  # subject
        POINTER(streams_value),  # value
        c_int64,  # timeout
    ),
    "streams_nats_reply": (
        c_int,
        c_void_p,  # message
        POINTER(streams_value),  # answer
    ),
    "streams_nats_stream_create": (
        c_int,
        c_void_p,  # connection
        POINTER(streams_nats_stream_options),  # options
    ),
    "streams_nats_stream_delete": (
        c_int,
        c_void_p,  # connection
        c_char_p,  # stream
    ),
    "streams_nats_stream_purge": (
        c_int,
        c_void_p,  # connection
        c_char_p,  # stream
    ),
    "streams_nats_stream_get_info": (
        c_int,
        c_void_p,  # connection
        c_char_p,  # stream
        POINTER(streams_nats_stream_info),  # out
    ),
    "streams_nats_consumer_create": (
        c_int,
        c_void_p,  # connection
        POINTER(streams_nats_consume_options),  # options
    ),
    "streams_nats_consumer_delete": (
        c_int,
        c_void_p,  # connection
        c_char_p,  # stream
        c_char_p,  # consumer
    ),
    "streams_nats_consumer_get_info": (
        c_int,
        c_void_p,  # connection
        c_char_p,  # stream
        c_char_p,  # consumer
        POINTER(streams_nats_consumer_info),  # out
    ),
    "streams_nats_bucket_create": (
        c_int,
        c_void_p,  # connection
        POINTER(streams_nats_bucket_options),  # options
    ),
    "streams_nats_bucket_delete": (
        c_int,
        c_void_p,  # connection
        c_char_p,  # bucket
    ),
    "streams_nats_key_get": (
        c_int,
        c_void_p,  # connection
        c_char_p,  # bucket
        c_char_p,  # key
        POINTER(streams_value),  # out
        POINTER(c_uint64),  # revision
    ),
    "streams_nats_key_put": (
        c_int,
        c_void_p,  # connection
        c_char_p,  # bucket
        c_char_p,  # key
        POINTER(streams_value),  # value
        POINTER(c_uint64),  # revision
    ),
    "streams_nats_key_put_at": (
        c_int,
        c_void_p,  # connection
        c_char_p,  # bucket
        c_char_p,  # key
        POINTER(streams_value),  # value
        c_uint64,  # expected
        POINTER(c_uint64),  # revision
    ),
    "streams_nats_key_delete": (
        c_int,
        c_void_p,  # connection
        c_char_p,  # bucket
        c_char_p,  # key
        c_bool,  # purge
    ),
    "streams_nats_entry": (
        c_int,
        c_void_p,  # entry
        POINTER(c_char_p),  # key
        POINTER(c_int),  # operation
    ),
    "streams_nats_watch": (
        c_void_p,
        c_void_p,  # connection
        c_char_p,  # bucket
        c_char_p,  # key
    ),
    "streams_nats_key_values": (
        c_void_p,
        c_void_p,  # connection
        c_char_p,  # bucket
        c_char_p,  # key
    ),
    "streams_nats_key_history": (
        c_void_p,
        c_void_p,  # connection
        c_char_p,  # bucket
        c_char_p,  # key
    ),
    "streams_nats_key_binding": (
        c_void_p,
        c_void_p,  # connection
        c_char_p,  # bucket
        c_char_p,  # key
    ),
    "streams_nats_on_threads": (
        None,
        function_address,  # function
        c_void_p,  # context
    ),
    "streams_nats_callable_message": (
        c_int,
        c_void_p,  # callable
        POINTER(streams_value),  # in
        POINTER(streams_value),  # out
    ),
    "streams_nats_key_binding_of": (
        c_void_p,
        c_void_p,  # connection
        c_char_p,  # bucket
        c_char_p,  # key
        function_address,  # encode
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_nats_callable_confirmed": (
        None,
        c_void_p,  # callable
        c_uint64,  # index
        c_uint64,  # sequence
        c_bool,  # duplicate
    ),
}
