"""Names of operators in other libraries: the AttributeError for one of them names the operator here."""

from __future__ import annotations

from typing import Any

# RxPY's names of operators with another name here. Tests compare them with the catalogue.
RXPY: dict[str, str] = {
    "all": "all_satisfy",
    "buffer_with_count": "collect",
    "buffer_with_time": "collect_by_time",
    "buffer_with_time_or_count": "collect_by_time_or_count",
    "concat": "append",
    "create": "lift",
    "default_if_empty": "replace_empty",
    "distinct_until_changed": "remove_duplicates",
    "do_action": "handle_events",
    "element_at": "output_at",
    "ignore_elements": "ignore_output",
    "observe_on": "receive_on",
    "publish": "make_connectable",
    "replay": "share",
    "skip": "drop_first",
    "skip_until": "drop_until_output",
    "skip_while": "drop_while",
    "slice": "output_in",
    "some": "contains_where",
    "start_with": "prepend",
    "switch_latest": "switch_to_latest",
    "take": "prefix",
    "take_until": "prefix_until_output",
    "take_while": "prefix_while",
    "throttle_first": "throttle",
    "time_interval": "measure_interval",
    "to_iterable": "iterate",
    "to_list": "collect",
    "window_with_count": "window_by_count",
    "window_with_time": "window_by_time",
    "window_with_time_or_count": "window_by_time_or_count",
}
# Other names in Swift, in related libraries, or in Python's own; a sentence where no method fits.
GUESSED: dict[str, str] = {
    "as_observable": "nothing: who is given subject.map(...) or another operator's publisher cannot send",
    "buffer_count": "collect",
    "cancel": "the cancel of what sink returns",
    "connect": "make_connectable, whose result has connect",
    "dispose": "the cancel of what sink returns",
    "do": "handle_events",
    "drop": "drop_first",
    "enumerate": "zip with from_iterable(itertools.count())",
    "exhaust_map": "flat_map with max_publishers=1",
    "finally_action": "handle_events with receive_completion and receive_cancel",
    "flatten": "flat_map",
    "for_each": "sink",
    "head": "prefix",
    "limit": "prefix",
    "on_completed": "finish, of subjects",
    "on_error": "fail, of subjects",
    "on_next": "send, of subjects",
    "result": "first_value, or run for the last one",
    "starmap": "map with lambda pair: function(*pair)",
    "switch_map": "switch_to_latest with a function",
    "tap": "handle_events",
    "throttle_last": "sample, or throttle",
    "to_list": "collect, or list(publisher) for the values themselves",
    "to_set": "collect().map(set)",
    "where": "filter",
}


def instead(name: str) -> str:
    """The advice for a name that publishers lack; empty if the name is unknown."""
    found = GUESSED.get(name) or RXPY.get(name)
    return f"; here it is {found}" if found else ""


def refuse(owner: object, name: str) -> Any:
    """Raises an AttributeError, as Python does, that names the right operator."""
    raise AttributeError(f"{type(owner).__name__!r} object has no attribute {name!r}{instead(name)}")
