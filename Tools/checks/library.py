"""Suites that look at libstreams.so and at what is installed."""

import json
import os
import pathlib
import re
import shlex
import sys
import tempfile

import header_text  # Tools/header_text.py

from .settings import CC, CXX, LIBRARY, LIBRARY_LIMIT, LIBRARY_MAY_NEED, RESIDENT_LIMIT, ROOT, STRICT, SYMBOLS, clang


def declared_functions(suite):
    """The functions that the headers declare without defining them, as clang reads it: the names and types of their
    parameters, by their names."""
    status, text = suite.run(
        [clang(), "-std=c11", "-fsyntax-only", "-Xclang", "-ast-dump=json", "-x", "c", header_text.HOST_HEADER],
        split=True,
        quiet=True,
    )
    if not suite.check("clang reads the header", status == 0, f"exit status {status}"):
        return {}
    return {
        node["name"]: [
            (part["name"], part["type"]["qualType"].replace("_Bool", "bool"))
            for part in node.get("inner", [])
            if part["kind"] == "ParmVarDecl"
        ]
        for node in json.loads(text)["inner"]
        if node["kind"] == "FunctionDecl"
        and node["name"].startswith("streams_")
        and not any(part["kind"] == "CompoundStmt" for part in node.get("inner", []))
    }


def suite_build(suite):
    """What `make` makes, while there is something to do that does without it."""
    suite.command("make", ["make", "all"], timeout=1800)


def suite_library(suite):
    """libstreams.so exports what the header declares, needs only the C and C++ runtime, and is small."""
    if not suite.needs("Include/streams.h", "build/lib/libstreams.so"):
        return
    macros = dict(re.findall(r"#\s*define\s+STREAMS_VERSION_(\w+)\s+(\d+)", header_text.text()))
    soname = f"libstreams.so.{macros.get('MAJOR')}"
    file = f"{soname}.{macros.get('MINOR')}.{macros.get('PATCH')}"
    suite.check("links", os.path.realpath(LIBRARY) == str(LIBRARY.parent / file), f"libstreams.so is not {file}")
    suite.check("soname link", (LIBRARY.parent / soname).exists(), f"no {soname}")

    size = LIBRARY.stat().st_size
    suite.check(f"size: {size:,} bytes", size <= LIBRARY_LIMIT, f"more than {LIBRARY_LIMIT:,}")

    _, dynamic = suite.run(["readelf", "--wide", "--dynamic", LIBRARY], split=True)
    suite.check("soname", f"Library soname: [{soname}]" in dynamic, f"not {soname}")
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)
    foreign = [name for name in needed if not LIBRARY_MAY_NEED.match(name)]
    suite.check("needs: " + " ".join(needed), needed and not foreign, "needs " + " ".join(foreign))
    suite.check("no run path", not re.search(r"\((RPATH|RUNPATH)\)", dynamic), "has a RPATH or RUNPATH")
    suite.check("no text relocations", "TEXTREL" not in dynamic, "has text relocations")
    suite.check("cannot be unloaded", "NODELETE" in dynamic, "linked without -z nodelete")

    _, sections = suite.run(["readelf", "--wide", "--sections", LIBRARY], split=True)
    # What only the linker and the runtime write: the runtime protects swift5_backtrace itself.
    writable = set(re.findall(r"\] (\S+) .* WA[A-Zo]* ", sections)) - {
        ".data",
        ".bss",
        ".tm_clone_table",
        "swift5_backtrace",
    }
    constant = "tdata tbss fini_array init_array data.rel.ro dynamic got got.plt relro_padding".split()
    open_ones = sorted(writable - {f".{name}" for name in constant})
    suite.check("constants cannot be written", not open_ones, "writable: " + " ".join(open_ones))
    suite.check("stripped", " .symtab " not in sections and " .debug_info " not in sections, "has symbols")

    _, symbols = suite.run(["nm", "--dynamic", "--defined-only", LIBRARY], split=True)
    rows = [line.split() for line in symbols.splitlines() if line]
    # Also what nobody can link to, and is told by a small letter.
    foreign = sorted(name for _, kind, name in rows if kind != "T" or not name.startswith("streams_"))
    exports = {name.split("@")[0] for *_, name in rows}
    suite.check(f"lists streams_* only: {len(exports)}", exports and not foreign, " ".join(foreign[:10]))
    declared = set(declared_functions(suite))
    missing, extra = sorted(declared - exports), sorted(exports - declared)
    suite.check("exports all that the headers declare", declared and not missing, " ".join(missing))
    suite.check("declares all that it exports", not extra, " ".join(extra))

    # A function in C that has a buffer on its stack, and another that fills it. The runtime has such, too.
    command = ["objdump", "--no-show-raw-insn", "--disassemble=streams_warn_of_drops", SYMBOLS / soname]
    _, code = suite.run(command, split=True, quiet=True)
    suite.check("C: the stack is protected", "<__stack_chk_fail" in code, "streams_warn_of_drops does not check it")
    _, imported = suite.run(["nm", "--dynamic", "--undefined-only", LIBRARY], split=True)
    suite.check("C: functions are fortified", "__vsnprintf_chk" in imported, "vsnprintf is not")

    archive = LIBRARY.with_suffix(".a")
    _, symbols = suite.run(["nm", "--extern-only", "--defined-only", archive], split=True)
    seen = {line.split()[-1] for line in symbols.splitlines() if len(line.split()) == 3}
    suite.check("libstreams.a shows the same functions", seen == exports, " ".join(sorted(seen ^ exports)[:10]))

    # Else builds in two folders would differ. `twice-long` compares two, which takes long.
    for each in (LIBRARY, archive):
        is_told = str(ROOT).encode() in each.read_bytes()
        suite.check(f"{each.name} does not say where it was built", not is_told, f"it has {ROOT}")

    program = "import ctypes, os, sys; ctypes.CDLL(sys.argv[1], os.RTLD_NOW).streams_version"
    suite.command("loads", ["env", "-i", sys.executable, "-S", "-c", program, LIBRARY])
    check_memory(suite)


def check_memory(suite):
    """A small program needs little memory, because what it runs of the library lies together: streams.order."""
    # The pages that the kernel still has in mind from when the file was written depend on how it was.
    with open(LIBRARY, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "startup")
        link = ["-IInclude", f"-L{LIBRARY.parent}", "-lstreams", f"-Wl,-rpath,{LIBRARY.parent}"]
        command = [CC, "-std=c11", *STRICT, "Tests/Library/startup.c", "-o", program, *link]
        if not suite.command("a small program compiles", command)[0]:
            return
        _, text = suite.run([program], split=True)
    kilobytes = int((re.match(r"\s*(\d+) kB", text) or ["", "0"])[1])
    suite.check(f"memory: {kilobytes:,} kB", 0 < kilobytes <= RESIDENT_LIMIT, f"more than {RESIDENT_LIMIT:,}: make order")


def suite_install(suite):
    """What `make install` puts there compiles, links and runs through pkg-config, and uninstall removes it."""
    with tempfile.TemporaryDirectory() as folder:
        stage = pathlib.Path(folder, "stage")
        where = [f"DESTDIR={stage}", "PREFIX=/opt/streams"]
        if not suite.command("make install", ["make", "install", *where])[0]:
            return
        libraries = stage / "opt/streams/lib"
        env = {
            "PKG_CONFIG_PATH": str(libraries / "pkgconfig"),
            "PKG_CONFIG_SYSROOT_DIR": str(stage),
            "LD_LIBRARY_PATH": str(libraries),
        }
        good, flags = suite.command("pkg-config", ["pkg-config", "--cflags", "--libs", "streams"], env=env, split=True)
        suite.command(
            "pkg-config knows the version",
            ["bash", "-c", 'test "$(pkg-config --modversion streams)" = "$0"', LIBRARY.resolve().name[14:]],
            env=env,
        )
        shared_flags = shlex.split(flags)
        source = "Tests/Library/installed.c"
        cxx = [CXX, "-std=c++17"]
        for number, command in enumerate(([CC, "-std=c11", source], [*cxx, "-x", "c++", source], [*cxx, f"{source}pp"])):
            program = pathlib.Path(folder, f"installed{number}")
            name = f"{command[-1]} with {os.path.basename(command[0])}"
            command += [*STRICT, "-o", program, *shlex.split(flags)]
            if good and suite.command(f"{name} compiles against it", command)[0]:
                suite.command(f"{name} runs", [program], env=env)
        pkg_config = ["pkg-config", "--cflags", "--libs", "--static", "streams"]
        _, flags = suite.command("pkg-config --static", pkg_config, env=env, split=True)
        program = pathlib.Path(folder, "static")
        command = [CC, "-std=c11", *STRICT, source, "-o", program, "-static", *shlex.split(flags)]
        if suite.command("a static program links", command)[0]:
            suite.command("it runs without the library", ["env", "-i", program])
        if good:
            check_suppressions(suite, pathlib.Path(folder), stage / "opt/streams/share/streams", shared_flags, env)
        suite.command("make uninstall", ["make", "uninstall", *where])
        left = [str(path.relative_to(stage)) for path in stage.rglob("*") if not path.is_dir()]
        suite.check("uninstall leaves nothing", not left, " ".join(left))


def check_suppressions(suite, folder, installed, flags, env):
    """With the suppressions that are installed, valgrind and ThreadSanitizer report nothing of a program with threads
    that is as it should be, but what is wrong with one that is not."""
    valgrind = ["valgrind", "--quiet", "--fair-sched=yes", "--leak-check=full", "--error-exitcode=99"]
    known = f"--suppressions={installed}/valgrind.supp"
    sanitizer = {"TSAN_OPTIONS": "exitcode=99"}
    knowing = {"TSAN_OPTIONS": f"exitcode=99 suppressions={installed}/tsan.supp"}
    runs = [
        ("valgrind", [], valgrind, {}, True),
        ("valgrind with suppressions", [], [*valgrind, known], {}, False),
        ("valgrind with suppressions, of a leak", ["-DWITH_LEAK"], [*valgrind, known], {}, True),
        ("ThreadSanitizer", ["-fsanitize=thread"], [], sanitizer, True),
        ("ThreadSanitizer with suppressions", ["-fsanitize=thread"], [], knowing, False),
        ("ThreadSanitizer with suppressions, of a race", ["-fsanitize=thread", "-DWITH_RACE"], [], knowing, True),
    ]
    for number, (name, options, tool, settings, reports) in enumerate(runs):
        program = folder / f"threads{number}"
        strict = ["-std=c11", "-g", "-pthread", *STRICT, *options]
        if not suite.command(f"{name}: compiles", [CC, *strict, "Tests/Library/threads.c", "-o", program, *flags])[0]:
            continue
        status, _ = suite.run([*tool, program], env={**env, **settings}, timeout=1800)
        expected = 99 if reports else 0
        suite.check(f"{name}: {'a report' if reports else 'none'}", status == expected, f"exit status {status}")
