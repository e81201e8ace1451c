"""What Include declares. Written by Tools/python_declarations.py; do not edit."""

from __future__ import annotations

import ctypes
import enum
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    Union,
    c_bool,
    c_char_p,
    c_double,
    c_int,
    c_int64,
    c_long,
    c_size_t,
    c_ssize_t,
    c_int32,
    c_uint32,
    c_uint64,
    c_void_p,
    py_object,
)
from typing import Any


class function_address(c_void_p):
    """A parameter that is a function."""


STREAMS_VERSION_MAJOR = 1
STREAMS_VERSION_MINOR = 0
STREAMS_VERSION_PATCH = 0
STREAMS_VERSION = 1000000
STREAMS_UNLIMITED = 18446744073709551615
STREAMS_AS_DEMANDED = 0
STREAMS_FAIL = 18446744073709551614
STREAMS_HOST_LESS = 0
STREAMS_HOST_EQUAL = 2
STREAMS_HOST_NUMBERS = 12
STREAMS_HOST_PARAMETERS = 8


class streams_status(enum.IntEnum):
    OK = 0
    NULL_HANDLE = 1
    STALE_HANDLE = 2
    WRONG_KIND = 3
    NULL_ARGUMENT = 4
    INVALID_SIZE = 5
    INVALID_VALUE = 6
    INVALID_UTF8 = 7
    INVALID_ARGUMENT = 8
    ZERO_DEMAND = 9
    DEMAND_EXCEEDED = 10
    TERMINATED = 11
    CALLBACK_FAILED = 12
    PROTOCOL_VIOLATION = 13
    OUT_OF_RANGE = 14
    OUT_OF_MEMORY = 15
    LIMIT = 16
    TIMED_OUT = 17
    ASSERTION_FAILED = 18
    STATUS_LAST = 2147483647


class streams_kind(enum.IntEnum):
    NONE = 0
    PUBLISHER = 1
    SUBJECT = 2
    SUBSCRIPTION = 3
    CANCELLABLE = 4
    ERROR = 5
    EMITTER = 6
    CALLABLE = 7
    SCHEDULER = 8
    POOL = 9
    ACTION = 10
    DEBOUNCER = 11
    THROTTLER = 12
    CONNECTABLE = 13
    PROMISE = 14
    OBSERVABLE_OBJECT = 15
    PROPERTY = 16
    BINDING = 17
    SCOPE_TREE = 18
    SCOPE = 19


class streams_value_kind(enum.IntEnum):
    NULL = 0
    BOOL = 1
    INT64 = 2
    DOUBLE = 3
    STRING = 4
    BYTES = 5
    LIST = 6
    OBJECT = 7
    INT64S = 8
    DOUBLES = 9


class streams_value(Structure):
    pass


class streams_value_as(Union):
    pass


streams_value_as._fields_ = [
    ("boolean", c_bool),
    ("integer", c_int64),
    ("real", c_double),
    ("text", c_void_p),
    ("bytes", c_void_p),
    ("items", POINTER(streams_value)),
    ("integers", POINTER(c_int64)),
    ("reals", POINTER(c_double)),
    ("object", c_void_p),
    ("bits", c_uint64),
]


streams_value._fields_ = [
    ("kind", c_uint32),
    ("size", c_uint32),
    ("as", streams_value_as),
    ("owner", c_void_p),
]

streams_destroy_fn = CFUNCTYPE(None, c_void_p)


class streams_object_type(Structure):
    def __init__(self) -> None:
        self.size = ctypes.sizeof(self)


streams_object_type._fields_ = [
    ("size", c_size_t),
    ("retain", CFUNCTYPE(None, c_void_p)),
    ("release", CFUNCTYPE(None, c_void_p)),
    ("equals", CFUNCTYPE(c_bool, c_void_p, c_void_p)),
    ("describe", CFUNCTYPE(c_size_t, c_void_p, c_void_p, c_size_t)),
]

streams_transform_fn = CFUNCTYPE(c_int, c_void_p, POINTER(streams_value), POINTER(streams_value))

streams_transform_batch_fn = CFUNCTYPE(c_int, c_void_p, POINTER(streams_value), POINTER(streams_value))

streams_predicate_fn = CFUNCTYPE(c_int, c_void_p, POINTER(streams_value), POINTER(c_bool))

streams_compare_fn = CFUNCTYPE(c_int, c_void_p, POINTER(streams_value), POINTER(streams_value), POINTER(c_bool))

streams_order_fn = CFUNCTYPE(c_int, c_void_p, POINTER(streams_value), POINTER(streams_value), POINTER(c_bool))

streams_combine_fn = CFUNCTYPE(c_int, c_void_p, POINTER(streams_value), POINTER(streams_value), POINTER(streams_value))

streams_combine_values_fn = CFUNCTYPE(c_int, c_void_p, POINTER(streams_value), c_size_t, POINTER(streams_value))

streams_expand_fn = CFUNCTYPE(c_int, c_void_p, POINTER(streams_value), POINTER(c_void_p))

streams_expand_property_fn = CFUNCTYPE(c_int, c_void_p, POINTER(streams_value), POINTER(c_void_p))

streams_make_publisher_fn = CFUNCTYPE(c_int, c_void_p, POINTER(c_void_p))

streams_recover_fn = CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(c_void_p))

streams_transform_error_fn = CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(c_void_p))

streams_make_error_fn = CFUNCTYPE(c_int, c_void_p, POINTER(c_void_p))

streams_error_predicate_fn = CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(c_bool))

streams_get_value_fn = CFUNCTYPE(c_int, c_void_p, POINTER(streams_value))

streams_set_value_fn = CFUNCTYPE(c_int, c_void_p, POINTER(streams_value))

streams_body_fn = CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(streams_value), POINTER(streams_value))

streams_write_fn = CFUNCTYPE(None, c_void_p, c_void_p, c_size_t)


class streams_source(Structure):
    def __init__(self) -> None:
        self.size = ctypes.sizeof(self)


streams_source._fields_ = [
    ("size", c_size_t),
    ("context", c_void_p),
    ("open", CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(c_void_p))),
    ("produce", CFUNCTYPE(c_int, c_void_p, c_void_p, c_uint64)),
    ("close", CFUNCTYPE(None, c_void_p)),
    ("destroy", streams_destroy_fn),
]


class streams_operator(Structure):
    def __init__(self) -> None:
        self.size = ctypes.sizeof(self)


streams_operator._fields_ = [
    ("size", c_size_t),
    ("context", c_void_p),
    ("open", CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(c_void_p))),
    ("on_value", CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(streams_value))),
    ("on_completion", CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p)),
    ("close", CFUNCTYPE(None, c_void_p)),
    ("destroy", streams_destroy_fn),
]


class streams_prefetch(enum.IntEnum):
    KEEP_FULL = 0
    BY_REQUEST = 1


class streams_when_full(enum.IntEnum):
    NEWEST = 0
    OLDEST = 1


class streams_event_handlers(Structure):
    def __init__(self) -> None:
        self.size = ctypes.sizeof(self)


streams_event_handlers._fields_ = [
    ("size", c_size_t),
    ("context", c_void_p),
    ("on_subscription", CFUNCTYPE(None, c_void_p, c_void_p)),
    ("on_value", CFUNCTYPE(None, c_void_p, POINTER(streams_value))),
    ("on_completion", CFUNCTYPE(None, c_void_p, c_void_p)),
    ("on_cancel", CFUNCTYPE(None, c_void_p)),
    ("on_request", CFUNCTYPE(None, c_void_p, c_uint64)),
    ("destroy", streams_destroy_fn),
]


class streams_breakpoints(Structure):
    def __init__(self) -> None:
        self.size = ctypes.sizeof(self)


streams_breakpoints._fields_ = [
    ("size", c_size_t),
    ("context", c_void_p),
    ("on_subscription", CFUNCTYPE(c_bool, c_void_p)),
    ("on_value", CFUNCTYPE(c_bool, c_void_p, POINTER(streams_value))),
    ("on_completion", CFUNCTYPE(c_bool, c_void_p, c_void_p)),
    ("destroy", streams_destroy_fn),
]

streams_action_fn = CFUNCTYPE(None, c_void_p)


class streams_custom_scheduler(Structure):
    def __init__(self) -> None:
        self.size = ctypes.sizeof(self)


streams_custom_scheduler._fields_ = [
    ("size", c_size_t),
    ("context", c_void_p),
    ("now", CFUNCTYPE(c_int64, c_void_p)),
    ("schedule", CFUNCTYPE(None, c_void_p, c_int64, c_void_p)),
    ("cancel", CFUNCTYPE(None, c_void_p, c_void_p)),
    ("destroy", streams_destroy_fn),
]


class streams_backoff(Structure):
    def __init__(self) -> None:
        self.size = ctypes.sizeof(self)


streams_backoff._fields_ = [
    ("size", c_size_t),
    ("retries", c_int64),
    ("delay", c_int64),
    ("factor", c_double),
    ("longest_delay", c_int64),
    ("jitter", c_double),
]


class streams_subscriber(Structure):
    def __init__(self) -> None:
        self.size = ctypes.sizeof(self)


streams_subscriber._fields_ = [
    ("size", c_size_t),
    ("context", c_void_p),
    ("demand", c_uint64),
    ("on_subscription", CFUNCTYPE(None, c_void_p, c_void_p)),
    ("on_value", CFUNCTYPE(c_uint64, c_void_p, POINTER(streams_value))),
    ("on_values", CFUNCTYPE(c_uint64, c_void_p, POINTER(streams_value), c_size_t)),
    ("on_numbers", CFUNCTYPE(c_uint64, c_void_p, POINTER(streams_value))),
    ("on_completion", CFUNCTYPE(None, c_void_p, c_void_p)),
    ("destroy", streams_destroy_fn),
]


class streams_host_buffer(Structure):
    pass


streams_host_buffer._fields_ = [
    ("memory", c_void_p),
    ("object", c_void_p),
    ("length", c_ssize_t),
    ("item_size", c_ssize_t),
    ("read_only", c_int),
    ("dimensions", c_int),
    ("format", c_void_p),
    ("shape", POINTER(c_ssize_t)),
    ("strides", POINTER(c_ssize_t)),
    ("suboffsets", POINTER(c_ssize_t)),
    ("internal", c_void_p),
]


class streams_host(Structure):
    def __init__(self) -> None:
        self.size = ctypes.sizeof(self)


streams_host._fields_ = [
    ("size", c_size_t),
    ("name", c_void_p),
    ("null_object", c_void_p),
    ("enter", CFUNCTYPE(c_int)),
    ("leave", CFUNCTYPE(None, c_int)),
    ("holds", CFUNCTYPE(c_int)),
    ("suspend", CFUNCTYPE(c_void_p)),
    ("resume", CFUNCTYPE(None, c_void_p)),
    ("retain", CFUNCTYPE(None, c_void_p)),
    ("release", CFUNCTYPE(None, c_void_p)),
    ("call_one", CFUNCTYPE(c_void_p, c_void_p, c_void_p)),
    ("call", CFUNCTYPE(c_void_p, c_void_p, POINTER(c_void_p), c_size_t, c_void_p)),
    ("iterate", CFUNCTYPE(c_void_p, c_void_p)),
    ("next", CFUNCTYPE(c_void_p, c_void_p)),
    ("take_error", CFUNCTYPE(c_void_p)),
    ("fetch_error", CFUNCTYPE(None, POINTER(c_void_p), POINTER(c_void_p), POINTER(c_void_p))),
    ("normalize_error", CFUNCTYPE(None, POINTER(c_void_p), POINTER(c_void_p), POINTER(c_void_p))),
    ("attach_trace", CFUNCTYPE(c_int, c_void_p, c_void_p)),
    ("report_error", CFUNCTYPE(None, c_void_p)),
    ("stream_error", c_void_p),
    ("error_matches", CFUNCTYPE(c_int, c_void_p)),
    ("escaped", c_void_p),
    ("check_signals", CFUNCTYPE(c_int)),
    ("is_true", CFUNCTYPE(c_int, c_void_p)),
    ("equals", CFUNCTYPE(c_int, c_void_p, c_void_p, c_int)),
    ("describe", CFUNCTYPE(c_void_p, c_void_p)),
    ("text", CFUNCTYPE(c_void_p, c_void_p, POINTER(c_ssize_t))),
    ("to_int64", CFUNCTYPE(c_int64, c_void_p)),
    ("to_demand", c_void_p),
    ("from_publisher", c_void_p),
    ("from_bool", CFUNCTYPE(c_void_p, c_long)),
    ("from_int64", CFUNCTYPE(c_void_p, c_int64)),
    ("from_double", CFUNCTYPE(c_void_p, c_double)),
    ("from_text", CFUNCTYPE(c_void_p, c_void_p, c_ssize_t)),
    ("from_bytes", CFUNCTYPE(c_void_p, c_void_p, c_ssize_t)),
    ("list_create", CFUNCTYPE(c_void_p, c_ssize_t)),
    ("list_set", CFUNCTYPE(c_int, c_void_p, c_ssize_t, c_void_p)),
    ("list_replace", CFUNCTYPE(c_int, c_void_p, c_ssize_t, c_ssize_t, c_void_p)),
    ("target", CFUNCTYPE(c_void_p, c_void_p)),
    ("depth_error", c_void_p),
    ("new_thread", CFUNCTYPE(c_void_p, c_void_p)),
    ("runtime", c_void_p),
    ("hash", CFUNCTYPE(c_ssize_t, c_void_p)),
    ("buffer", CFUNCTYPE(c_int, c_void_p, POINTER(streams_host_buffer), c_int)),
    ("release_buffer", CFUNCTYPE(None, POINTER(streams_host_buffer))),
    ("part", CFUNCTYPE(c_void_p, c_void_p, c_ssize_t, c_ssize_t)),
    ("current", CFUNCTYPE(c_void_p)),
    ("counts", c_bool),
    ("target_offset", c_size_t),
    ("thread_begins", c_void_p),
    ("known", CFUNCTYPE(c_void_p)),
    ("current_context", CFUNCTYPE(c_void_p)),
    ("copy_context", CFUNCTYPE(c_void_p, c_void_p)),
    ("enter_context", CFUNCTYPE(c_int, c_void_p)),
    ("exit_context", CFUNCTYPE(c_int, c_void_p)),
    ("weak", CFUNCTYPE(c_void_p, c_void_p, c_void_p)),
    ("depth_limit", CFUNCTYPE(c_int)),
    ("set_depth_limit", CFUNCTYPE(None, c_int)),
]

streams_method_fn = CFUNCTYPE(c_void_p, c_void_p, c_void_p)

streams_setter_fn = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p)


class streams_host_attribute(Structure):
    pass


streams_host_attribute._fields_ = [
    ("name", c_void_p),
    ("absent", c_void_p),
]

streams_call_fn = CFUNCTYPE(c_void_p, c_void_p, POINTER(c_void_p), c_ssize_t)


class streams_host_function(Structure):
    pass


streams_host_function._fields_ = [
    ("name", c_void_p),
    ("function", c_void_p),
    ("parameters", c_size_t),
    ("objects", c_uint64),
    ("returns_int", c_bool),
]

streams_call_value_fn = CFUNCTYPE(c_void_p, c_void_p, POINTER(c_void_p), c_size_t, c_void_p)


class streams_host_callables(Structure):
    def __init__(self) -> None:
        self.size = ctypes.sizeof(self)


streams_host_callables._fields_ = [
    ("size", c_size_t),
    ("on_subscription", c_void_p),
    ("on_value", c_void_p),
    ("on_values", c_void_p),
    ("on_int64s", c_void_p),
    ("on_doubles", c_void_p),
    ("on_completion", c_void_p),
    ("on_cancel", c_void_p),
    ("on_request", c_void_p),
    ("owner", c_void_p),
    ("call_value", streams_call_value_fn),
]

streams_finalizer_fn = CFUNCTYPE(None, c_void_p)


# What each function returns, and what it takes.
FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "streams_version": (
        c_uint32,
    ),
    "streams_version_string": (
        c_char_p,
    ),
    "streams_status_name": (
        c_char_p,
        c_int,  # status
    ),
    "streams_last_status": (
        c_int,
    ),
    "streams_last_function": (
        c_char_p,
    ),
    "streams_last_message": (
        c_char_p,
    ),
    "streams_clear_last_error": (
        None,
    ),
    "streams_set_last_error": (
        c_int,
        c_int,  # status
        c_char_p,  # function
        c_char_p,  # message
    ),
    "streams_retain": (
        c_int,
        c_void_p,  # handle
    ),
    "streams_release": (
        c_int,
        c_void_p,  # handle
    ),
    "streams_handle_kind": (
        c_int,
        c_void_p,  # handle
    ),
    "streams_live_handles": (
        c_size_t,
    ),
    "streams_value_copy": (
        c_int,
        POINTER(streams_value),  # value
        POINTER(streams_value),  # out
    ),
    "streams_value_destroy": (
        c_int,
        POINTER(streams_value),  # value
    ),
    "streams_value_equal": (
        c_int,
        POINTER(streams_value),  # a
        POINTER(streams_value),  # b
        POINTER(c_bool),  # equal
    ),
    "streams_value_hash": (
        c_int,
        POINTER(streams_value),  # value
        POINTER(c_uint64),  # hash
    ),
    "streams_value_compare": (
        c_int,
        POINTER(streams_value),  # a
        POINTER(streams_value),  # b
        POINTER(c_int),  # order
    ),
    "streams_value_describe": (
        c_int,
        POINTER(streams_value),  # value
        c_char_p,  # buffer
        c_size_t,  # capacity
        POINTER(c_size_t),  # needed
    ),
    "streams_value_string": (
        c_int,
        c_char_p,  # text
        c_size_t,  # length
        POINTER(streams_value),  # out
    ),
    "streams_value_bytes": (
        c_int,
        c_void_p,  # bytes
        c_size_t,  # length
        POINTER(streams_value),  # out
    ),
    "streams_value_string_nocopy": (
        c_int,
        c_char_p,  # text
        c_size_t,  # length
        c_void_p,  # context
        function_address,  # destroy
        POINTER(streams_value),  # out
    ),
    "streams_value_bytes_nocopy": (
        c_int,
        c_void_p,  # bytes
        c_size_t,  # length
        c_void_p,  # context
        function_address,  # destroy
        POINTER(streams_value),  # out
    ),
    "streams_value_int64s_nocopy": (
        c_int,
        POINTER(c_int64),  # integers
        c_size_t,  # count
        c_void_p,  # context
        function_address,  # destroy
        POINTER(streams_value),  # out
    ),
    "streams_value_doubles_nocopy": (
        c_int,
        POINTER(c_double),  # reals
        c_size_t,  # count
        c_void_p,  # context
        function_address,  # destroy
        POINTER(streams_value),  # out
    ),
    "streams_value_slice": (
        c_int,
        POINTER(streams_value),  # value
        c_size_t,  # offset
        c_size_t,  # length
        POINTER(streams_value),  # out
    ),
    "streams_value_c_string": (
        c_int,
        POINTER(streams_value),  # value
        POINTER(streams_value),  # out
    ),
    "streams_value_list": (
        c_int,
        POINTER(streams_value),  # values
        c_size_t,  # count
        POINTER(streams_value),  # out
    ),
    "streams_value_object": (
        c_int,
        POINTER(streams_object_type),  # type
        c_void_p,  # object
        POINTER(streams_value),  # out
    ),
    "streams_value_object_type": (
        POINTER(streams_object_type),
        POINTER(streams_value),  # value
    ),
    "streams_error_create": (
        c_void_p,
        c_int64,  # code
        c_char_p,  # domain
        c_char_p,  # message
        POINTER(streams_value),  # object
    ),
    "streams_error_code": (
        c_int64,
        c_void_p,  # error
    ),
    "streams_error_number": (
        c_uint64,
        c_void_p,  # error
    ),
    "streams_error_domain": (
        c_char_p,
        c_void_p,  # error
    ),
    "streams_error_message": (
        c_char_p,
        c_void_p,  # error
    ),
    "streams_error_object": (
        POINTER(streams_value),
        c_void_p,  # error
    ),
    "streams_last_error": (
        c_void_p,
    ),
    "streams_callback_fail": (
        c_int,
        c_void_p,  # error
    ),
    "streams_just": (
        c_void_p,
        POINTER(streams_value),  # value
    ),
    "streams_empty": (
        c_void_p,
        c_bool,  # complete_immediately
    ),
    "streams_fail": (
        c_void_p,
        c_void_p,  # error
    ),
    "streams_sequence": (
        c_void_p,
        POINTER(streams_value),  # values
        c_size_t,  # count
    ),
    "streams_sequence_int64s": (
        c_void_p,
        POINTER(c_int64),  # values
        c_size_t,  # count
    ),
    "streams_sequence_doubles": (
        c_void_p,
        POINTER(c_double),  # values
        c_size_t,  # count
    ),
    "streams_sequence_numbers": (
        c_void_p,
        POINTER(streams_value),  # numbers
    ),
    "streams_record": (
        c_void_p,
        POINTER(streams_value),  # values
        c_size_t,  # count
        c_void_p,  # error
    ),
    "streams_deferred": (
        c_void_p,
        function_address,  # make
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_publisher_create": (
        c_void_p,
        POINTER(streams_source),  # source
    ),
    "streams_emitter_send": (
        c_int,
        c_void_p,  # emitter
        POINTER(streams_value),  # value
    ),
    "streams_emitter_send_values": (
        c_int,
        c_void_p,  # emitter
        POINTER(streams_value),  # values
        c_size_t,  # count
        POINTER(c_size_t),  # taken
    ),
    "streams_emitter_finish": (
        c_int,
        c_void_p,  # emitter
    ),
    "streams_emitter_fail": (
        c_int,
        c_void_p,  # emitter
        c_void_p,  # error
    ),
    "streams_emitter_demand": (
        c_uint64,
        c_void_p,  # emitter
    ),
    "streams_emitter_refusals": (
        c_uint64,
        c_void_p,  # emitter
    ),
    "streams_emitter_wake": (
        c_int,
        c_void_p,  # emitter
    ),
    "streams_lift": (
        c_void_p,
        c_void_p,  # publisher
        POINTER(streams_operator),  # behavior
    ),
    "streams_passthrough_subject_create": (
        c_void_p,
    ),
    "streams_current_value_subject_create": (
        c_void_p,
        POINTER(streams_value),  # initial
    ),
    "streams_replay_subject_create": (
        c_void_p,
        c_uint64,  # buffer_size
    ),
    "streams_subject_send": (
        c_int,
        c_void_p,  # subject
        POINTER(streams_value),  # value
    ),
    "streams_subject_send_values": (
        c_int,
        c_void_p,  # subject
        POINTER(streams_value),  # values
        c_size_t,  # count
    ),
    "streams_subject_send_int64s": (
        c_int,
        c_void_p,  # subject
        POINTER(c_int64),  # values
        c_size_t,  # count
    ),
    "streams_subject_send_doubles": (
        c_int,
        c_void_p,  # subject
        POINTER(c_double),  # values
        c_size_t,  # count
    ),
    "streams_subject_send_numbers": (
        c_int,
        c_void_p,  # subject
        POINTER(streams_value),  # numbers
    ),
    "streams_subject_send_completion": (
        c_int,
        c_void_p,  # subject
        c_void_p,  # error
    ),
    "streams_current_value_subject_get_value": (
        c_int,
        c_void_p,  # subject
        POINTER(streams_value),  # out
    ),
    "streams_current_value_subject_set_value": (
        c_int,
        c_void_p,  # subject
        POINTER(streams_value),  # value
    ),
    "streams_subject_publisher": (
        c_void_p,
        c_void_p,  # subject
    ),
    "streams_promise_create": (
        c_void_p,
    ),
    "streams_promise_publisher": (
        c_void_p,
        c_void_p,  # promise
    ),
    "streams_promise_resolve": (
        c_int,
        c_void_p,  # promise
        POINTER(streams_value),  # value
    ),
    "streams_promise_reject": (
        c_int,
        c_void_p,  # promise
        c_void_p,  # error
    ),
    "streams_map": (
        c_void_p,
        c_void_p,  # publisher
        function_address,  # transform
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_filter": (
        c_void_p,
        c_void_p,  # publisher
        function_address,  # is_included
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_compact_map": (
        c_void_p,
        c_void_p,  # publisher
        function_address,  # transform
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_map_batch": (
        c_void_p,
        c_void_p,  # publisher
        function_address,  # transform
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_encode": (
        c_void_p,
        c_void_p,  # publisher
        function_address,  # encode
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_decode": (
        c_void_p,
        c_void_p,  # publisher
        function_address,  # decode
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_remove_duplicates": (
        c_void_p,
        c_void_p,  # publisher
    ),
    "streams_remove_duplicates_by": (
        c_void_p,
        c_void_p,  # publisher
        function_address,  # is_same
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_distinct": (
        c_void_p,
        c_void_p,  # publisher
    ),
    "streams_distinct_by": (
        c_void_p,
        c_void_p,  # publisher
        function_address,  # key
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_replace_nil": (
        c_void_p,
        c_void_p,  # publisher
        POINTER(streams_value),  # value
    ),
    "streams_scan": (
        c_void_p,
        c_void_p,  # publisher
        POINTER(streams_value),  # initial
        function_address,  # combine
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_pairwise": (
        c_void_p,
        c_void_p,  # publisher
    ),
    "streams_reduce": (
        c_void_p,
        c_void_p,  # publisher
        POINTER(streams_value),  # initial
        function_address,  # combine
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_count": (
        c_void_p,
        c_void_p,  # publisher
    ),
    "streams_sum": (
        c_void_p,
        c_void_p,  # publisher
    ),
    "streams_min": (
        c_void_p,
        c_void_p,  # publisher
    ),
    "streams_max": (
        c_void_p,
        c_void_p,  # publisher
    ),
    "streams_min_by": (
        c_void_p,
        c_void_p,  # publisher
        function_address,  # is_before
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_max_by": (
        c_void_p,
        c_void_p,  # publisher
        function_address,  # is_before
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_contains": (
        c_void_p,
        c_void_p,  # publisher
        POINTER(streams_value),  # value
    ),
    "streams_contains_where": (
        c_void_p,
        c_void_p,  # publisher
        function_address,  # predicate
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_all_satisfy": (
        c_void_p,
        c_void_p,  # publisher
        function_address,  # predicate
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_collect": (
        c_void_p,
        c_void_p,  # publisher
    ),
    "streams_collect_count": (
        c_void_p,
        c_void_p,  # publisher
        c_int64,  # count
    ),
    "streams_buffer": (
        c_void_p,
        c_void_p,  # publisher
        c_int64,  # size
        c_int,  # prefetch
        c_int,  # when_full
    ),
    "streams_buffer_or_fail": (
        c_void_p,
        c_void_p,  # publisher
        c_int64,  # size
        c_int,  # prefetch
        function_address,  # make_error
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_prefix": (
        c_void_p,
        c_void_p,  # publisher
        c_int64,  # count
    ),
    "streams_drop_first": (
        c_void_p,
        c_void_p,  # publisher
        c_int64,  # count
    ),
    "streams_drop_while": (
        c_void_p,
        c_void_p,  # publisher
        function_address,  # predicate
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_prefix_while": (
        c_void_p,
        c_void_p,  # publisher
        function_address,  # predicate
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_first": (
        c_void_p,
        c_void_p,  # publisher
    ),
    "streams_first_where": (
        c_void_p,
        c_void_p,  # publisher
        function_address,  # predicate
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_last": (
        c_void_p,
        c_void_p,  # publisher
    ),
    "streams_last_where": (
        c_void_p,
        c_void_p,  # publisher
        function_address,  # predicate
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_output_at": (
        c_void_p,
        c_void_p,  # publisher
        c_int64,  # index
    ),
    "streams_output_in": (
        c_void_p,
        c_void_p,  # publisher
        c_int64,  # lower
        c_int64,  # upper
    ),
    "streams_drop_until_output": (
        c_void_p,
        c_void_p,  # publisher
        c_void_p,  # other
    ),
    "streams_prefix_until_output": (
        c_void_p,
        c_void_p,  # publisher
        c_void_p,  # other
    ),
    "streams_ignore_output": (
        c_void_p,
        c_void_p,  # publisher
    ),
    "streams_replace_empty": (
        c_void_p,
        c_void_p,  # publisher
        POINTER(streams_value),  # value
    ),
    "streams_flat_map": (
        c_void_p,
        c_void_p,  # publisher
        c_uint64,  # max_publishers
        function_address,  # transform
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_concat_map": (
        c_void_p,
        c_void_p,  # publisher
        function_address,  # transform
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_switch_to_latest": (
        c_void_p,
        c_void_p,  # publisher
        function_address,  # transform
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_merge": (
        c_void_p,
        POINTER(c_void_p),  # publishers
        c_size_t,  # count
    ),
    "streams_amb": (
        c_void_p,
        POINTER(c_void_p),  # publishers
        c_size_t,  # count
    ),
    "streams_combine_latest": (
        c_void_p,
        POINTER(c_void_p),  # publishers
        c_size_t,  # count
    ),
    "streams_combine_latest_with": (
        c_void_p,
        POINTER(c_void_p),  # publishers
        c_size_t,  # count
        function_address,  # combine
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_zip": (
        c_void_p,
        POINTER(c_void_p),  # publishers
        c_size_t,  # count
    ),
    "streams_zip_with": (
        c_void_p,
        POINTER(c_void_p),  # publishers
        c_size_t,  # count
        function_address,  # combine
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_with_latest_from": (
        c_void_p,
        c_void_p,  # publisher
        c_void_p,  # other
    ),
    "streams_with_latest_from_with": (
        c_void_p,
        c_void_p,  # publisher
        c_void_p,  # other
        function_address,  # combine
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_sample": (
        c_void_p,
        c_void_p,  # publisher
        c_void_p,  # trigger
    ),
    "streams_append": (
        c_void_p,
        c_void_p,  # publisher
        c_void_p,  # other
    ),
    "streams_prepend": (
        c_void_p,
        c_void_p,  # publisher
        c_void_p,  # other
    ),
    "streams_catch": (
        c_void_p,
        c_void_p,  # publisher
        function_address,  # handler
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_map_error": (
        c_void_p,
        c_void_p,  # publisher
        function_address,  # transform
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_materialize": (
        c_void_p,
        c_void_p,  # publisher
    ),
    "streams_dematerialize": (
        c_void_p,
        c_void_p,  # publisher
    ),
    "streams_event": (
        c_int,
        POINTER(streams_value),  # value
        c_void_p,  # error
        POINTER(streams_value),  # out
    ),
    "streams_replace_error": (
        c_void_p,
        c_void_p,  # publisher
        POINTER(streams_value),  # value
    ),
    "streams_assert_no_failure": (
        c_void_p,
        c_void_p,  # publisher
        c_char_p,  # prefix
    ),
    "streams_retry": (
        c_void_p,
        c_void_p,  # publisher
        c_int64,  # retries
    ),
    "streams_repeat": (
        c_void_p,
        c_void_p,  # publisher
        c_uint64,  # times
    ),
    "streams_handle_events": (
        c_void_p,
        c_void_p,  # publisher
        POINTER(streams_event_handlers),  # handlers
    ),
    "streams_print": (
        c_void_p,
        c_void_p,  # publisher
        c_char_p,  # prefix
        function_address,  # write
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_breakpoint": (
        c_void_p,
        c_void_p,  # publisher
        POINTER(streams_breakpoints),  # breakpoints
    ),
    "streams_breakpoint_on_error": (
        c_void_p,
        c_void_p,  # publisher
    ),
    "streams_publisher_describe": (
        c_int,
        c_void_p,  # publisher
        c_char_p,  # buffer
        c_size_t,  # capacity
        POINTER(c_size_t),  # needed
    ),
    "streams_track": (
        c_void_p,
        c_void_p,  # publisher
        c_char_p,  # label
        function_address,  # write
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_track_subject": (
        c_void_p,
        c_void_p,  # subject
        c_char_p,  # label
        function_address,  # write
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_trace_start": (
        None,
        function_address,  # write
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_trace_stop": (
        None,
    ),
    "streams_warn_about_drops": (
        None,
        c_bool,  # is_on
    ),
    "streams_watch_streams": (
        None,
        c_bool,  # is_on
    ),
    "streams_live_streams": (
        c_int,
        c_char_p,  # buffer
        c_size_t,  # capacity
        POINTER(c_size_t),  # needed
    ),
    "streams_trace_to_file": (
        c_int,
        c_char_p,  # path
    ),
    "streams_label": (
        c_int,
        c_void_p,  # handle
        c_char_p,  # label
        c_char_p,  # place
    ),
    "streams_share": (
        c_void_p,
        c_void_p,  # publisher
    ),
    "streams_share_replay": (
        c_void_p,
        c_void_p,  # publisher
        c_uint64,  # buffer_size
    ),
    "streams_make_connectable": (
        c_void_p,
        c_void_p,  # publisher
    ),
    "streams_multicast": (
        c_void_p,
        c_void_p,  # publisher
        c_void_p,  # subject
    ),
    "streams_connectable_publisher": (
        c_void_p,
        c_void_p,  # connectable
    ),
    "streams_connect": (
        c_void_p,
        c_void_p,  # connectable
    ),
    "streams_autoconnect": (
        c_void_p,
        c_void_p,  # connectable
    ),
    "streams_immediate_scheduler_create": (
        c_void_p,
    ),
    "streams_virtual_scheduler_create": (
        c_void_p,
    ),
    "streams_virtual_scheduler_advance": (
        c_int,
        c_void_p,  # scheduler
        c_int64,  # time
    ),
    "streams_virtual_scheduler_run": (
        c_int,
        c_void_p,  # scheduler
    ),
    "streams_loop_create": (
        c_void_p,
    ),
    "streams_loop_descriptor": (
        c_int32,
        c_void_p,  # loop
    ),
    "streams_loop_run_once": (
        c_int,
        c_void_p,  # loop
        c_int64,  # timeout
    ),
    "streams_loop_run_until": (
        c_int,
        c_void_p,  # loop
        c_int64,  # time
    ),
    "streams_loop_run": (
        c_int,
        c_void_p,  # loop
    ),
    "streams_loop_stop": (
        c_int,
        c_void_p,  # loop
    ),
    "streams_queue_create": (
        c_void_p,
    ),
    "streams_pool_create": (
        c_void_p,
        c_size_t,  # threads
    ),
    "streams_pool_queue": (
        c_void_p,
        c_void_p,  # pool
    ),
    "streams_custom_scheduler_create": (
        c_void_p,
        POINTER(streams_custom_scheduler),  # scheduler
    ),
    "streams_action_run": (
        c_int,
        c_void_p,  # action
    ),
    "streams_action_reject": (
        c_int,
        c_void_p,  # action
        c_void_p,  # error
    ),
    "streams_scheduler_now": (
        c_int64,
        c_void_p,  # scheduler
    ),
    "streams_scheduler_schedule": (
        c_uint64,
        c_void_p,  # scheduler
        c_int64,  # time
        function_address,  # action
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_scheduler_cancel": (
        c_int,
        c_void_p,  # scheduler
        c_uint64,  # number
    ),
    "streams_debounce": (
        c_void_p,
        c_void_p,  # publisher
        c_int64,  # due_time
        c_void_p,  # scheduler
    ),
    "streams_delay": (
        c_void_p,
        c_void_p,  # publisher
        c_int64,  # interval
        c_void_p,  # scheduler
    ),
    "streams_throttle": (
        c_void_p,
        c_void_p,  # publisher
        c_int64,  # interval
        c_void_p,  # scheduler
        c_bool,  # latest
    ),
    "streams_timeout": (
        c_void_p,
        c_void_p,  # publisher
        c_int64,  # interval
        c_void_p,  # scheduler
        c_void_p,  # error
    ),
    "streams_measure_interval": (
        c_void_p,
        c_void_p,  # publisher
        c_void_p,  # scheduler
    ),
    "streams_collect_by_time": (
        c_void_p,
        c_void_p,  # publisher
        c_int64,  # interval
        c_void_p,  # scheduler
    ),
    "streams_collect_by_time_or_count": (
        c_void_p,
        c_void_p,  # publisher
        c_int64,  # interval
        c_int64,  # count
        c_void_p,  # scheduler
    ),
    "streams_receive_on": (
        c_void_p,
        c_void_p,  # publisher
        c_void_p,  # scheduler
    ),
    "streams_subscribe_on": (
        c_void_p,
        c_void_p,  # publisher
        c_void_p,  # scheduler
    ),
    "streams_retry_backoff": (
        c_void_p,
        c_void_p,  # publisher
        POINTER(streams_backoff),  # backoff
        c_void_p,  # scheduler
        function_address,  # is_worthwhile
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_interval": (
        c_void_p,
        c_int64,  # first
        c_int64,  # interval
        c_uint64,  # count
        c_void_p,  # scheduler
    ),
    "streams_debouncer_create": (
        c_void_p,
        c_int64,  # due_time
        c_void_p,  # scheduler
    ),
    "streams_debouncer_execute": (
        c_int,
        c_void_p,  # debouncer
        function_address,  # action
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_throttler_create": (
        c_void_p,
        c_int64,  # interval
        c_void_p,  # scheduler
        c_bool,  # latest
    ),
    "streams_throttler_execute": (
        c_int,
        c_void_p,  # throttler
        function_address,  # action
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_group_by": (
        c_void_p,
        c_void_p,  # publisher
        c_uint64,  # prefetch
        function_address,  # key
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_window_by_count": (
        c_void_p,
        c_void_p,  # publisher
        c_int64,  # count
        c_int64,  # skip
        c_uint64,  # prefetch
    ),
    "streams_window_by_time": (
        c_void_p,
        c_void_p,  # publisher
        c_int64,  # interval
        c_uint64,  # prefetch
        c_void_p,  # scheduler
    ),
    "streams_window_by_time_or_count": (
        c_void_p,
        c_void_p,  # publisher
        c_int64,  # interval
        c_int64,  # count
        c_uint64,  # prefetch
        c_void_p,  # scheduler
    ),
    "streams_window": (
        c_void_p,
        c_void_p,  # publisher
        c_void_p,  # boundaries
        c_uint64,  # prefetch
    ),
    "streams_value_publisher": (
        c_void_p,
        POINTER(streams_value),  # value
    ),
    "streams_group_key": (
        c_int,
        POINTER(streams_value),  # value
        POINTER(streams_value),  # out
    ),
    "streams_sink": (
        c_void_p,
        c_void_p,  # publisher
        POINTER(streams_subscriber),  # subscriber
    ),
    "streams_run": (
        c_int,
        c_void_p,  # publisher
        POINTER(streams_subscriber),  # subscriber
        c_int64,  # timeout
    ),
    "streams_catch_up": (
        c_int,
    ),
    "streams_assign": (
        c_void_p,
        c_void_p,  # publisher
        c_void_p,  # subject
    ),
    "streams_subscribe": (
        c_void_p,
        c_void_p,  # publisher
        c_void_p,  # subject
    ),
    "streams_cancel": (
        c_int,
        c_void_p,  # cancellable
    ),
    "streams_subscription_request": (
        c_int,
        c_void_p,  # subscription
        c_uint64,  # demand
    ),
    "streams_subscription_cancel": (
        c_int,
        c_void_p,  # subscription
    ),
    "streams_dropped": (
        c_uint64,
        c_void_p,  # handle
    ),
    "streams_observable_object_create": (
        c_void_p,
    ),
    "streams_observable_object_add": (
        c_int,
        c_void_p,  # object
        c_char_p,  # name
        POINTER(streams_value),  # initial
    ),
    "streams_observable_object_get_value": (
        c_int,
        c_void_p,  # object
        c_char_p,  # name
        POINTER(streams_value),  # out
    ),
    "streams_observable_object_set_value": (
        c_int,
        c_void_p,  # object
        c_char_p,  # name
        POINTER(streams_value),  # value
    ),
    "streams_observable_object_publisher": (
        c_void_p,
        c_void_p,  # object
        c_char_p,  # name
    ),
    "streams_observable_object_will_change": (
        c_void_p,
        c_void_p,  # object
    ),
    "streams_observable_object_send_will_change": (
        c_int,
        c_void_p,  # object
    ),
    "streams_assign_to_published": (
        c_void_p,
        c_void_p,  # publisher
        c_void_p,  # object
        c_char_p,  # name
    ),
    "streams_property_create": (
        c_void_p,
        POINTER(streams_value),  # value
    ),
    "streams_property_of_subject": (
        c_void_p,
        c_void_p,  # subject
    ),
    "streams_property_of_publisher": (
        c_void_p,
        POINTER(streams_value),  # initial
        c_void_p,  # then
    ),
    "streams_property_get_value": (
        c_int,
        c_void_p,  # property
        POINTER(streams_value),  # out
    ),
    "streams_property_all_values": (
        c_void_p,
        c_void_p,  # property
    ),
    "streams_property_subsequent_values": (
        c_void_p,
        c_void_p,  # property
    ),
    "streams_property_map": (
        c_void_p,
        c_void_p,  # property
        function_address,  # transform
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_property_filter": (
        c_void_p,
        c_void_p,  # property
        POINTER(streams_value),  # initial_fallback
        function_address,  # predicate
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_property_compact_map": (
        c_void_p,
        c_void_p,  # property
        POINTER(streams_value),  # initial_fallback
        function_address,  # transform
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_property_scan": (
        c_void_p,
        c_void_p,  # property
        POINTER(streams_value),  # initial
        function_address,  # combine
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_property_remove_duplicates": (
        c_void_p,
        c_void_p,  # property
        function_address,  # is_same
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_property_flat_map": (
        c_void_p,
        c_void_p,  # property
        function_address,  # transform
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_property_receive_on": (
        c_void_p,
        c_void_p,  # property
        c_void_p,  # scheduler
    ),
    "streams_property_combine_latest": (
        c_void_p,
        POINTER(c_void_p),  # properties
        c_size_t,  # count
        function_address,  # combine
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_property_zip": (
        c_void_p,
        POINTER(c_void_p),  # properties
        c_size_t,  # count
        function_address,  # combine
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_binding_create": (
        c_void_p,
        function_address,  # get
        function_address,  # set
        c_void_p,  # context
        function_address,  # destroy
        c_void_p,  # changes
    ),
    "streams_binding_constant": (
        c_void_p,
        POINTER(streams_value),  # value
    ),
    "streams_binding_of_subject": (
        c_void_p,
        c_void_p,  # subject
    ),
    "streams_observable_object_binding": (
        c_void_p,
        c_void_p,  # object
        c_char_p,  # name
    ),
    "streams_binding_get_value": (
        c_int,
        c_void_p,  # binding
        POINTER(streams_value),  # out
    ),
    "streams_binding_set_value": (
        c_int,
        c_void_p,  # binding
        POINTER(streams_value),  # value
    ),
    "streams_binding_values": (
        c_void_p,
        c_void_p,  # binding
    ),
    "streams_binding_property": (
        c_void_p,
        c_void_p,  # binding
    ),
    "streams_binding_map": (
        c_void_p,
        c_void_p,  # binding
        function_address,  # get
        function_address,  # set
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_binding_part": (
        c_void_p,
        c_void_p,  # binding
        function_address,  # get
        function_address,  # set
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_binding_element": (
        c_void_p,
        c_void_p,  # binding
        c_size_t,  # index
    ),
    "streams_assign_to_binding": (
        c_void_p,
        c_void_p,  # publisher
        c_void_p,  # binding
    ),
    "streams_scope_tree_create": (
        c_void_p,
        c_void_p,  # scheduler
        POINTER(streams_value),  # input
        function_address,  # body
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_scope_tree_update": (
        c_int,
        c_void_p,  # tree
    ),
    "streams_scope_tree_updates": (
        c_void_p,
        c_void_p,  # tree
    ),
    "streams_scope_tree_get_shown": (
        c_int,
        c_void_p,  # tree
        POINTER(streams_value),  # out
    ),
    "streams_scope_tree_set_environment_value": (
        c_int,
        c_void_p,  # tree
        c_char_p,  # key
        POINTER(streams_value),  # value
    ),
    "streams_scope_child": (
        c_int,
        c_void_p,  # scope
        POINTER(streams_value),  # key
        POINTER(streams_value),  # input
        function_address,  # body
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_scope_state": (
        c_void_p,
        c_void_p,  # scope
        c_char_p,  # name
        POINTER(streams_value),  # initial
    ),
    "streams_scope_task": (
        c_int,
        c_void_p,  # scope
        c_char_p,  # name
        POINTER(streams_value),  # input
        function_address,  # action
        c_void_p,  # context
        function_address,  # destroy
    ),
    "streams_scope_get_environment_value": (
        c_int,
        c_void_p,  # scope
        c_char_p,  # key
        POINTER(streams_value),  # out
    ),
    "streams_scope_set_environment_value": (
        c_int,
        c_void_p,  # scope
        c_char_p,  # key
        POINTER(streams_value),  # value
    ),
    "streams_scope_invalidate": (
        c_int,
        c_void_p,  # scope
    ),
    "streams_host_register": (
        c_int,
        POINTER(streams_host),  # table
        POINTER(c_uint32),  # host
    ),
    "streams_host_retire": (
        c_int,
        c_uint32,  # host
    ),
    "streams_host_values": (
        c_int,
        c_uint32,  # host
        POINTER(c_void_p),  # objects
        c_size_t,  # count
        POINTER(streams_value),  # values
    ),
    "streams_host_numbers": (
        c_int,
        c_uint32,  # host
        c_void_p,  # object
        POINTER(streams_value),  # out
    ),
    "streams_host_object": (
        c_void_p,
        c_uint32,  # host
        POINTER(streams_value),  # value
    ),
    "streams_host_send": (
        c_int,
        c_void_p,  # subject
        c_uint32,  # host
        py_object,  # object
    ),
    "streams_host_send_objects": (
        c_int,
        c_void_p,  # subject
        c_uint32,  # host
        POINTER(c_void_p),  # objects
        c_size_t,  # count
    ),
    "streams_host_send_numbers": (
        c_int,
        c_void_p,  # subject
        c_uint32,  # host
        py_object,  # object
    ),
    "streams_host_send_method": (
        streams_method_fn,
        c_uint32,  # host
        c_void_p,  # raise
        c_ssize_t,  # offset
    ),
    "streams_host_close_method": (
        streams_method_fn,
        c_uint32,  # host
        c_void_p,  # raise
        c_ssize_t,  # offset
    ),
    "streams_host_value_getter": (
        streams_method_fn,
        c_uint32,  # host
        c_void_p,  # raise
        c_ssize_t,  # offset
    ),
    "streams_host_value_setter": (
        streams_setter_fn,
        c_uint32,  # host
        c_void_p,  # raise
        c_ssize_t,  # offset
    ),
    "streams_host_call": (
        streams_call_fn,
        c_uint32,  # host
        c_void_p,  # raise
        c_ssize_t,  # offset
    ),
    "streams_host_emit": (
        c_int,
        c_void_p,  # emitter
        c_uint32,  # host
        POINTER(c_void_p),  # objects
        c_size_t,  # count
        POINTER(c_size_t),  # taken
    ),
    "streams_host_publisher": (
        c_void_p,
        c_uint32,  # host
        py_object,  # iterable
    ),
    "streams_host_source": (
        c_int,
        c_uint32,  # host
        c_void_p,  # open
        c_void_p,  # produce
        c_void_p,  # close
        POINTER(streams_source),  # out
    ),
    "streams_host_operator": (
        c_int,
        c_uint32,  # host
        c_void_p,  # open
        c_void_p,  # on_value
        c_void_p,  # on_completion
        c_void_p,  # close
        POINTER(streams_operator),  # out
    ),
    "streams_host_scheduler": (
        c_int,
        c_uint32,  # host
        c_void_p,  # now
        c_void_p,  # schedule
        c_void_p,  # cancel
        POINTER(streams_custom_scheduler),  # out
    ),
    "streams_host_keep_scheduler": (
        c_int,
        c_uint32,  # host
        c_void_p,  # scheduler
        c_void_p,  # weak
    ),
    "streams_callable_create": (
        c_void_p,
        c_uint32,  # host
        py_object,  # function
    ),
    "streams_callable_destroy": (
        None,
        c_void_p,  # callable
    ),
    "streams_callable_transform": (
        c_int,
        c_void_p,  # callable
        POINTER(streams_value),  # in
        POINTER(streams_value),  # out
    ),
    "streams_callable_transform_batch": (
        c_int,
        c_void_p,  # callable
        POINTER(streams_value),  # in
        POINTER(streams_value),  # out
    ),
    "streams_callable_get_value": (
        c_int,
        c_void_p,  # callable
        POINTER(streams_value),  # out
    ),
    "streams_callable_set_value": (
        c_int,
        c_void_p,  # callable
        POINTER(streams_value),  # value
    ),
    "streams_callable_body": (
        c_int,
        c_void_p,  # callable
        c_void_p,  # scope
        POINTER(streams_value),  # input
        POINTER(streams_value),  # out
    ),
    "streams_callable_predicate": (
        c_int,
        c_void_p,  # callable
        POINTER(streams_value),  # in
        POINTER(c_bool),  # result
    ),
    "streams_callable_compare": (
        c_int,
        c_void_p,  # callable
        POINTER(streams_value),  # previous
        POINTER(streams_value),  # current
        POINTER(c_bool),  # same
    ),
    "streams_callable_order": (
        c_int,
        c_void_p,  # callable
        POINTER(streams_value),  # first
        POINTER(streams_value),  # second
        POINTER(c_bool),  # is_before
    ),
    "streams_callable_combine": (
        c_int,
        c_void_p,  # callable
        POINTER(streams_value),  # accumulated
        POINTER(streams_value),  # in
        POINTER(streams_value),  # out
    ),
    "streams_callable_combine_values": (
        c_int,
        c_void_p,  # callable
        POINTER(streams_value),  # values
        c_size_t,  # count
        POINTER(streams_value),  # out
    ),
    "streams_callable_expand": (
        c_int,
        c_void_p,  # callable
        POINTER(streams_value),  # in
        POINTER(c_void_p),  # out
    ),
    "streams_callable_expand_property": (
        c_int,
        c_void_p,  # callable
        POINTER(streams_value),  # in
        POINTER(c_void_p),  # out
    ),
    "streams_callable_recover": (
        c_int,
        c_void_p,  # callable
        c_void_p,  # error
        POINTER(c_void_p),  # out
    ),
    "streams_callable_transform_error": (
        c_int,
        c_void_p,  # callable
        c_void_p,  # error
        POINTER(c_void_p),  # out
    ),
    "streams_callable_make_publisher": (
        c_int,
        c_void_p,  # callable
        POINTER(c_void_p),  # out
    ),
    "streams_callable_make_error": (
        c_int,
        c_void_p,  # callable
        POINTER(c_void_p),  # out
    ),
    "streams_callable_error_predicate": (
        c_int,
        c_void_p,  # callable
        c_void_p,  # error
        POINTER(c_bool),  # result
    ),
    "streams_callable_write": (
        None,
        c_void_p,  # callable
        c_char_p,  # text
        c_size_t,  # length
    ),
    "streams_callable_action": (
        None,
        c_void_p,  # callable
    ),
    "streams_host_subscriber": (
        c_int,
        c_uint32,  # host
        POINTER(streams_host_callables),  # callables
        c_uint64,  # demand
        POINTER(streams_subscriber),  # out
    ),
    "streams_host_sink": (
        c_void_p,
        c_void_p,  # publisher
        c_uint32,  # host
        c_uint64,  # demand
        py_object,  # on_value
        py_object,  # on_completion
        c_void_p,  # owner
        function_address,  # call_value
    ),
    "streams_host_owner_finalizer": (
        streams_finalizer_fn,
        c_uint32,  # host
        c_ssize_t,  # offset
    ),
    "streams_host_event_handlers": (
        c_int,
        c_uint32,  # host
        POINTER(streams_host_callables),  # callables
        POINTER(streams_event_handlers),  # out
    ),
}
