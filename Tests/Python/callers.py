"""Operators that call a function, by their names: what makes each of a publisher and that function."""

CALLERS = {
    "map": lambda p, f: p.map(f),
    "filter": lambda p, f: p.filter(f),
    "compact_map": lambda p, f: p.compact_map(f),
    "remove_duplicates": lambda p, f: p.remove_duplicates(f),
    "scan": lambda p, f: p.scan(0, f),
    "reduce": lambda p, f: p.reduce(0, f),
    "flat_map": lambda p, f: p.flat_map(f),
    "switch_to_latest": lambda p, f: p.switch_to_latest(f),
    "encode": lambda p, f: p.encode(f),
    "decode": lambda p, f: p.decode(f),
    "catch": lambda p, f: p.map(lambda _: 1 / 0).catch(f),
}
