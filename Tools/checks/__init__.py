"""The suites of `make test`, `make check` and `make check-long`, in the order in which they run."""

from . import (
    allocations,
    c,
    catalogue,
    combine,
    cpp,
    demo,
    differential,
    dist,
    docs,
    fuzz_c,
    library,
    loops,
    nats,
    python,
    soak,
    sources,
    swift,
    terminal,
    types,
    versions,
    wheel,
)

SUITES = {
    "format": sources.suite_format,
    "header": sources.suite_header,
    "catalogue": catalogue.suite_catalogue,
    "build": library.suite_build,
    "types": types.suite_types,
    "swift": swift.suite_swift,
    "combine": combine.suite_combine,
    "differential": differential.suite_differential,
    "c": c.suite_c,
    "cpp": cpp.suite_cpp,
    "python": python.suite_python,
    "valgrind": c.suite_valgrind,
    "fuzz-c": fuzz_c.suite_fuzz_c,
    "versions": versions.suite_versions,
    "bindings": python.suite_bindings,
    "allocations": allocations.suite_allocations,
    "library": library.suite_library,
    "install": library.suite_install,
    "wheel": wheel.suite_wheel,
    "dist": dist.suite_dist,
    "demo": demo.suite_demo,
    "terminal": terminal.suite_terminal,
    "loops": loops.suite_loops,
    "nats": nats.suite_nats,
    "docs": docs.suite_docs,
    "tsan": swift.suite_tsan,
    "asan": swift.suite_asan,
    "soak": soak.suite_soak,
    "fuzz-c-long": fuzz_c.suite_fuzz_c_long,
    "fuzz-nats-long": nats.suite_fuzz_nats_long,
    "valgrind-long": c.suite_valgrind_long,
    "nats-long": nats.suite_nats_long,
    "versions-long": versions.suite_versions_long,
    "debian-long": dist.suite_debian_long,
    "twice-long": dist.suite_twice_long,
}

# What only `make check-long` runs, or a command of its own: for longer, or with other tools, what `make check` does too.
LONG = ["valgrind-long", "nats-long", "versions-long", "debian-long", "twice-long", "tsan", "asan", "soak"]
# Names for several suites.
TIERS = {
    "test": ["format", "header", "catalogue", "bindings", "build", "types", "swift", "c", "cpp", "python"],
    "check": [name for name in SUITES if name not in (*LONG, "fuzz-c-long", "fuzz-nats-long")],
    "long": LONG,
}

BUILD_SWIFT = {"swift", "combine", "differential", "allocations", "demo", "terminal", "docs", "tsan", "asan", "twice-long"}
# What runs while the library is built; all others wait for it.
WITHOUT_LIBRARY = {"format", "header", "catalogue", "types", "bindings", "swift", "combine", "differential", "tsan", "asan"}
