"""Measures Streams in Swift, C and Python beside its peers, and prints one table: `make bench`.

    python Benchmarks/run.py [--only swift,c,time,python,compile] [--rounds N] [--threaded] [--json FILE] [--strict]

Each lane is a program that measures both sides of its rows in one process, in interleaved runs; see README.md beside
this file. Standard library only; the Python lane needs reactivex (Tests/Python/requirements.txt).
"""

import argparse
import json
import os
import pathlib
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile

import compiling

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = ROOT / "build"
LANES = ("swift", "c", "time", "python", "compile")
PEERS = {"swift": "opencombine", "c": "opencombine", "time": "libuv", "python": "reactivex", "compile": "opencombine"}

# How many times as fast as OpenCombine's Swift chain, measured in the same run, the C rows are to be.
C_BARS = {
    "subject → sink": 7.0,
    "subject → 5 × map → sink": 12.0,
    "batches of 1024 → 5 × map → sink": 40.0,
}


class BenchError(Exception):
    """A lane that could not be built or run."""


def run(command):
    """Runs a command; returns what it printed."""
    try:
        done = subprocess.run([str(part) for part in command], check=False, text=True, capture_output=True)
    except FileNotFoundError as error:
        raise BenchError(f"{command[0]} not found") from error
    if done.returncode != 0:
        raise BenchError(f"{command[0]} failed:\n{(done.stdout + done.stderr)[-4000:]}")
    return done.stdout


# ---- the lanes: each returns what its program measured ----


def swift_lane(options):
    return json.loads(run([build_swift() / "release/bench", *program_options(options)]))


def compile_lane(options):
    build_swift()
    return {"rows": compiling.measure(min(options.rounds, 5))}


def build_swift():
    """Builds the programs in Swift; returns where they stand."""
    swift = os.environ.get("SWIFT", "swift")
    scratch = ROOT / ".build-bench"
    run([swift, "build", "-c", "release", "--package-path", ROOT / "Benchmarks/Swift", "--scratch-path", scratch])
    return scratch


def c_lane(options):
    return json.loads(run([c_program("c", "bench"), *program_options(options)]))


def time_lane(options):
    try:
        libuv = shlex.split(run(["pkg-config", "--cflags", "--libs", "libuv"]))
    except BenchError:
        raise BenchError("libuv not found: the package libuv1-dev is needed") from None
    return json.loads(run([c_program("time", "time", *libuv), "--rounds", min(options.rounds, 5)]))


def c_program(lane, source, *flags):
    """Compiles a program in C that uses the library."""
    library = BUILD / "lib"
    if not (library / "libstreams.so").exists():
        raise BenchError("build/lib/libstreams.so not found: run make first")
    program = BUILD / f"bin/bench-{lane}"
    program.parent.mkdir(parents=True, exist_ok=True)
    run(
        [os.environ.get("CC") or shutil.which("gcc") or "cc", "-std=gnu11", "-O2", "-g", "-Wall", "-Wextra", "-pthread"]
        + [f"-I{ROOT / 'Include'}", ROOT / f"Benchmarks/C/{source}.c", "-o", program]
        + [f"-L{library}", "-lstreams", f"-Wl,-rpath,{library}", *flags]
    )
    return program


def python_lane(options):
    with tempfile.TemporaryDirectory() as folder:
        found = pathlib.Path(folder) / "python.json"
        command = [sys.executable, ROOT / "Benchmarks/Python/bench.py", "--json", found, "--rounds", options.rounds]
        done = subprocess.run([str(part) for part in command], check=False, text=True, capture_output=True)
        if not found.exists():
            raise BenchError(f"Benchmarks/Python/bench.py failed:\n{done.stderr[-4000:]}")
        return json.loads(found.read_text(encoding="utf-8"))


def program_options(options):
    return ["--rounds", options.rounds] + (["--threaded"] if options.threaded else [])


MEASURE = {"swift": swift_lane, "c": c_lane, "time": time_lane, "python": python_lane, "compile": compile_lane}
UNITS = {"compile": "see the row"}


def peer_of(lane, row):
    """The key of what a row is measured against: the lane's peer, or another row of this library."""
    return "peer" if "beside" in row else PEERS[lane]


def judge(lane, result, results):
    """Adds to each row its ratio, its bar and whether it is met."""
    swift_rows = {row["name"]: row for row in results.get("swift", {}).get("rows", [])}
    for row in result["rows"]:
        peer = peer_of(lane, row)
        if lane == "c":
            row["floor_ratio"] = row["streams"] / row["floor"]
            beside = swift_rows.get(row["peer_row"])
            if beside is not None:
                row[peer] = beside[peer]
                row[f"{peer}_spread"] = beside[f"{peer}_spread"]
                row["bar"] = C_BARS.get(row["name"])
        if peer in row:
            row["ratio"] = row[peer] / row["streams"]
        bar, limit = row.setdefault("bar", None), row.setdefault("limit", None)
        row["met"] = (bar is None or row["ratio"] >= bar) and (limit is None or row["streams"] <= limit)


# ---- the table ----


def number(value, form):
    return format(value, form) if value is not None else ""


def spread(row, key):
    return f"±{100 * row[key]:.0f}%" if key in row else ""


def table(lane, result):
    floor = f"{'× floor':>9}" if lane == "c" else ""
    title = f"{lane.title()}, {UNITS.get(lane, 'ns a value')}"
    yield f"{title:<50}{'streams':>9}{'':>6}{PEERS[lane]:>13}{'':>6}{'ratio':>8}{'bar':>6}{floor}"
    for row in result["rows"]:
        peer = peer_of(lane, row)
        line = f"{row['name']:<50}{row['streams']:>9.1f}{spread(row, 'spread'):>6}"
        line += f"{number(row.get(peer), '.1f'):>13}{spread(row, peer + '_spread'):>6}"
        line += f"{number(row.get('ratio'), '.1f'):>8}{number(row['bar'], 'g'):>6}"
        if lane == "c":
            line += f"{row['floor_ratio']:>9.1f}"
        if row["limit"] is not None:
            line += f"  at most {row['limit']:g}"
        line += "" if not is_judged(row) else "  met" if row["met"] else "  MISSED"
        yield line + (f"  beside {row['beside']}" if "beside" in row else "")
    if "bytes a timer" in result:
        yield f"A timer that waits takes {result['bytes a timer']} bytes, where a million do."


def is_judged(row):
    return row["bar"] is not None or row["limit"] is not None


def summary(results):
    judged = [row for result in results.values() for row in result["rows"] if is_judged(row)]
    met = sum(row["met"] for row in judged)
    noisy = [
        (lane, row["name"])
        for lane, result in results.items()
        for row in result["rows"]
        if max(row.get("spread", 0), row.get(peer_of(lane, row) + "_spread", 0)) > 0.1
    ]
    yield f"{met} of {len(judged)} bars met."
    if noisy:
        yield f"{len(noisy)} rows spread by more than 10 %: the machine was busy; compare their ratios with care."


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default=",".join(LANES), help="which lanes: some of " + ",".join(LANES))
    parser.add_argument("--rounds", type=int, default=11, help="how often each row is measured")
    parser.add_argument("--threaded", action="store_true", help="measure Swift and C in a process with two threads")
    parser.add_argument("--json", type=pathlib.Path, default=BUILD / "bench.json", help="where the results go")
    parser.add_argument("--strict", action="store_true", help="exit with 1 if a bar is missed")
    options = parser.parse_args()
    lanes = [lane for lane in LANES if lane in options.only.split(",")]
    if not lanes or set(options.only.split(",")) - set(LANES):
        parser.error(f"--only takes some of {','.join(LANES)}")
    results = {}
    for lane in lanes:
        try:
            result = MEASURE[lane](options)
        except BenchError as error:
            sys.exit(f"bench: {lane}: {error}")
        judge(lane, result, results)
        results[lane] = result
        print("\n".join(table(lane, result)), end="\n\n", flush=True)
    print("\n".join(summary(results)))
    options.json.parent.mkdir(parents=True, exist_ok=True)
    about = {"machine": platform.machine(), "threaded": options.threaded, "lanes": results}
    options.json.write_text(json.dumps(about, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"Written to {os.path.relpath(options.json)}.")
    missed = any(not row["met"] for result in results.values() for row in result["rows"])
    return 1 if missed and options.strict else 0


if __name__ == "__main__":
    sys.exit(main())
