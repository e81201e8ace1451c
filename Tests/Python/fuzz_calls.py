"""How the fuzzer calls what it has never seen: every operator of Publisher, found by looking, with arguments by their
annotations. One whose parameters it cannot fill in fails, so that nothing new is left out in silence."""

import datetime
import inspect
import json
import re

import streams


def operators():
    """Every public method of Publisher that makes a publisher, by name."""
    found = {}
    for name, function in inspect.getmembers(streams.Publisher, inspect.isfunction):
        result = str(function.__annotations__.get("return", ""))
        is_operator = re.search(r"(Publisher|Connectable)\[", result)
        if not name.startswith("_") and name != "map_async" and is_operator:  # see Programs.loop
            found[name] = function
    return found


def arguments(name, function, choose):
    """Positional and keyword arguments for an operator. `choose` has a method for each kind of thing."""
    positional, keyword = [], {}
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        annotation = str(parameter.annotation)
        if parameter.kind is parameter.VAR_POSITIONAL:
            positional += choose.publishers()
            continue
        if parameter.default is not parameter.empty and choose.omits():
            if parameter.kind is not parameter.KEYWORD_ONLY:
                break  # whatever follows is left out too
            continue
        value = one(f"{name}({parameter.name})", annotation, parameter.name, choose)
        if parameter.kind is parameter.KEYWORD_ONLY:
            keyword[parameter.name] = value
        else:
            positional.append(value)
    return positional, keyword


def one(where, annotation, name, choose):
    annotation = annotation.replace(" | None", "")
    callback = re.match(r"Callable\[(\[.*\]|\.\.\.), (.*)\]$", annotation)
    if callback:
        return choose.callback(callback[2])
    words = re.findall(r"'(\w+)'", annotation) if "Literal[" in annotation else []
    if words:
        return choose.one_of([*words, choose.callback("BaseException")] if "Callable" in annotation else words)
    if "Subject[" in annotation:
        return choose.subject()
    if name in ("encoder", "decoder"):
        return choose.one_of([json, str])
    if annotation == "int":
        return choose.count()
    if annotation == "bool":
        return choose.flag()
    if annotation == "BaseException":
        return choose.error()
    if annotation == "str":
        return choose.text()
    if annotation in ("U", "object"):
        return choose.value()
    if "Publisher[" in annotation:
        return choose.publisher()
    if annotation == "Seconds":
        # What comes at the end of each interval would come in each nanosecond of the seconds that pass.
        return choose.seconds() or (1 if name == "interval" else 0)
    if annotation == "Backoff":
        # Without a wait, or without an end, a stream that fails is retried for as long as the fuzzer runs.
        seconds = choose.seconds()
        delay = seconds.total_seconds() if isinstance(seconds, datetime.timedelta) else seconds
        return streams.Backoff(max(1, delay), min(3, abs(choose.count())))
    if annotation == "Scheduler":
        return choose.scheduler()
    if name == "to":
        return choose.file()
    raise AssertionError(f"{where}: {annotation}: teach fuzz_calls.one() to make such an argument")
