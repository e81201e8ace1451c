"""The rows that are measured: name, ours, the peer's, how many times as fast ours is to be."""

import array
import importlib.util

from observed import observed_rows
from pipelines import (
    BATCH,
    VALUES,
    add_one,
    aiostream_loop,
    async_for,
    five_maps,
    go_through,
    ignore,
    is_even,
    listed,
    mapped,
    numpy_alone,
    pipe,
    rx_build,
    rx_fan_out,
    rx_flat_map,
    rx_generator,
    rx_iterated,
    rx_sequence,
    rx_subject,
    rx_subscribe,
    rx_values,
    streams_batch,
    streams_batch_sink,
    streams_build,
    streams_fan_out,
    streams_flat_map,
    streams_generator,
    streams_iterated,
    streams_map_batch,
    streams_sequence,
    streams_subject,
    streams_subscribe,
    streams_values,
)
from reactivex import operators as ops
from scheduled import rx_debounce, rx_observe_on, streams_debounce, streams_receive_on
from timers import timer_rows

NUMBERS = array.array("d", range(BATCH))
ROWS = [
    # name, ours, reactivex's, how many times as fast it is to be
    ("subject → sink", lambda: streams_subject(lambda p: p), lambda: rx_subject(pipe()), 1.7),
    (
        "subject → map → filter → sink",
        lambda: streams_subject(lambda p: p.map(add_one).filter(is_even)),
        lambda: rx_subject(pipe(ops.map(add_one), ops.filter(is_even))),
        2.0,
    ),
    (
        "subject → 5 × map → sink",
        lambda: streams_subject(five_maps),
        lambda: rx_subject(pipe(*[ops.map(add_one)] * 5)),
        2.0,
    ),
    ("sequence → map → filter → sink", streams_sequence, rx_sequence, 2.3),
    ("iterator → map → filter → sink", streams_generator, rx_generator, 1.8),
    (
        "for, over iterator → map / subscribe",
        lambda: streams_iterated(go_through),
        lambda: rx_iterated(lambda: ignore),
        1.0,
    ),
    ("list(iterator → map) / subscribe", lambda: streams_iterated(list), lambda: rx_iterated(listed), 1.0),
    ("subject → flat_map(just) → sink", streams_flat_map, rx_flat_map, 5.0),
    ("subject → 100 sinks", streams_fan_out, rx_fan_out, None),
    ("subscribe to subject → map → filter, cancel", streams_subscribe, rx_subscribe, 4.5),
    ("build subject → map → filter, subscribe, cancel", streams_build, rx_build, 2.7),
    ("100,000 numbers of an array → batch sink", streams_batch(NUMBERS), rx_values(pipe()), 100.0),
    ("100,000 numbers of a list → batch sink", streams_batch(NUMBERS.tolist()), rx_values(pipe()), None),
    ("100,000 objects → batch sink", streams_batch(list(map(str, NUMBERS))), rx_values(pipe()), 4.0),
    (
        "100,000 numbers → map → filter → batch sink",
        streams_batch_sink(NUMBERS),
        rx_values(pipe(ops.map(add_one), ops.filter(is_even))),
        None,
    ),
    ("async for, buffer of 256 / async generator", streams_values(256), async_for(mapped, VALUES), 0.33),
    ("async for, buffer of 1 / async generator", streams_values(1), async_for(mapped, VALUES), None),
    ("subject → debounce → sink", streams_debounce, rx_debounce, 3.0),
    ("subject → receive_on → sink / observe_on", streams_receive_on, rx_observe_on, None),
    *timer_rows(),
    *observed_rows(),
]
if importlib.util.find_spec("numpy"):
    ROWS.append(("an array of 100,000 → map_batch → batch sink / numpy", streams_map_batch, numpy_alone, 0.83))
if importlib.util.find_spec("aiostream"):
    row = ("async for, buffer of 256 / aiostream", streams_values(256), async_for(aiostream_loop, VALUES), None)
    ROWS.append(row)
