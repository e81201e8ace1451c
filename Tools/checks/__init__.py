"""The suites of `make check`, in the order in which they run."""

from . import (
    allocations,
    c,
    catalogue,
    combine,
    demo,
    differential,
    docs,
    fuzz_c,
    library,
    loops,
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
    "swift": swift.suite_swift,
    "combine": combine.suite_combine,
    "differential": differential.suite_differential,
    "c": c.suite_c,
    "valgrind": c.suite_valgrind,
    "fuzz-c": fuzz_c.suite_fuzz_c,
    "python": python.suite_python,
    "versions": versions.suite_versions,
    "bindings": python.suite_bindings,
    "types": types.suite_types,
    "allocations": allocations.suite_allocations,
    "library": library.suite_library,
    "install": library.suite_install,
    "wheel": wheel.suite_wheel,
    "demo": demo.suite_demo,
    "terminal": terminal.suite_terminal,
    "loops": loops.suite_loops,
    "docs": docs.suite_docs,
}

BUILD_SWIFT = {"swift", "combine", "differential", "allocations", "demo", "terminal", "docs", "tsan", "asan"}

# What runs only when it is named.
ON_REQUEST = {
    "tsan": swift.suite_tsan,
    "asan": swift.suite_asan,
    "soak": soak.suite_soak,
    "fuzz-c-long": fuzz_c.suite_fuzz_c_long,
    "valgrind-long": c.suite_valgrind_long,
    "versions-long": versions.suite_versions_long,
}
