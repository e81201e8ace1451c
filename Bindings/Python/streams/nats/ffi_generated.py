"""What Include/streams_nats.h declares. Written by Tools/python_declarations.py; do not edit."""

from __future__ import annotations

import ctypes
import enum
from ctypes import CFUNCTYPE, POINTER, Structure, c_bool, c_char_p, c_int, c_int64, c_size_t, c_uint64, c_void_p

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


def declare(library: ctypes.CDLL) -> None:
    """Tells ctypes the types of every function of the library."""
    library.streams_nats_last_code.restype = c_int64
    library.streams_nats_last_code.argtypes = []
    library.streams_nats_connect.restype = c_void_p
    library.streams_nats_connect.argtypes = [
        POINTER(streams_nats_options),  # options
    ]
    library.streams_nats_retain.restype = c_int
    library.streams_nats_retain.argtypes = [
        c_void_p,  # connection
    ]
    library.streams_nats_release.restype = c_int
    library.streams_nats_release.argtypes = [
        c_void_p,  # connection
    ]
    library.streams_nats_close.restype = c_int
    library.streams_nats_close.argtypes = [
        c_void_p,  # connection
    ]
    library.streams_nats_flush.restype = c_int
    library.streams_nats_flush.argtypes = [
        c_void_p,  # connection
        c_int64,  # timeout
    ]
    library.streams_nats_states.restype = c_void_p
    library.streams_nats_states.argtypes = [
        c_void_p,  # connection
    ]
    library.streams_nats_get_state.restype = c_int
    library.streams_nats_get_state.argtypes = [
        c_void_p,  # connection
    ]
    library.streams_nats_dropped.restype = c_uint64
    library.streams_nats_dropped.argtypes = [
        c_void_p,  # connection
    ]
    library.streams_nats_data.restype = c_int
    library.streams_nats_data.argtypes = [
        c_void_p,  # message
        POINTER(streams_value),  # out
    ]
    library.streams_nats_subject_of.restype = c_int
    library.streams_nats_subject_of.argtypes = [
        c_void_p,  # message
        POINTER(c_char_p),  # out
    ]
    library.streams_nats_reply_of.restype = c_int
    library.streams_nats_reply_of.argtypes = [
        c_void_p,  # message
        POINTER(c_char_p),  # out
    ]
    library.streams_nats_header.restype = c_int
    library.streams_nats_header.argtypes = [
        c_void_p,  # message
        c_char_p,  # name
        POINTER(c_char_p),  # out
    ]
    library.streams_nats_headers.restype = c_int
    library.streams_nats_headers.argtypes = [
        c_void_p,  # message
        POINTER(streams_value),  # out
    ]
    library.streams_nats_get_metadata.restype = c_int
    library.streams_nats_get_metadata.argtypes = [
        c_void_p,  # message
        POINTER(streams_nats_metadata),  # out
    ]
    library.streams_nats_message.restype = c_int
    library.streams_nats_message.argtypes = [
        POINTER(streams_value),  # payload
        POINTER(c_char_p),  # headers
        c_size_t,  # count
        c_char_p,  # id
        POINTER(streams_value),  # out
    ]
    library.streams_nats_message_to.restype = c_int
    library.streams_nats_message_to.argtypes = [
        c_char_p,  # subject
        POINTER(streams_value),  # payload
        POINTER(c_char_p),  # headers
        c_size_t,  # count
        c_char_p,  # id
        POINTER(streams_value),  # out
    ]
    library.streams_nats_map_bytes.restype = c_void_p
    library.streams_nats_map_bytes.argtypes = [
        c_void_p,  # publisher
    ]
    library.streams_nats_map_text.restype = c_void_p
    library.streams_nats_map_text.argtypes = [
        c_void_p,  # publisher
    ]
    library.streams_nats_map_parts.restype = c_void_p
    library.streams_nats_map_parts.argtypes = [
        c_void_p,  # publisher
        function_address,  # function
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_nats_keep.restype = c_void_p
    library.streams_nats_keep.argtypes = [
        c_void_p,  # message
    ]
    library.streams_nats_free.restype = c_int
    library.streams_nats_free.argtypes = [
        c_void_p,  # kept
    ]
    library.streams_nats_consume.restype = c_void_p
    library.streams_nats_consume.argtypes = [
        c_void_p,  # connection
        POINTER(streams_nats_consume_options),  # options
    ]
    library.streams_nats_acknowledge.restype = c_int
    library.streams_nats_acknowledge.argtypes = [
        c_void_p,  # message
    ]
    library.streams_nats_reject.restype = c_int
    library.streams_nats_reject.argtypes = [
        c_void_p,  # message
        c_int64,  # delay
    ]
    library.streams_nats_terminate.restype = c_int
    library.streams_nats_terminate.argtypes = [
        c_void_p,  # message
    ]
    library.streams_nats_in_progress.restype = c_int
    library.streams_nats_in_progress.argtypes = [
        c_void_p,  # message
    ]
    library.streams_nats_publish.restype = c_int
    library.streams_nats_publish.argtypes = [
        c_void_p,  # connection
        c_char_p,  # subject
        POINTER(streams_value),  # value
    ]
    library.streams_nats_own_subject.restype = c_int
    library.streams_nats_own_subject.argtypes = [
        c_void_p,  # context
        c_void_p,  # message
        c_char_p,  # buffer
        c_size_t,  # capacity
    ]
    library.streams_nats_publish_all.restype = c_void_p
    library.streams_nats_publish_all.argtypes = [
        c_void_p,  # publisher
        c_void_p,  # connection
        POINTER(streams_nats_publish_options),  # options
    ]
    library.streams_nats_send_all.restype = c_void_p
    library.streams_nats_send_all.argtypes = [
        c_void_p,  # publisher
        c_void_p,  # connection
        POINTER(streams_nats_publish_options),  # options
    ]
    library.streams_nats_publish_confirmed.restype = c_void_p
    library.streams_nats_publish_confirmed.argtypes = [
        c_void_p,  # connection
        c_char_p,  # subject
        POINTER(streams_value),  # value
    ]
    library.streams_nats_subject.restype = c_void_p
    library.streams_nats_subject.argtypes = [
        c_void_p,  # connection
        c_char_p,  # subject
        c_char_p,  # queue
        c_int64,  # limit
        c_int,  # when_full
    ]
    library.streams_nats_request.restype = c_void_p
    library.streams_nats_request.argtypes = [
        c_void_p,  # connection
        c_char_p,  # subject
        POINTER(streams_value),  # value
        c_int64,  # timeout
    ]
    library.streams_nats_reply.restype = c_int
    library.streams_nats_reply.argtypes = [
        c_void_p,  # message
        POINTER(streams_value),  # answer
    ]
    library.streams_nats_stream_create.restype = c_int
    library.streams_nats_stream_create.argtypes = [
        c_void_p,  # connection
        POINTER(streams_nats_stream_options),  # options
    ]
    library.streams_nats_stream_delete.restype = c_int
    library.streams_nats_stream_delete.argtypes = [
        c_void_p,  # connection
        c_char_p,  # stream
    ]
    library.streams_nats_stream_purge.restype = c_int
    library.streams_nats_stream_purge.argtypes = [
        c_void_p,  # connection
        c_char_p,  # stream
    ]
    library.streams_nats_stream_get_info.restype = c_int
    library.streams_nats_stream_get_info.argtypes = [
        c_void_p,  # connection
        c_char_p,  # stream
        POINTER(streams_nats_stream_info),  # out
    ]
    library.streams_nats_consumer_create.restype = c_int
    library.streams_nats_consumer_create.argtypes = [
        c_void_p,  # connection
        POINTER(streams_nats_consume_options),  # options
    ]
    library.streams_nats_consumer_delete.restype = c_int
    library.streams_nats_consumer_delete.argtypes = [
        c_void_p,  # connection
        c_char_p,  # stream
        c_char_p,  # consumer
    ]
    library.streams_nats_consumer_get_info.restype = c_int
    library.streams_nats_consumer_get_info.argtypes = [
        c_void_p,  # connection
        c_char_p,  # stream
        c_char_p,  # consumer
        POINTER(streams_nats_consumer_info),  # out
    ]
    library.streams_nats_bucket_create.restype = c_int
    library.streams_nats_bucket_create.argtypes = [
        c_void_p,  # connection
        POINTER(streams_nats_bucket_options),  # options
    ]
    library.streams_nats_bucket_delete.restype = c_int
    library.streams_nats_bucket_delete.argtypes = [
        c_void_p,  # connection
        c_char_p,  # bucket
    ]
    library.streams_nats_key_get.restype = c_int
    library.streams_nats_key_get.argtypes = [
        c_void_p,  # connection
        c_char_p,  # bucket
        c_char_p,  # key
        POINTER(streams_value),  # out
        POINTER(c_uint64),  # revision
    ]
    library.streams_nats_key_put.restype = c_int
    library.streams_nats_key_put.argtypes = [
        c_void_p,  # connection
        c_char_p,  # bucket
        c_char_p,  # key
        POINTER(streams_value),  # value
        POINTER(c_uint64),  # revision
    ]
    library.streams_nats_key_put_at.restype = c_int
    library.streams_nats_key_put_at.argtypes = [
        c_void_p,  # connection
        c_char_p,  # bucket
        c_char_p,  # key
        POINTER(streams_value),  # value
        c_uint64,  # expected
        POINTER(c_uint64),  # revision
    ]
    library.streams_nats_key_delete.restype = c_int
    library.streams_nats_key_delete.argtypes = [
        c_void_p,  # connection
        c_char_p,  # bucket
        c_char_p,  # key
        c_bool,  # purge
    ]
    library.streams_nats_entry.restype = c_int
    library.streams_nats_entry.argtypes = [
        c_void_p,  # entry
        POINTER(c_char_p),  # key
        POINTER(c_int),  # operation
    ]
    library.streams_nats_watch.restype = c_void_p
    library.streams_nats_watch.argtypes = [
        c_void_p,  # connection
        c_char_p,  # bucket
        c_char_p,  # key
    ]
    library.streams_nats_key_values.restype = c_void_p
    library.streams_nats_key_values.argtypes = [
        c_void_p,  # connection
        c_char_p,  # bucket
        c_char_p,  # key
    ]
    library.streams_nats_key_history.restype = c_void_p
    library.streams_nats_key_history.argtypes = [
        c_void_p,  # connection
        c_char_p,  # bucket
        c_char_p,  # key
    ]
    library.streams_nats_key_binding.restype = c_void_p
    library.streams_nats_key_binding.argtypes = [
        c_void_p,  # connection
        c_char_p,  # bucket
        c_char_p,  # key
    ]
    library.streams_nats_on_threads.restype = None
    library.streams_nats_on_threads.argtypes = [
        function_address,  # function
        c_void_p,  # context
    ]
    library.streams_nats_callable_message.restype = c_int
    library.streams_nats_callable_message.argtypes = [
        c_void_p,  # callable
        POINTER(streams_value),  # in
        POINTER(streams_value),  # out
    ]
    library.streams_nats_key_binding_of.restype = c_void_p
    library.streams_nats_key_binding_of.argtypes = [
        c_void_p,  # connection
        c_char_p,  # bucket
        c_char_p,  # key
        function_address,  # encode
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_nats_callable_confirmed.restype = None
    library.streams_nats_callable_confirmed.argtypes = [
        c_void_p,  # callable
        c_uint64,  # index
        c_uint64,  # sequence
        c_bool,  # duplicate
    ]


FUNCTIONS: tuple[str, ...] = (
    "streams_nats_last_code",
    "streams_nats_connect",
    "streams_nats_retain",
    "streams_nats_release",
    "streams_nats_close",
    "streams_nats_flush",
    "streams_nats_states",
    "streams_nats_get_state",
    "streams_nats_dropped",
    "streams_nats_data",
    "streams_nats_subject_of",
    "streams_nats_reply_of",
    "streams_nats_header",
    "streams_nats_headers",
    "streams_nats_get_metadata",
    "streams_nats_message",
    "streams_nats_message_to",
    "streams_nats_map_bytes",
    "streams_nats_map_text",
    "streams_nats_map_parts",
    "streams_nats_keep",
    "streams_nats_free",
    "streams_nats_consume",
    "streams_nats_acknowledge",
    "streams_nats_reject",
    "streams_nats_terminate",
    "streams_nats_in_progress",
    "streams_nats_publish",
    "streams_nats_own_subject",
    "streams_nats_publish_all",
    "streams_nats_send_all",
    "streams_nats_publish_confirmed",
    "streams_nats_subject",
    "streams_nats_request",
    "streams_nats_reply",
    "streams_nats_stream_create",
    "streams_nats_stream_delete",
    "streams_nats_stream_purge",
    "streams_nats_stream_get_info",
    "streams_nats_consumer_create",
    "streams_nats_consumer_delete",
    "streams_nats_consumer_get_info",
    "streams_nats_bucket_create",
    "streams_nats_bucket_delete",
    "streams_nats_key_get",
    "streams_nats_key_put",
    "streams_nats_key_put_at",
    "streams_nats_key_delete",
    "streams_nats_entry",
    "streams_nats_watch",
    "streams_nats_key_values",
    "streams_nats_key_history",
    "streams_nats_key_binding",
    "streams_nats_on_threads",
    "streams_nats_callable_message",
    "streams_nats_key_binding_of",
    "streams_nats_callable_confirmed",
)
