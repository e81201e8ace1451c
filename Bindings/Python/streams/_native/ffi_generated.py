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


def declare(library: ctypes.CDLL) -> None:
    """Tells ctypes the types of every function of the library."""
    library.streams_version.restype = c_uint32
    library.streams_version.argtypes = []
    library.streams_version_string.restype = c_char_p
    library.streams_version_string.argtypes = []
    library.streams_status_name.restype = c_char_p
    library.streams_status_name.argtypes = [
        c_int,  # status
    ]
    library.streams_last_status.restype = c_int
    library.streams_last_status.argtypes = []
    library.streams_last_function.restype = c_char_p
    library.streams_last_function.argtypes = []
    library.streams_last_message.restype = c_char_p
    library.streams_last_message.argtypes = []
    library.streams_clear_last_error.restype = None
    library.streams_clear_last_error.argtypes = []
    library.streams_set_last_error.restype = c_int
    library.streams_set_last_error.argtypes = [
        c_int,  # status
        c_char_p,  # function
        c_char_p,  # message
    ]
    library.streams_retain.restype = c_int
    library.streams_retain.argtypes = [
        c_void_p,  # handle
    ]
    library.streams_release.restype = c_int
    library.streams_release.argtypes = [
        c_void_p,  # handle
    ]
    library.streams_handle_kind.restype = c_int
    library.streams_handle_kind.argtypes = [
        c_void_p,  # handle
    ]
    library.streams_live_handles.restype = c_size_t
    library.streams_live_handles.argtypes = []
    library.streams_value_copy.restype = c_int
    library.streams_value_copy.argtypes = [
        POINTER(streams_value),  # value
        POINTER(streams_value),  # out
    ]
    library.streams_value_destroy.restype = c_int
    library.streams_value_destroy.argtypes = [
        POINTER(streams_value),  # value
    ]
    library.streams_value_equal.restype = c_int
    library.streams_value_equal.argtypes = [
        POINTER(streams_value),  # a
        POINTER(streams_value),  # b
        POINTER(c_bool),  # equal
    ]
    library.streams_value_hash.restype = c_int
    library.streams_value_hash.argtypes = [
        POINTER(streams_value),  # value
        POINTER(c_uint64),  # hash
    ]
    library.streams_value_compare.restype = c_int
    library.streams_value_compare.argtypes = [
        POINTER(streams_value),  # a
        POINTER(streams_value),  # b
        POINTER(c_int),  # order
    ]
    library.streams_value_describe.restype = c_int
    library.streams_value_describe.argtypes = [
        POINTER(streams_value),  # value
        c_char_p,  # buffer
        c_size_t,  # capacity
        POINTER(c_size_t),  # needed
    ]
    library.streams_value_string.restype = c_int
    library.streams_value_string.argtypes = [
        c_char_p,  # text
        c_size_t,  # length
        POINTER(streams_value),  # out
    ]
    library.streams_value_bytes.restype = c_int
    library.streams_value_bytes.argtypes = [
        c_void_p,  # bytes
        c_size_t,  # length
        POINTER(streams_value),  # out
    ]
    library.streams_value_string_nocopy.restype = c_int
    library.streams_value_string_nocopy.argtypes = [
        c_char_p,  # text
        c_size_t,  # length
        c_void_p,  # context
        function_address,  # destroy
        POINTER(streams_value),  # out
    ]
    library.streams_value_bytes_nocopy.restype = c_int
    library.streams_value_bytes_nocopy.argtypes = [
        c_void_p,  # bytes
        c_size_t,  # length
        c_void_p,  # context
        function_address,  # destroy
        POINTER(streams_value),  # out
    ]
    library.streams_value_int64s_nocopy.restype = c_int
    library.streams_value_int64s_nocopy.argtypes = [
        POINTER(c_int64),  # integers
        c_size_t,  # count
        c_void_p,  # context
        function_address,  # destroy
        POINTER(streams_value),  # out
    ]
    library.streams_value_doubles_nocopy.restype = c_int
    library.streams_value_doubles_nocopy.argtypes = [
        POINTER(c_double),  # reals
        c_size_t,  # count
        c_void_p,  # context
        function_address,  # destroy
        POINTER(streams_value),  # out
    ]
    library.streams_value_slice.restype = c_int
    library.streams_value_slice.argtypes = [
        POINTER(streams_value),  # value
        c_size_t,  # offset
        c_size_t,  # length
        POINTER(streams_value),  # out
    ]
    library.streams_value_c_string.restype = c_int
    library.streams_value_c_string.argtypes = [
        POINTER(streams_value),  # value
        POINTER(streams_value),  # out
    ]
    library.streams_value_list.restype = c_int
    library.streams_value_list.argtypes = [
        POINTER(streams_value),  # values
        c_size_t,  # count
        POINTER(streams_value),  # out
    ]
    library.streams_value_object.restype = c_int
    library.streams_value_object.argtypes = [
        POINTER(streams_object_type),  # type
        c_void_p,  # object
        POINTER(streams_value),  # out
    ]
    library.streams_value_object_type.restype = POINTER(streams_object_type)
    library.streams_value_object_type.argtypes = [
        POINTER(streams_value),  # value
    ]
    library.streams_error_create.restype = c_void_p
    library.streams_error_create.argtypes = [
        c_int64,  # code
        c_char_p,  # domain
        c_char_p,  # message
        POINTER(streams_value),  # object
    ]
    library.streams_error_code.restype = c_int64
    library.streams_error_code.argtypes = [
        c_void_p,  # error
    ]
    library.streams_error_number.restype = c_uint64
    library.streams_error_number.argtypes = [
        c_void_p,  # error
    ]
    library.streams_error_domain.restype = c_char_p
    library.streams_error_domain.argtypes = [
        c_void_p,  # error
    ]
    library.streams_error_message.restype = c_char_p
    library.streams_error_message.argtypes = [
        c_void_p,  # error
    ]
    library.streams_error_object.restype = POINTER(streams_value)
    library.streams_error_object.argtypes = [
        c_void_p,  # error
    ]
    library.streams_last_error.restype = c_void_p
    library.streams_last_error.argtypes = []
    library.streams_callback_fail.restype = c_int
    library.streams_callback_fail.argtypes = [
        c_void_p,  # error
    ]
    library.streams_just.restype = c_void_p
    library.streams_just.argtypes = [
        POINTER(streams_value),  # value
    ]
    library.streams_empty.restype = c_void_p
    library.streams_empty.argtypes = [
        c_bool,  # complete_immediately
    ]
    library.streams_fail.restype = c_void_p
    library.streams_fail.argtypes = [
        c_void_p,  # error
    ]
    library.streams_sequence.restype = c_void_p
    library.streams_sequence.argtypes = [
        POINTER(streams_value),  # values
        c_size_t,  # count
    ]
    library.streams_sequence_int64s.restype = c_void_p
    library.streams_sequence_int64s.argtypes = [
        POINTER(c_int64),  # values
        c_size_t,  # count
    ]
    library.streams_sequence_doubles.restype = c_void_p
    library.streams_sequence_doubles.argtypes = [
        POINTER(c_double),  # values
        c_size_t,  # count
    ]
    library.streams_sequence_numbers.restype = c_void_p
    library.streams_sequence_numbers.argtypes = [
        POINTER(streams_value),  # numbers
    ]
    library.streams_record.restype = c_void_p
    library.streams_record.argtypes = [
        POINTER(streams_value),  # values
        c_size_t,  # count
        c_void_p,  # error
    ]
    library.streams_deferred.restype = c_void_p
    library.streams_deferred.argtypes = [
        function_address,  # make
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_publisher_create.restype = c_void_p
    library.streams_publisher_create.argtypes = [
        POINTER(streams_source),  # source
    ]
    library.streams_emitter_send.restype = c_int
    library.streams_emitter_send.argtypes = [
        c_void_p,  # emitter
        POINTER(streams_value),  # value
    ]
    library.streams_emitter_send_values.restype = c_int
    library.streams_emitter_send_values.argtypes = [
        c_void_p,  # emitter
        POINTER(streams_value),  # values
        c_size_t,  # count
        POINTER(c_size_t),  # taken
    ]
    library.streams_emitter_finish.restype = c_int
    library.streams_emitter_finish.argtypes = [
        c_void_p,  # emitter
    ]
    library.streams_emitter_fail.restype = c_int
    library.streams_emitter_fail.argtypes = [
        c_void_p,  # emitter
        c_void_p,  # error
    ]
    library.streams_emitter_demand.restype = c_uint64
    library.streams_emitter_demand.argtypes = [
        c_void_p,  # emitter
    ]
    library.streams_emitter_refusals.restype = c_uint64
    library.streams_emitter_refusals.argtypes = [
        c_void_p,  # emitter
    ]
    library.streams_emitter_wake.restype = c_int
    library.streams_emitter_wake.argtypes = [
        c_void_p,  # emitter
    ]
    library.streams_lift.restype = c_void_p
    library.streams_lift.argtypes = [
        c_void_p,  # publisher
        POINTER(streams_operator),  # behavior
    ]
    library.streams_passthrough_subject_create.restype = c_void_p
    library.streams_passthrough_subject_create.argtypes = []
    library.streams_current_value_subject_create.restype = c_void_p
    library.streams_current_value_subject_create.argtypes = [
        POINTER(streams_value),  # initial
    ]
    library.streams_replay_subject_create.restype = c_void_p
    library.streams_replay_subject_create.argtypes = [
        c_uint64,  # buffer_size
    ]
    library.streams_subject_send.restype = c_int
    library.streams_subject_send.argtypes = [
        c_void_p,  # subject
        POINTER(streams_value),  # value
    ]
    library.streams_subject_send_values.restype = c_int
    library.streams_subject_send_values.argtypes = [
        c_void_p,  # subject
        POINTER(streams_value),  # values
        c_size_t,  # count
    ]
    library.streams_subject_send_int64s.restype = c_int
    library.streams_subject_send_int64s.argtypes = [
        c_void_p,  # subject
        POINTER(c_int64),  # values
        c_size_t,  # count
    ]
    library.streams_subject_send_doubles.restype = c_int
    library.streams_subject_send_doubles.argtypes = [
        c_void_p,  # subject
        POINTER(c_double),  # values
        c_size_t,  # count
    ]
    library.streams_subject_send_numbers.restype = c_int
    library.streams_subject_send_numbers.argtypes = [
        c_void_p,  # subject
        POINTER(streams_value),  # numbers
    ]
    library.streams_subject_send_completion.restype = c_int
    library.streams_subject_send_completion.argtypes = [
        c_void_p,  # subject
        c_void_p,  # error
    ]
    library.streams_current_value_subject_get_value.restype = c_int
    library.streams_current_value_subject_get_value.argtypes = [
        c_void_p,  # subject
        POINTER(streams_value),  # out
    ]
    library.streams_current_value_subject_set_value.restype = c_int
    library.streams_current_value_subject_set_value.argtypes = [
        c_void_p,  # subject
        POINTER(streams_value),  # value
    ]
    library.streams_subject_publisher.restype = c_void_p
    library.streams_subject_publisher.argtypes = [
        c_void_p,  # subject
    ]
    library.streams_promise_create.restype = c_void_p
    library.streams_promise_create.argtypes = []
    library.streams_promise_publisher.restype = c_void_p
    library.streams_promise_publisher.argtypes = [
        c_void_p,  # promise
    ]
    library.streams_promise_resolve.restype = c_int
    library.streams_promise_resolve.argtypes = [
        c_void_p,  # promise
        POINTER(streams_value),  # value
    ]
    library.streams_promise_reject.restype = c_int
    library.streams_promise_reject.argtypes = [
        c_void_p,  # promise
        c_void_p,  # error
    ]
    library.streams_map.restype = c_void_p
    library.streams_map.argtypes = [
        c_void_p,  # publisher
        function_address,  # transform
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_filter.restype = c_void_p
    library.streams_filter.argtypes = [
        c_void_p,  # publisher
        function_address,  # is_included
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_compact_map.restype = c_void_p
    library.streams_compact_map.argtypes = [
        c_void_p,  # publisher
        function_address,  # transform
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_map_batch.restype = c_void_p
    library.streams_map_batch.argtypes = [
        c_void_p,  # publisher
        function_address,  # transform
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_encode.restype = c_void_p
    library.streams_encode.argtypes = [
        c_void_p,  # publisher
        function_address,  # encode
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_decode.restype = c_void_p
    library.streams_decode.argtypes = [
        c_void_p,  # publisher
        function_address,  # decode
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_remove_duplicates.restype = c_void_p
    library.streams_remove_duplicates.argtypes = [
        c_void_p,  # publisher
    ]
    library.streams_remove_duplicates_by.restype = c_void_p
    library.streams_remove_duplicates_by.argtypes = [
        c_void_p,  # publisher
        function_address,  # is_same
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_distinct.restype = c_void_p
    library.streams_distinct.argtypes = [
        c_void_p,  # publisher
    ]
    library.streams_distinct_by.restype = c_void_p
    library.streams_distinct_by.argtypes = [
        c_void_p,  # publisher
        function_address,  # key
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_replace_nil.restype = c_void_p
    library.streams_replace_nil.argtypes = [
        c_void_p,  # publisher
        POINTER(streams_value),  # value
    ]
    library.streams_scan.restype = c_void_p
    library.streams_scan.argtypes = [
        c_void_p,  # publisher
        POINTER(streams_value),  # initial
        function_address,  # combine
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_pairwise.restype = c_void_p
    library.streams_pairwise.argtypes = [
        c_void_p,  # publisher
    ]
    library.streams_reduce.restype = c_void_p
    library.streams_reduce.argtypes = [
        c_void_p,  # publisher
        POINTER(streams_value),  # initial
        function_address,  # combine
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_count.restype = c_void_p
    library.streams_count.argtypes = [
        c_void_p,  # publisher
    ]
    library.streams_sum.restype = c_void_p
    library.streams_sum.argtypes = [
        c_void_p,  # publisher
    ]
    library.streams_min.restype = c_void_p
    library.streams_min.argtypes = [
        c_void_p,  # publisher
    ]
    library.streams_max.restype = c_void_p
    library.streams_max.argtypes = [
        c_void_p,  # publisher
    ]
    library.streams_min_by.restype = c_void_p
    library.streams_min_by.argtypes = [
        c_void_p,  # publisher
        function_address,  # is_before
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_max_by.restype = c_void_p
    library.streams_max_by.argtypes = [
        c_void_p,  # publisher
        function_address,  # is_before
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_contains.restype = c_void_p
    library.streams_contains.argtypes = [
        c_void_p,  # publisher
        POINTER(streams_value),  # value
    ]
    library.streams_contains_where.restype = c_void_p
    library.streams_contains_where.argtypes = [
        c_void_p,  # publisher
        function_address,  # predicate
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_all_satisfy.restype = c_void_p
    library.streams_all_satisfy.argtypes = [
        c_void_p,  # publisher
        function_address,  # predicate
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_collect.restype = c_void_p
    library.streams_collect.argtypes = [
        c_void_p,  # publisher
    ]
    library.streams_collect_count.restype = c_void_p
    library.streams_collect_count.argtypes = [
        c_void_p,  # publisher
        c_int64,  # count
    ]
    library.streams_buffer.restype = c_void_p
    library.streams_buffer.argtypes = [
        c_void_p,  # publisher
        c_int64,  # size
        c_int,  # prefetch
        c_int,  # when_full
    ]
    library.streams_buffer_or_fail.restype = c_void_p
    library.streams_buffer_or_fail.argtypes = [
        c_void_p,  # publisher
        c_int64,  # size
        c_int,  # prefetch
        function_address,  # make_error
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_prefix.restype = c_void_p
    library.streams_prefix.argtypes = [
        c_void_p,  # publisher
        c_int64,  # count
    ]
    library.streams_drop_first.restype = c_void_p
    library.streams_drop_first.argtypes = [
        c_void_p,  # publisher
        c_int64,  # count
    ]
    library.streams_drop_while.restype = c_void_p
    library.streams_drop_while.argtypes = [
        c_void_p,  # publisher
        function_address,  # predicate
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_prefix_while.restype = c_void_p
    library.streams_prefix_while.argtypes = [
        c_void_p,  # publisher
        function_address,  # predicate
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_first.restype = c_void_p
    library.streams_first.argtypes = [
        c_void_p,  # publisher
    ]
    library.streams_first_where.restype = c_void_p
    library.streams_first_where.argtypes = [
        c_void_p,  # publisher
        function_address,  # predicate
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_last.restype = c_void_p
    library.streams_last.argtypes = [
        c_void_p,  # publisher
    ]
    library.streams_last_where.restype = c_void_p
    library.streams_last_where.argtypes = [
        c_void_p,  # publisher
        function_address,  # predicate
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_output_at.restype = c_void_p
    library.streams_output_at.argtypes = [
        c_void_p,  # publisher
        c_int64,  # index
    ]
    library.streams_output_in.restype = c_void_p
    library.streams_output_in.argtypes = [
        c_void_p,  # publisher
        c_int64,  # lower
        c_int64,  # upper
    ]
    library.streams_drop_until_output.restype = c_void_p
    library.streams_drop_until_output.argtypes = [
        c_void_p,  # publisher
        c_void_p,  # other
    ]
    library.streams_prefix_until_output.restype = c_void_p
    library.streams_prefix_until_output.argtypes = [
        c_void_p,  # publisher
        c_void_p,  # other
    ]
    library.streams_ignore_output.restype = c_void_p
    library.streams_ignore_output.argtypes = [
        c_void_p,  # publisher
    ]
    library.streams_replace_empty.restype = c_void_p
    library.streams_replace_empty.argtypes = [
        c_void_p,  # publisher
        POINTER(streams_value),  # value
    ]
    library.streams_flat_map.restype = c_void_p
    library.streams_flat_map.argtypes = [
        c_void_p,  # publisher
        c_uint64,  # max_publishers
        function_address,  # transform
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_concat_map.restype = c_void_p
    library.streams_concat_map.argtypes = [
        c_void_p,  # publisher
        function_address,  # transform
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_switch_to_latest.restype = c_void_p
    library.streams_switch_to_latest.argtypes = [
        c_void_p,  # publisher
        function_address,  # transform
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_merge.restype = c_void_p
    library.streams_merge.argtypes = [
        POINTER(c_void_p),  # publishers
        c_size_t,  # count
    ]
    library.streams_amb.restype = c_void_p
    library.streams_amb.argtypes = [
        POINTER(c_void_p),  # publishers
        c_size_t,  # count
    ]
    library.streams_combine_latest.restype = c_void_p
    library.streams_combine_latest.argtypes = [
        POINTER(c_void_p),  # publishers
        c_size_t,  # count
    ]
    library.streams_combine_latest_with.restype = c_void_p
    library.streams_combine_latest_with.argtypes = [
        POINTER(c_void_p),  # publishers
        c_size_t,  # count
        function_address,  # combine
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_zip.restype = c_void_p
    library.streams_zip.argtypes = [
        POINTER(c_void_p),  # publishers
        c_size_t,  # count
    ]
    library.streams_zip_with.restype = c_void_p
    library.streams_zip_with.argtypes = [
        POINTER(c_void_p),  # publishers
        c_size_t,  # count
        function_address,  # combine
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_with_latest_from.restype = c_void_p
    library.streams_with_latest_from.argtypes = [
        c_void_p,  # publisher
        c_void_p,  # other
    ]
    library.streams_with_latest_from_with.restype = c_void_p
    library.streams_with_latest_from_with.argtypes = [
        c_void_p,  # publisher
        c_void_p,  # other
        function_address,  # combine
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_sample.restype = c_void_p
    library.streams_sample.argtypes = [
        c_void_p,  # publisher
        c_void_p,  # trigger
    ]
    library.streams_append.restype = c_void_p
    library.streams_append.argtypes = [
        c_void_p,  # publisher
        c_void_p,  # other
    ]
    library.streams_prepend.restype = c_void_p
    library.streams_prepend.argtypes = [
        c_void_p,  # publisher
        c_void_p,  # other
    ]
    library.streams_catch.restype = c_void_p
    library.streams_catch.argtypes = [
        c_void_p,  # publisher
        function_address,  # handler
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_map_error.restype = c_void_p
    library.streams_map_error.argtypes = [
        c_void_p,  # publisher
        function_address,  # transform
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_materialize.restype = c_void_p
    library.streams_materialize.argtypes = [
        c_void_p,  # publisher
    ]
    library.streams_dematerialize.restype = c_void_p
    library.streams_dematerialize.argtypes = [
        c_void_p,  # publisher
    ]
    library.streams_event.restype = c_int
    library.streams_event.argtypes = [
        POINTER(streams_value),  # value
        c_void_p,  # error
        POINTER(streams_value),  # out
    ]
    library.streams_replace_error.restype = c_void_p
    library.streams_replace_error.argtypes = [
        c_void_p,  # publisher
        POINTER(streams_value),  # value
    ]
    library.streams_assert_no_failure.restype = c_void_p
    library.streams_assert_no_failure.argtypes = [
        c_void_p,  # publisher
        c_char_p,  # prefix
    ]
    library.streams_retry.restype = c_void_p
    library.streams_retry.argtypes = [
        c_void_p,  # publisher
        c_int64,  # retries
    ]
    library.streams_repeat.restype = c_void_p
    library.streams_repeat.argtypes = [
        c_void_p,  # publisher
        c_uint64,  # times
    ]
    library.streams_handle_events.restype = c_void_p
    library.streams_handle_events.argtypes = [
        c_void_p,  # publisher
        POINTER(streams_event_handlers),  # handlers
    ]
    library.streams_print.restype = c_void_p
    library.streams_print.argtypes = [
        c_void_p,  # publisher
        c_char_p,  # prefix
        function_address,  # write
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_breakpoint.restype = c_void_p
    library.streams_breakpoint.argtypes = [
        c_void_p,  # publisher
        POINTER(streams_breakpoints),  # breakpoints
    ]
    library.streams_breakpoint_on_error.restype = c_void_p
    library.streams_breakpoint_on_error.argtypes = [
        c_void_p,  # publisher
    ]
    library.streams_publisher_describe.restype = c_int
    library.streams_publisher_describe.argtypes = [
        c_void_p,  # publisher
        c_char_p,  # buffer
        c_size_t,  # capacity
        POINTER(c_size_t),  # needed
    ]
    library.streams_track.restype = c_void_p
    library.streams_track.argtypes = [
        c_void_p,  # publisher
        c_char_p,  # label
        function_address,  # write
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_track_subject.restype = c_void_p
    library.streams_track_subject.argtypes = [
        c_void_p,  # subject
        c_char_p,  # label
        function_address,  # write
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_trace_start.restype = None
    library.streams_trace_start.argtypes = [
        function_address,  # write
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_trace_stop.restype = None
    library.streams_trace_stop.argtypes = []
    library.streams_warn_about_drops.restype = None
    library.streams_warn_about_drops.argtypes = [
        c_bool,  # is_on
    ]
    library.streams_watch_streams.restype = None
    library.streams_watch_streams.argtypes = [
        c_bool,  # is_on
    ]
    library.streams_live_streams.restype = c_int
    library.streams_live_streams.argtypes = [
        c_char_p,  # buffer
        c_size_t,  # capacity
        POINTER(c_size_t),  # needed
    ]
    library.streams_trace_to_file.restype = c_int
    library.streams_trace_to_file.argtypes = [
        c_char_p,  # path
    ]
    library.streams_label.restype = c_int
    library.streams_label.argtypes = [
        c_void_p,  # handle
        c_char_p,  # label
        c_char_p,  # place
    ]
    library.streams_share.restype = c_void_p
    library.streams_share.argtypes = [
        c_void_p,  # publisher
    ]
    library.streams_share_replay.restype = c_void_p
    library.streams_share_replay.argtypes = [
        c_void_p,  # publisher
        c_uint64,  # buffer_size
    ]
    library.streams_make_connectable.restype = c_void_p
    library.streams_make_connectable.argtypes = [
        c_void_p,  # publisher
    ]
    library.streams_multicast.restype = c_void_p
    library.streams_multicast.argtypes = [
        c_void_p,  # publisher
        c_void_p,  # subject
    ]
    library.streams_connectable_publisher.restype = c_void_p
    library.streams_connectable_publisher.argtypes = [
        c_void_p,  # connectable
    ]
    library.streams_connect.restype = c_void_p
    library.streams_connect.argtypes = [
        c_void_p,  # connectable
    ]
    library.streams_autoconnect.restype = c_void_p
    library.streams_autoconnect.argtypes = [
        c_void_p,  # connectable
    ]
    library.streams_immediate_scheduler_create.restype = c_void_p
    library.streams_immediate_scheduler_create.argtypes = []
    library.streams_virtual_scheduler_create.restype = c_void_p
    library.streams_virtual_scheduler_create.argtypes = []
    library.streams_virtual_scheduler_advance.restype = c_int
    library.streams_virtual_scheduler_advance.argtypes = [
        c_void_p,  # scheduler
        c_int64,  # time
    ]
    library.streams_virtual_scheduler_run.restype = c_int
    library.streams_virtual_scheduler_run.argtypes = [
        c_void_p,  # scheduler
    ]
    library.streams_loop_create.restype = c_void_p
    library.streams_loop_create.argtypes = []
    library.streams_loop_descriptor.restype = c_int32
    library.streams_loop_descriptor.argtypes = [
        c_void_p,  # loop
    ]
    library.streams_loop_run_once.restype = c_int
    library.streams_loop_run_once.argtypes = [
        c_void_p,  # loop
        c_int64,  # timeout
    ]
    library.streams_loop_run_until.restype = c_int
    library.streams_loop_run_until.argtypes = [
        c_void_p,  # loop
        c_int64,  # time
    ]
    library.streams_loop_run.restype = c_int
    library.streams_loop_run.argtypes = [
        c_void_p,  # loop
    ]
    library.streams_loop_stop.restype = c_int
    library.streams_loop_stop.argtypes = [
        c_void_p,  # loop
    ]
    library.streams_queue_create.restype = c_void_p
    library.streams_queue_create.argtypes = []
    library.streams_pool_create.restype = c_void_p
    library.streams_pool_create.argtypes = [
        c_size_t,  # threads
    ]
    library.streams_pool_queue.restype = c_void_p
    library.streams_pool_queue.argtypes = [
        c_void_p,  # pool
    ]
    library.streams_custom_scheduler_create.restype = c_void_p
    library.streams_custom_scheduler_create.argtypes = [
        POINTER(streams_custom_scheduler),  # scheduler
    ]
    library.streams_action_run.restype = c_int
    library.streams_action_run.argtypes = [
        c_void_p,  # action
    ]
    library.streams_action_reject.restype = c_int
    library.streams_action_reject.argtypes = [
        c_void_p,  # action
        c_void_p,  # error
    ]
    library.streams_scheduler_now.restype = c_int64
    library.streams_scheduler_now.argtypes = [
        c_void_p,  # scheduler
    ]
    library.streams_scheduler_schedule.restype = c_uint64
    library.streams_scheduler_schedule.argtypes = [
        c_void_p,  # scheduler
        c_int64,  # time
        function_address,  # action
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_scheduler_cancel.restype = c_int
    library.streams_scheduler_cancel.argtypes = [
        c_void_p,  # scheduler
        c_uint64,  # number
    ]
    library.streams_debounce.restype = c_void_p
    library.streams_debounce.argtypes = [
        c_void_p,  # publisher
        c_int64,  # due_time
        c_void_p,  # scheduler
    ]
    library.streams_delay.restype = c_void_p
    library.streams_delay.argtypes = [
        c_void_p,  # publisher
        c_int64,  # interval
        c_void_p,  # scheduler
    ]
    library.streams_throttle.restype = c_void_p
    library.streams_throttle.argtypes = [
        c_void_p,  # publisher
        c_int64,  # interval
        c_void_p,  # scheduler
        c_bool,  # latest
    ]
    library.streams_timeout.restype = c_void_p
    library.streams_timeout.argtypes = [
        c_void_p,  # publisher
        c_int64,  # interval
        c_void_p,  # scheduler
        c_void_p,  # error
    ]
    library.streams_measure_interval.restype = c_void_p
    library.streams_measure_interval.argtypes = [
        c_void_p,  # publisher
        c_void_p,  # scheduler
    ]
    library.streams_collect_by_time.restype = c_void_p
    library.streams_collect_by_time.argtypes = [
        c_void_p,  # publisher
        c_int64,  # interval
        c_void_p,  # scheduler
    ]
    library.streams_collect_by_time_or_count.restype = c_void_p
    library.streams_collect_by_time_or_count.argtypes = [
        c_void_p,  # publisher
        c_int64,  # interval
        c_int64,  # count
        c_void_p,  # scheduler
    ]
    library.streams_receive_on.restype = c_void_p
    library.streams_receive_on.argtypes = [
        c_void_p,  # publisher
        c_void_p,  # scheduler
    ]
    library.streams_subscribe_on.restype = c_void_p
    library.streams_subscribe_on.argtypes = [
        c_void_p,  # publisher
        c_void_p,  # scheduler
    ]
    library.streams_retry_backoff.restype = c_void_p
    library.streams_retry_backoff.argtypes = [
        c_void_p,  # publisher
        POINTER(streams_backoff),  # backoff
        c_void_p,  # scheduler
        function_address,  # is_worthwhile
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_interval.restype = c_void_p
    library.streams_interval.argtypes = [
        c_int64,  # first
        c_int64,  # interval
        c_uint64,  # count
        c_void_p,  # scheduler
    ]
    library.streams_debouncer_create.restype = c_void_p
    library.streams_debouncer_create.argtypes = [
        c_int64,  # due_time
        c_void_p,  # scheduler
    ]
    library.streams_debouncer_execute.restype = c_int
    library.streams_debouncer_execute.argtypes = [
        c_void_p,  # debouncer
        function_address,  # action
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_throttler_create.restype = c_void_p
    library.streams_throttler_create.argtypes = [
        c_int64,  # interval
        c_void_p,  # scheduler
        c_bool,  # latest
    ]
    library.streams_throttler_execute.restype = c_int
    library.streams_throttler_execute.argtypes = [
        c_void_p,  # throttler
        function_address,  # action
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_group_by.restype = c_void_p
    library.streams_group_by.argtypes = [
        c_void_p,  # publisher
        c_uint64,  # prefetch
        function_address,  # key
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_window_by_count.restype = c_void_p
    library.streams_window_by_count.argtypes = [
        c_void_p,  # publisher
        c_int64,  # count
        c_int64,  # skip
        c_uint64,  # prefetch
    ]
    library.streams_window_by_time.restype = c_void_p
    library.streams_window_by_time.argtypes = [
        c_void_p,  # publisher
        c_int64,  # interval
        c_uint64,  # prefetch
        c_void_p,  # scheduler
    ]
    library.streams_window_by_time_or_count.restype = c_void_p
    library.streams_window_by_time_or_count.argtypes = [
        c_void_p,  # publisher
        c_int64,  # interval
        c_int64,  # count
        c_uint64,  # prefetch
        c_void_p,  # scheduler
    ]
    library.streams_window.restype = c_void_p
    library.streams_window.argtypes = [
        c_void_p,  # publisher
        c_void_p,  # boundaries
        c_uint64,  # prefetch
    ]
    library.streams_value_publisher.restype = c_void_p
    library.streams_value_publisher.argtypes = [
        POINTER(streams_value),  # value
    ]
    library.streams_group_key.restype = c_int
    library.streams_group_key.argtypes = [
        POINTER(streams_value),  # value
        POINTER(streams_value),  # out
    ]
    library.streams_sink.restype = c_void_p
    library.streams_sink.argtypes = [
        c_void_p,  # publisher
        POINTER(streams_subscriber),  # subscriber
    ]
    library.streams_run.restype = c_int
    library.streams_run.argtypes = [
        c_void_p,  # publisher
        POINTER(streams_subscriber),  # subscriber
        c_int64,  # timeout
    ]
    library.streams_catch_up.restype = c_int
    library.streams_catch_up.argtypes = []
    library.streams_assign.restype = c_void_p
    library.streams_assign.argtypes = [
        c_void_p,  # publisher
        c_void_p,  # subject
    ]
    library.streams_subscribe.restype = c_void_p
    library.streams_subscribe.argtypes = [
        c_void_p,  # publisher
        c_void_p,  # subject
    ]
    library.streams_cancel.restype = c_int
    library.streams_cancel.argtypes = [
        c_void_p,  # cancellable
    ]
    library.streams_subscription_request.restype = c_int
    library.streams_subscription_request.argtypes = [
        c_void_p,  # subscription
        c_uint64,  # demand
    ]
    library.streams_subscription_cancel.restype = c_int
    library.streams_subscription_cancel.argtypes = [
        c_void_p,  # subscription
    ]
    library.streams_dropped.restype = c_uint64
    library.streams_dropped.argtypes = [
        c_void_p,  # handle
    ]
    library.streams_observable_object_create.restype = c_void_p
    library.streams_observable_object_create.argtypes = []
    library.streams_observable_object_add.restype = c_int
    library.streams_observable_object_add.argtypes = [
        c_void_p,  # object
        c_char_p,  # name
        POINTER(streams_value),  # initial
    ]
    library.streams_observable_object_get_value.restype = c_int
    library.streams_observable_object_get_value.argtypes = [
        c_void_p,  # object
        c_char_p,  # name
        POINTER(streams_value),  # out
    ]
    library.streams_observable_object_set_value.restype = c_int
    library.streams_observable_object_set_value.argtypes = [
        c_void_p,  # object
        c_char_p,  # name
        POINTER(streams_value),  # value
    ]
    library.streams_observable_object_publisher.restype = c_void_p
    library.streams_observable_object_publisher.argtypes = [
        c_void_p,  # object
        c_char_p,  # name
    ]
    library.streams_observable_object_will_change.restype = c_void_p
    library.streams_observable_object_will_change.argtypes = [
        c_void_p,  # object
    ]
    library.streams_observable_object_send_will_change.restype = c_int
    library.streams_observable_object_send_will_change.argtypes = [
        c_void_p,  # object
    ]
    library.streams_assign_to_published.restype = c_void_p
    library.streams_assign_to_published.argtypes = [
        c_void_p,  # publisher
        c_void_p,  # object
        c_char_p,  # name
    ]
    library.streams_property_create.restype = c_void_p
    library.streams_property_create.argtypes = [
        POINTER(streams_value),  # value
    ]
    library.streams_property_of_subject.restype = c_void_p
    library.streams_property_of_subject.argtypes = [
        c_void_p,  # subject
    ]
    library.streams_property_of_publisher.restype = c_void_p
    library.streams_property_of_publisher.argtypes = [
        POINTER(streams_value),  # initial
        c_void_p,  # then
    ]
    library.streams_property_get_value.restype = c_int
    library.streams_property_get_value.argtypes = [
        c_void_p,  # property
        POINTER(streams_value),  # out
    ]
    library.streams_property_all_values.restype = c_void_p
    library.streams_property_all_values.argtypes = [
        c_void_p,  # property
    ]
    library.streams_property_subsequent_values.restype = c_void_p
    library.streams_property_subsequent_values.argtypes = [
        c_void_p,  # property
    ]
    library.streams_property_map.restype = c_void_p
    library.streams_property_map.argtypes = [
        c_void_p,  # property
        function_address,  # transform
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_property_filter.restype = c_void_p
    library.streams_property_filter.argtypes = [
        c_void_p,  # property
        POINTER(streams_value),  # initial_fallback
        function_address,  # predicate
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_property_compact_map.restype = c_void_p
    library.streams_property_compact_map.argtypes = [
        c_void_p,  # property
        POINTER(streams_value),  # initial_fallback
        function_address,  # transform
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_property_scan.restype = c_void_p
    library.streams_property_scan.argtypes = [
        c_void_p,  # property
        POINTER(streams_value),  # initial
        function_address,  # combine
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_property_remove_duplicates.restype = c_void_p
    library.streams_property_remove_duplicates.argtypes = [
        c_void_p,  # property
        function_address,  # is_same
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_property_flat_map.restype = c_void_p
    library.streams_property_flat_map.argtypes = [
        c_void_p,  # property
        function_address,  # transform
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_property_receive_on.restype = c_void_p
    library.streams_property_receive_on.argtypes = [
        c_void_p,  # property
        c_void_p,  # scheduler
    ]
    library.streams_property_combine_latest.restype = c_void_p
    library.streams_property_combine_latest.argtypes = [
        POINTER(c_void_p),  # properties
        c_size_t,  # count
        function_address,  # combine
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_property_zip.restype = c_void_p
    library.streams_property_zip.argtypes = [
        POINTER(c_void_p),  # properties
        c_size_t,  # count
        function_address,  # combine
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_binding_create.restype = c_void_p
    library.streams_binding_create.argtypes = [
        function_address,  # get
        function_address,  # set
        c_void_p,  # context
        function_address,  # destroy
        c_void_p,  # changes
    ]
    library.streams_binding_constant.restype = c_void_p
    library.streams_binding_constant.argtypes = [
        POINTER(streams_value),  # value
    ]
    library.streams_binding_of_subject.restype = c_void_p
    library.streams_binding_of_subject.argtypes = [
        c_void_p,  # subject
    ]
    library.streams_observable_object_binding.restype = c_void_p
    library.streams_observable_object_binding.argtypes = [
        c_void_p,  # object
        c_char_p,  # name
    ]
    library.streams_binding_get_value.restype = c_int
    library.streams_binding_get_value.argtypes = [
        c_void_p,  # binding
        POINTER(streams_value),  # out
    ]
    library.streams_binding_set_value.restype = c_int
    library.streams_binding_set_value.argtypes = [
        c_void_p,  # binding
        POINTER(streams_value),  # value
    ]
    library.streams_binding_values.restype = c_void_p
    library.streams_binding_values.argtypes = [
        c_void_p,  # binding
    ]
    library.streams_binding_property.restype = c_void_p
    library.streams_binding_property.argtypes = [
        c_void_p,  # binding
    ]
    library.streams_binding_map.restype = c_void_p
    library.streams_binding_map.argtypes = [
        c_void_p,  # binding
        function_address,  # get
        function_address,  # set
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_binding_part.restype = c_void_p
    library.streams_binding_part.argtypes = [
        c_void_p,  # binding
        function_address,  # get
        function_address,  # set
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_binding_element.restype = c_void_p
    library.streams_binding_element.argtypes = [
        c_void_p,  # binding
        c_size_t,  # index
    ]
    library.streams_assign_to_binding.restype = c_void_p
    library.streams_assign_to_binding.argtypes = [
        c_void_p,  # publisher
        c_void_p,  # binding
    ]
    library.streams_scope_tree_create.restype = c_void_p
    library.streams_scope_tree_create.argtypes = [
        c_void_p,  # scheduler
        POINTER(streams_value),  # input
        function_address,  # body
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_scope_tree_update.restype = c_int
    library.streams_scope_tree_update.argtypes = [
        c_void_p,  # tree
    ]
    library.streams_scope_tree_updates.restype = c_void_p
    library.streams_scope_tree_updates.argtypes = [
        c_void_p,  # tree
    ]
    library.streams_scope_tree_get_shown.restype = c_int
    library.streams_scope_tree_get_shown.argtypes = [
        c_void_p,  # tree
        POINTER(streams_value),  # out
    ]
    library.streams_scope_tree_set_environment_value.restype = c_int
    library.streams_scope_tree_set_environment_value.argtypes = [
        c_void_p,  # tree
        c_char_p,  # key
        POINTER(streams_value),  # value
    ]
    library.streams_scope_child.restype = c_int
    library.streams_scope_child.argtypes = [
        c_void_p,  # scope
        POINTER(streams_value),  # key
        POINTER(streams_value),  # input
        function_address,  # body
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_scope_state.restype = c_void_p
    library.streams_scope_state.argtypes = [
        c_void_p,  # scope
        c_char_p,  # name
        POINTER(streams_value),  # initial
    ]
    library.streams_scope_task.restype = c_int
    library.streams_scope_task.argtypes = [
        c_void_p,  # scope
        c_char_p,  # name
        POINTER(streams_value),  # input
        function_address,  # action
        c_void_p,  # context
        function_address,  # destroy
    ]
    library.streams_scope_get_environment_value.restype = c_int
    library.streams_scope_get_environment_value.argtypes = [
        c_void_p,  # scope
        c_char_p,  # key
        POINTER(streams_value),  # out
    ]
    library.streams_scope_set_environment_value.restype = c_int
    library.streams_scope_set_environment_value.argtypes = [
        c_void_p,  # scope
        c_char_p,  # key
        POINTER(streams_value),  # value
    ]
    library.streams_scope_invalidate.restype = c_int
    library.streams_scope_invalidate.argtypes = [
        c_void_p,  # scope
    ]
    library.streams_host_register.restype = c_int
    library.streams_host_register.argtypes = [
        POINTER(streams_host),  # table
        POINTER(c_uint32),  # host
    ]
    library.streams_host_retire.restype = c_int
    library.streams_host_retire.argtypes = [
        c_uint32,  # host
    ]
    library.streams_host_values.restype = c_int
    library.streams_host_values.argtypes = [
        c_uint32,  # host
        POINTER(c_void_p),  # objects
        c_size_t,  # count
        POINTER(streams_value),  # values
    ]
    library.streams_host_numbers.restype = c_int
    library.streams_host_numbers.argtypes = [
        c_uint32,  # host
        c_void_p,  # object
        POINTER(streams_value),  # out
    ]
    library.streams_host_object.restype = c_void_p
    library.streams_host_object.argtypes = [
        c_uint32,  # host
        POINTER(streams_value),  # value
    ]
    library.streams_host_send.restype = c_int
    library.streams_host_send.argtypes = [
        c_void_p,  # subject
        c_uint32,  # host
        py_object,  # object
    ]
    library.streams_host_send_objects.restype = c_int
    library.streams_host_send_objects.argtypes = [
        c_void_p,  # subject
        c_uint32,  # host
        POINTER(c_void_p),  # objects
        c_size_t,  # count
    ]
    library.streams_host_send_numbers.restype = c_int
    library.streams_host_send_numbers.argtypes = [
        c_void_p,  # subject
        c_uint32,  # host
        py_object,  # object
    ]
    library.streams_host_send_method.restype = streams_method_fn
    library.streams_host_send_method.argtypes = [
        c_uint32,  # host
        c_void_p,  # raise
        c_ssize_t,  # offset
    ]
    library.streams_host_close_method.restype = streams_method_fn
    library.streams_host_close_method.argtypes = [
        c_uint32,  # host
        c_void_p,  # raise
        c_ssize_t,  # offset
    ]
    library.streams_host_value_getter.restype = streams_method_fn
    library.streams_host_value_getter.argtypes = [
        c_uint32,  # host
        c_void_p,  # raise
        c_ssize_t,  # offset
    ]
    library.streams_host_value_setter.restype = streams_setter_fn
    library.streams_host_value_setter.argtypes = [
        c_uint32,  # host
        c_void_p,  # raise
        c_ssize_t,  # offset
    ]
    library.streams_host_call.restype = streams_call_fn
    library.streams_host_call.argtypes = [
        c_uint32,  # host
        c_void_p,  # raise
        c_ssize_t,  # offset
    ]
    library.streams_host_emit.restype = c_int
    library.streams_host_emit.argtypes = [
        c_void_p,  # emitter
        c_uint32,  # host
        POINTER(c_void_p),  # objects
        c_size_t,  # count
        POINTER(c_size_t),  # taken
    ]
    library.streams_host_publisher.restype = c_void_p
    library.streams_host_publisher.argtypes = [
        c_uint32,  # host
        py_object,  # iterable
    ]
    library.streams_host_source.restype = c_int
    library.streams_host_source.argtypes = [
        c_uint32,  # host
        c_void_p,  # open
        c_void_p,  # produce
        c_void_p,  # close
        POINTER(streams_source),  # out
    ]
    library.streams_host_operator.restype = c_int
    library.streams_host_operator.argtypes = [
        c_uint32,  # host
        c_void_p,  # open
        c_void_p,  # on_value
        c_void_p,  # on_completion
        c_void_p,  # close
        POINTER(streams_operator),  # out
    ]
    library.streams_host_scheduler.restype = c_int
    library.streams_host_scheduler.argtypes = [
        c_uint32,  # host
        c_void_p,  # now
        c_void_p,  # schedule
        c_void_p,  # cancel
        POINTER(streams_custom_scheduler),  # out
    ]
    library.streams_host_keep_scheduler.restype = c_int
    library.streams_host_keep_scheduler.argtypes = [
        c_uint32,  # host
        c_void_p,  # scheduler
        c_void_p,  # weak
    ]
    library.streams_callable_create.restype = c_void_p
    library.streams_callable_create.argtypes = [
        c_uint32,  # host
        py_object,  # function
    ]
    library.streams_callable_destroy.restype = None
    library.streams_callable_destroy.argtypes = [
        c_void_p,  # callable
    ]
    library.streams_callable_transform.restype = c_int
    library.streams_callable_transform.argtypes = [
        c_void_p,  # callable
        POINTER(streams_value),  # in
        POINTER(streams_value),  # out
    ]
    library.streams_callable_transform_batch.restype = c_int
    library.streams_callable_transform_batch.argtypes = [
        c_void_p,  # callable
        POINTER(streams_value),  # in
        POINTER(streams_value),  # out
    ]
    library.streams_callable_get_value.restype = c_int
    library.streams_callable_get_value.argtypes = [
        c_void_p,  # callable
        POINTER(streams_value),  # out
    ]
    library.streams_callable_set_value.restype = c_int
    library.streams_callable_set_value.argtypes = [
        c_void_p,  # callable
        POINTER(streams_value),  # value
    ]
    library.streams_callable_body.restype = c_int
    library.streams_callable_body.argtypes = [
        c_void_p,  # callable
        c_void_p,  # scope
        POINTER(streams_value),  # input
        POINTER(streams_value),  # out
    ]
    library.streams_callable_predicate.restype = c_int
    library.streams_callable_predicate.argtypes = [
        c_void_p,  # callable
        POINTER(streams_value),  # in
        POINTER(c_bool),  # result
    ]
    library.streams_callable_compare.restype = c_int
    library.streams_callable_compare.argtypes = [
        c_void_p,  # callable
        POINTER(streams_value),  # previous
        POINTER(streams_value),  # current
        POINTER(c_bool),  # same
    ]
    library.streams_callable_order.restype = c_int
    library.streams_callable_order.argtypes = [
        c_void_p,  # callable
        POINTER(streams_value),  # first
        POINTER(streams_value),  # second
        POINTER(c_bool),  # is_before
    ]
    library.streams_callable_combine.restype = c_int
    library.streams_callable_combine.argtypes = [
        c_void_p,  # callable
        POINTER(streams_value),  # accumulated
        POINTER(streams_value),  # in
        POINTER(streams_value),  # out
    ]
    library.streams_callable_combine_values.restype = c_int
    library.streams_callable_combine_values.argtypes = [
        c_void_p,  # callable
        POINTER(streams_value),  # values
        c_size_t,  # count
        POINTER(streams_value),  # out
    ]
    library.streams_callable_expand.restype = c_int
    library.streams_callable_expand.argtypes = [
        c_void_p,  # callable
        POINTER(streams_value),  # in
        POINTER(c_void_p),  # out
    ]
    library.streams_callable_expand_property.restype = c_int
    library.streams_callable_expand_property.argtypes = [
        c_void_p,  # callable
        POINTER(streams_value),  # in
        POINTER(c_void_p),  # out
    ]
    library.streams_callable_recover.restype = c_int
    library.streams_callable_recover.argtypes = [
        c_void_p,  # callable
        c_void_p,  # error
        POINTER(c_void_p),  # out
    ]
    library.streams_callable_transform_error.restype = c_int
    library.streams_callable_transform_error.argtypes = [
        c_void_p,  # callable
        c_void_p,  # error
        POINTER(c_void_p),  # out
    ]
    library.streams_callable_make_publisher.restype = c_int
    library.streams_callable_make_publisher.argtypes = [
        c_void_p,  # callable
        POINTER(c_void_p),  # out
    ]
    library.streams_callable_make_error.restype = c_int
    library.streams_callable_make_error.argtypes = [
        c_void_p,  # callable
        POINTER(c_void_p),  # out
    ]
    library.streams_callable_error_predicate.restype = c_int
    library.streams_callable_error_predicate.argtypes = [
        c_void_p,  # callable
        c_void_p,  # error
        POINTER(c_bool),  # result
    ]
    library.streams_callable_write.restype = None
    library.streams_callable_write.argtypes = [
        c_void_p,  # callable
        c_char_p,  # text
        c_size_t,  # length
    ]
    library.streams_callable_action.restype = None
    library.streams_callable_action.argtypes = [
        c_void_p,  # callable
    ]
    library.streams_host_subscriber.restype = c_int
    library.streams_host_subscriber.argtypes = [
        c_uint32,  # host
        POINTER(streams_host_callables),  # callables
        c_uint64,  # demand
        POINTER(streams_subscriber),  # out
    ]
    library.streams_host_sink.restype = c_void_p
    library.streams_host_sink.argtypes = [
        c_void_p,  # publisher
        c_uint32,  # host
        c_uint64,  # demand
        py_object,  # on_value
        py_object,  # on_completion
        c_void_p,  # owner
        function_address,  # call_value
    ]
    library.streams_host_owner_finalizer.restype = streams_finalizer_fn
    library.streams_host_owner_finalizer.argtypes = [
        c_uint32,  # host
        c_ssize_t,  # offset
    ]
    library.streams_host_event_handlers.restype = c_int
    library.streams_host_event_handlers.argtypes = [
        c_uint32,  # host
        POINTER(streams_host_callables),  # callables
        POINTER(streams_event_handlers),  # out
    ]


FUNCTIONS: tuple[str, ...] = (
    "streams_version",
    "streams_version_string",
    "streams_status_name",
    "streams_last_status",
    "streams_last_function",
    "streams_last_message",
    "streams_clear_last_error",
    "streams_set_last_error",
    "streams_retain",
    "streams_release",
    "streams_handle_kind",
    "streams_live_handles",
    "streams_value_copy",
    "streams_value_destroy",
    "streams_value_equal",
    "streams_value_hash",
    "streams_value_compare",
    "streams_value_describe",
    "streams_value_string",
    "streams_value_bytes",
    "streams_value_string_nocopy",
    "streams_value_bytes_nocopy",
    "streams_value_int64s_nocopy",
    "streams_value_doubles_nocopy",
    "streams_value_slice",
    "streams_value_c_string",
    "streams_value_list",
    "streams_value_object",
    "streams_value_object_type",
    "streams_error_create",
    "streams_error_code",
    "streams_error_number",
    "streams_error_domain",
    "streams_error_message",
    "streams_error_object",
    "streams_last_error",
    "streams_callback_fail",
    "streams_just",
    "streams_empty",
    "streams_fail",
    "streams_sequence",
    "streams_sequence_int64s",
    "streams_sequence_doubles",
    "streams_sequence_numbers",
    "streams_record",
    "streams_deferred",
    "streams_publisher_create",
    "streams_emitter_send",
    "streams_emitter_send_values",
    "streams_emitter_finish",
    "streams_emitter_fail",
    "streams_emitter_demand",
    "streams_emitter_refusals",
    "streams_emitter_wake",
    "streams_lift",
    "streams_passthrough_subject_create",
    "streams_current_value_subject_create",
    "streams_replay_subject_create",
    "streams_subject_send",
    "streams_subject_send_values",
    "streams_subject_send_int64s",
    "streams_subject_send_doubles",
    "streams_subject_send_numbers",
    "streams_subject_send_completion",
    "streams_current_value_subject_get_value",
    "streams_current_value_subject_set_value",
    "streams_subject_publisher",
    "streams_promise_create",
    "streams_promise_publisher",
    "streams_promise_resolve",
    "streams_promise_reject",
    "streams_map",
    "streams_filter",
    "streams_compact_map",
    "streams_map_batch",
    "streams_encode",
    "streams_decode",
    "streams_remove_duplicates",
    "streams_remove_duplicates_by",
    "streams_distinct",
    "streams_distinct_by",
    "streams_replace_nil",
    "streams_scan",
    "streams_pairwise",
    "streams_reduce",
    "streams_count",
    "streams_sum",
    "streams_min",
    "streams_max",
    "streams_min_by",
    "streams_max_by",
    "streams_contains",
    "streams_contains_where",
    "streams_all_satisfy",
    "streams_collect",
    "streams_collect_count",
    "streams_buffer",
    "streams_buffer_or_fail",
    "streams_prefix",
    "streams_drop_first",
    "streams_drop_while",
    "streams_prefix_while",
    "streams_first",
    "streams_first_where",
    "streams_last",
    "streams_last_where",
    "streams_output_at",
    "streams_output_in",
    "streams_drop_until_output",
    "streams_prefix_until_output",
    "streams_ignore_output",
    "streams_replace_empty",
    "streams_flat_map",
    "streams_concat_map",
    "streams_switch_to_latest",
    "streams_merge",
    "streams_amb",
    "streams_combine_latest",
    "streams_combine_latest_with",
    "streams_zip",
    "streams_zip_with",
    "streams_with_latest_from",
    "streams_with_latest_from_with",
    "streams_sample",
    "streams_append",
    "streams_prepend",
    "streams_catch",
    "streams_map_error",
    "streams_materialize",
    "streams_dematerialize",
    "streams_event",
    "streams_replace_error",
    "streams_assert_no_failure",
    "streams_retry",
    "streams_repeat",
    "streams_handle_events",
    "streams_print",
    "streams_breakpoint",
    "streams_breakpoint_on_error",
    "streams_publisher_describe",
    "streams_track",
    "streams_track_subject",
    "streams_trace_start",
    "streams_trace_stop",
    "streams_warn_about_drops",
    "streams_watch_streams",
    "streams_live_streams",
    "streams_trace_to_file",
    "streams_label",
    "streams_share",
    "streams_share_replay",
    "streams_make_connectable",
    "streams_multicast",
    "streams_connectable_publisher",
    "streams_connect",
    "streams_autoconnect",
    "streams_immediate_scheduler_create",
    "streams_virtual_scheduler_create",
    "streams_virtual_scheduler_advance",
    "streams_virtual_scheduler_run",
    "streams_loop_create",
    "streams_loop_descriptor",
    "streams_loop_run_once",
    "streams_loop_run_until",
    "streams_loop_run",
    "streams_loop_stop",
    "streams_queue_create",
    "streams_pool_create",
    "streams_pool_queue",
    "streams_custom_scheduler_create",
    "streams_action_run",
    "streams_action_reject",
    "streams_scheduler_now",
    "streams_scheduler_schedule",
    "streams_scheduler_cancel",
    "streams_debounce",
    "streams_delay",
    "streams_throttle",
    "streams_timeout",
    "streams_measure_interval",
    "streams_collect_by_time",
    "streams_collect_by_time_or_count",
    "streams_receive_on",
    "streams_subscribe_on",
    "streams_retry_backoff",
    "streams_interval",
    "streams_debouncer_create",
    "streams_debouncer_execute",
    "streams_throttler_create",
    "streams_throttler_execute",
    "streams_group_by",
    "streams_window_by_count",
    "streams_window_by_time",
    "streams_window_by_time_or_count",
    "streams_window",
    "streams_value_publisher",
    "streams_group_key",
    "streams_sink",
    "streams_run",
    "streams_catch_up",
    "streams_assign",
    "streams_subscribe",
    "streams_cancel",
    "streams_subscription_request",
    "streams_subscription_cancel",
    "streams_dropped",
    "streams_observable_object_create",
    "streams_observable_object_add",
    "streams_observable_object_get_value",
    "streams_observable_object_set_value",
    "streams_observable_object_publisher",
    "streams_observable_object_will_change",
    "streams_observable_object_send_will_change",
    "streams_assign_to_published",
    "streams_property_create",
    "streams_property_of_subject",
    "streams_property_of_publisher",
    "streams_property_get_value",
    "streams_property_all_values",
    "streams_property_subsequent_values",
    "streams_property_map",
    "streams_property_filter",
    "streams_property_compact_map",
    "streams_property_scan",
    "streams_property_remove_duplicates",
    "streams_property_flat_map",
    "streams_property_receive_on",
    "streams_property_combine_latest",
    "streams_property_zip",
    "streams_binding_create",
    "streams_binding_constant",
    "streams_binding_of_subject",
    "streams_observable_object_binding",
    "streams_binding_get_value",
    "streams_binding_set_value",
    "streams_binding_values",
    "streams_binding_property",
    "streams_binding_map",
    "streams_binding_part",
    "streams_binding_element",
    "streams_assign_to_binding",
    "streams_scope_tree_create",
    "streams_scope_tree_update",
    "streams_scope_tree_updates",
    "streams_scope_tree_get_shown",
    "streams_scope_tree_set_environment_value",
    "streams_scope_child",
    "streams_scope_state",
    "streams_scope_task",
    "streams_scope_get_environment_value",
    "streams_scope_set_environment_value",
    "streams_scope_invalidate",
    "streams_host_register",
    "streams_host_retire",
    "streams_host_values",
    "streams_host_numbers",
    "streams_host_object",
    "streams_host_send",
    "streams_host_send_objects",
    "streams_host_send_numbers",
    "streams_host_send_method",
    "streams_host_close_method",
    "streams_host_value_getter",
    "streams_host_value_setter",
    "streams_host_call",
    "streams_host_emit",
    "streams_host_publisher",
    "streams_host_source",
    "streams_host_operator",
    "streams_host_scheduler",
    "streams_host_keep_scheduler",
    "streams_callable_create",
    "streams_callable_destroy",
    "streams_callable_transform",
    "streams_callable_transform_batch",
    "streams_callable_get_value",
    "streams_callable_set_value",
    "streams_callable_body",
    "streams_callable_predicate",
    "streams_callable_compare",
    "streams_callable_order",
    "streams_callable_combine",
    "streams_callable_combine_values",
    "streams_callable_expand",
    "streams_callable_expand_property",
    "streams_callable_recover",
    "streams_callable_transform_error",
    "streams_callable_make_publisher",
    "streams_callable_make_error",
    "streams_callable_error_predicate",
    "streams_callable_write",
    "streams_callable_action",
    "streams_host_subscriber",
    "streams_host_sink",
    "streams_host_owner_finalizer",
    "streams_host_event_handlers",
)
