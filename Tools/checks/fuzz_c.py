"""The C fuzzer: Tests/Fuzz, built plain, with sanitizers and for valgrind."""

import math
import os
import pathlib
import re
import shutil
import tempfile
import time

from .c import programs
from .settings import BUILD, CC, PYTHON, ROOT, STRICT, clang

FUZZ = BUILD / "fuzz"
SOURCES = ROOT / "Tests" / "Fuzz"
# The same sequences in each run of `make check`, so that only a change can make it fail.
SEED = "20000000"
FLAGS = ["-std=gnu11", "-D_GNU_SOURCE", *STRICT, "-g", "-pthread", "-IInclude", "-ITests/Fuzz"]
# The library's symbols are for reports; the sanitizers' library is their own.
PLAIN = ["-O2", "-Lbuild/lib", "-lstreams", f"-Wl,-rpath,{BUILD / 'debug'}"]
PERTURBED = ["-O2", "-Lbuild/perturbed", "-lstreams", f"-Wl,-rpath,{BUILD / 'perturbed'}"]
# Swift's runtime frees what it does not need to at exit; deep callbacks need the real stack.
SANITIZER_OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=0",
    "TSAN_OPTIONS": f"halt_on_error=1:second_deadlock_stack=1:suppressions={SOURCES / 'tsan.supp'}",
}
VALGRIND = ["valgrind", "--quiet", "--fair-sched=try", "--num-callers=30", "--trace-children=yes"]
VALGRIND += ["--error-exitcode=99", "--exit-on-first-error=yes"]
VALGRIND += ["--suppressions=Tests/Library/valgrind.supp"]
# What is printed compiles so.
COMPILES = [CC, "-std=gnu11", "-w", "-pthread", "-IInclude", "-ITests/Fuzz", "-fsyntax-only"]
# Swift's hash tables have another order in each process otherwise.
ENVIRONMENT = {"SWIFT_DETERMINISTIC_HASHING": "1"}


def sanitized(sanitizer):
    """Options for a fuzzer with a sanitizer and the library that has it inside."""
    folder = BUILD / sanitizer
    own = "address,undefined" if sanitizer == "address" else sanitizer
    flags = ["-O1", f"-fsanitize={own}", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer"]
    if sanitizer == "thread":
        # Its runtime in the Swift toolchain watches over dispatch queues too.
        swift = pathlib.Path(clang()).resolve().parents[1] / "lib" / "swift" / "linux"
        flags += [f"-L{swift}", "-ldispatch", "-lBlocksRuntime", f"-Wl,-rpath,{swift}"]
    return [*flags, f"-L{folder}", "-lstreams", f"-Wl,-rpath,{folder}"]


def build(suite, name, options, compiler=CC, sources=(), library=()):
    """Writes the table of what the header declares, and builds the fuzzer, or that of another library from other sources.
    Returns its file, or None."""
    FUZZ.mkdir(parents=True, exist_ok=True)
    table = FUZZ / f"{name}-table.c"
    generate = [PYTHON, "Tools/fuzz_table.py", table, *library]
    if not suite.command("the fuzzer knows every function", generate)[0]:
        return None
    program = FUZZ / name
    sources = sorted(str(path) for path in sources or SOURCES.glob("*.c"))
    flags = [flag for flag in FLAGS if flag != "-Wpedantic"]
    command = [compiler, *flags, *sources, table, *options, "-ldl", "-o", program]
    return program if suite.command(f"{name} builds", command)[0] else None


def fuzz(suite, what, command, env=None, timeout=900):
    """Runs a fuzzer as one test, and notes what it did."""
    output = FUZZ / (re.sub(r"\W+", "-", what) + ".c")
    output.unlink(missing_ok=True)
    status, text = suite.run([*command, "--output", output], env={**ENVIRONMENT, **(env or {})}, timeout=timeout)
    failure = re.search(r"^sequence \d+ of seed \d+ failed: .*", text, re.MULTILINE)
    reason = failure.group(0) if failure else f"exit status {status}"
    if failure and output.exists():
        suite.say(output.read_text(encoding="utf-8", errors="replace"))
        reason += f"; reduced: {output.relative_to(ROOT)}"
    calls = re.search(r"^(\d+) calls and", text, re.MULTILINE)
    ran = suite.check(f"{what} ran", calls and int(calls.group(1)) > 1000, "made no calls")
    suite.check(what, status == 0, reason)
    if ran:
        suite.note += f"{what} {int(calls.group(1)) / 1e6:.1f}M; "
    return text


def run_broken(suite, program, how, *options):
    """Runs the fuzzer with a library that breaks its word. Returns what it says."""
    env = {"LD_PRELOAD": str(FUZZ / "broken.so"), "BROKEN": how, **ENVIRONMENT}
    settings = [f"{key}={value}" for key, value in env.items()]
    return suite.run(["env", *settings, program, "--sequences", "12000", *options], timeout=300)[1]


def notices(suite, program, how, expected, options=()):
    """The fuzzer finds a library that breaks its word, and prints a small program that compiles."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder, "reduced.c")
        # A step of the reduction takes as long as a hang: the limit.
        text = run_broken(suite, program, how, "--seed", SEED, "--reduce", "30", "--output", output, *options)
        found = re.search(r"failed: (.*)", text)
        reason = found.group(1) if found else "nothing"
        if not suite.check(f"notices {how}", expected in reason, reason):
            return
        lines = output.read_text(encoding="utf-8").splitlines()
        # Within that time, in which a hang can be tried 15 times.
        suite.check(f"reduces {how}", len(lines) < (400 if how == "hang" else 250), f"to {len(lines)} lines")
        suite.command(f"prints {how}", [*COMPILES, output])


def prints_what_is_not_reduced(suite, program):
    """What a whole sequence is printed as compiles, whatever is in it."""
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, 31):
            output = pathlib.Path(folder, f"{seed}.c")
            run_broken(suite, program, "crash", "--seed", seed, "--no-reduce", "--output", output)
        printed = sorted(pathlib.Path(folder).glob("*.c"))
        suite.check("prints whole sequences", len(printed) == 30, f"{len(printed)} of 30")
        suite.command("prints whole sequences that compile", [*COMPILES, *printed])


def self_checks(program):
    """What the fuzzer promises about itself: functions of a suite, each with its arguments."""
    # The known statuses and last errors are other tests' affair.
    only = ["hosts", "deep", "last error", "surplus", "streams_handle_events", "streams_subscribe", "streams_assign"]
    only = [part for what in only for part in ("--without", what)]
    yield notices, program, "hang", "hang", [*only, "--limit", "2"]
    yield notices, program, "threads", "threads are left", [*only, "--limit", "4"]
    for how, expected in (("demand", "demand"), ("leak", "leak"), ("crash", "signal"), ("status", "INVALID_UTF8")):
        yield notices, program, how, expected, only
    yield prints_what_is_not_reduced, program
    yield (names_what_is_strange,)


def names_what_is_strange(suite):
    """A function of a type that is not known is not left out in silence."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "Include", folder, dirs_exist_ok=True)
        header = pathlib.Path(folder, "streams", "base.h")
        text = header.read_text(encoding="utf-8")
        strange = "STREAMS_API streams_status streams_strange(long long **strange);\n"
        comment = "/*\n * Strange.\n *\n * Ownership: none.\n * Errors: none.\n */\n"
        at = text.rindex("/*\n", 0, text.index("STREAMS_API streams_status streams_retain("))
        header.write_text(text[:at] + comment + strange + text[at:], encoding="utf-8")
        command = [PYTHON, "Tools/fuzz_table.py", pathlib.Path(folder, "table.c")]
        status, text = suite.run(command, env={"STREAMS_TEST_HEADERS": folder})
        suite.check("names what it does not know", status != 0 and "streams_strange" in text, text)


def suite_fuzz_c(suite):
    """Random sequences of every function of the header, less than a minute of them, always the same ones."""
    if not suite.needs("Tests/Fuzz", "build/lib/libstreams.so"):
        return
    ubsan = ["-O1", "-fsanitize=undefined", "-fno-sanitize-recover", *PLAIN]
    variants = [("fuzz", PLAIN), ("fuzz-ubsan", ubsan)]
    program, checked = suite.at_once(lambda part, variant: build(part, *variant), variants)
    if not program or not checked:
        return
    shim = ["-shared", "-fPIC", "Tests/Fuzz/broken/broken.c", "-o", FUZZ / "broken.so", "-ldl"]
    suite.command("the broken library builds", [CC, *FLAGS, *shim])
    jobs = [
        *self_checks(program),
        # The program itself is checked, with the library as it is.
        (fuzz, "undefined behavior", [checked, "--seed", SEED, "--sequences", "1000"]),
        (fuzz, "valgrind", [*VALGRIND, program, "--raw-signals", "--seed", SEED, "--sequences", "30"]),
    ]
    suite.at_once(lambda part, job: job[0](part, *job[1:]), jobs)
    # These take all processors themselves.
    fuzz(suite, "one thread", [program, "--seed", SEED, "--sequences", "20000", "--jobs", "2"])
    fuzz(suite, "four threads", [program, "--seed", SEED, "--sequences", "500", "--threads", "4"])


def suite_fuzz_c_long(suite):
    """New sequences, for FUZZ_SECONDS; FUZZ_SEED and FUZZ_THREADS choose them."""
    seconds = float(os.environ.get("FUZZ_SECONDS") or 600)
    seed = os.environ.get("FUZZ_SEED") or str(int(time.time()))
    threads = os.environ.get("FUZZ_THREADS") or "4"
    print(f"seed {seed}", flush=True)
    program = build(suite, "fuzz", PLAIN)
    perturbed = build(suite, "fuzz-perturbed", PERTURBED)
    address = build(suite, "fuzz-address", sanitized("address"), clang())
    thread = build(suite, "fuzz-thread", sanitized("thread"), clang())

    def run(what, command, share, env=None, most=seconds, seed=seed):
        portion = max(1, min(round(seconds * share), most))
        options = ["--seed", seed, "--seconds", str(portion)]
        text = fuzz(suite, what, [*command, *options], env, timeout=portion + 3600)
        print("\n".join(re.findall(r"^\d+ calls and .*|^coverage: .*|^sequence .*", text, re.MULTILINE)), flush=True)

    if program:
        run("one thread", [program, "--jobs", "2"], 0.3)
        run(f"{threads} threads", [program, "--threads", threads], 0.2)
    if perturbed:
        run(f"{threads} threads that give way at random", [perturbed, "--threads", threads], 0.2)
    if address:
        run("address sanitizer", [address, "--raw-signals"], 0.1, SANITIZER_OPTIONS)
        run("address sanitizer, threads", [address, "--raw-signals", "--threads", threads], 0.05, SANITIZER_OPTIONS)
    if thread:
        # Its own stack of calls has an end before a thread's has.
        options = ["--raw-signals", "--stack", "1024", "--threads", threads]
        # After some twenty thousand threads, which are 80 seconds, its runtime faults, or reports what a barrier orders.
        for number in range(math.ceil(seconds * 0.05 / 40)):
            each = str(int(seed) + number)
            run("thread sanitizer", [thread, *options], 0.05, SANITIZER_OPTIONS, most=40, seed=each)
    if program:
        run("valgrind", [*VALGRIND, program, "--raw-signals", "--limit", "600"], 0.1)
    env = {"FUZZ_SECONDS": str(max(1, round(seconds * 0.05))), "FUZZ_SEED": seed}
    tests = {
        "arrays and single sends": "array_programs",
        "order of senders": "order_of_senders",
        "derived values": "derived",
        "order of what is derived": "derived_order",
    }
    for what, test in tests.items():
        for _, file in programs(suite, f"test_{test}"):
            suite.command(what, [file], env=env, timeout=seconds + 3600)
