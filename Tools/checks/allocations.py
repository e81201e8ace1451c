"""The suite that counts allocations: Tests/Allocations."""

import json

from .settings import BUILD, BUILT, CC, RELEASE, ROOT, STRICT, SWIFT

FOLDER = "Tests/Allocations"
# An array that grows to hold twice as many values is allocated once more, or not if malloc gave it room to spare.
DOUBLINGS = 2


def build_swift(suite):
    command = [SWIFT, "build", "--package-path", FOLDER, *RELEASE, "--product", "allocations"]
    if suite.command("the Swift scenarios build", command, timeout=900)[0]:
        return BUILT["release"] / "allocations"
    return None


def build_c(suite):
    program = BUILD / "bin" / "allocations-c"
    program.parent.mkdir(parents=True, exist_ok=True)
    counter = f"{FOLDER}/Sources/AllocationCounter"
    command = [CC, "-std=c11", "-D_POSIX_C_SOURCE=200809L", *STRICT, "-O2", "-pthread"]
    command += ["-IInclude", f"-I{counter}/include", f"{FOLDER}/C/allocations.c", f"{counter}/allocation_counter.c"]
    command += ["-o", program, "-Lbuild/lib", "-lstreams", f"-Wl,-rpath,{BUILD / 'lib'}"]
    return program if suite.command("the C scenarios build", command)[0] else None


def verdict(values, allocations, remaining, threshold):
    """What is wrong with a scenario's numbers; nothing, if they are what the threshold says.

    Where the compiler keeps something on the stack in one build and not in the next, there are several thresholds.
    """
    count = f"{allocations / values:g} allocations a value"
    if remaining:
        return f"{remaining / values:g} blocks a value are left behind"
    if threshold is None:
        return f"{count}, and no threshold"
    allowed = threshold if isinstance(threshold, list) else [threshold]
    if any(abs(each * values - allocations) <= DOUBLINGS for each in allowed):
        return ""
    most = max(allowed)
    return f"{count}; " + (
        f"at most {most:g} are allowed" if most * values < allocations else f"lower the threshold, {most:g}"
    )


def count(suite, language, program, thresholds):
    """Runs the scenarios, with one thread and with two: what locks do depends on it, what is allocated must not."""
    for options in ([], ["--threaded"]):
        title = " ".join([language, *options])
        good, text = suite.command(f"{title} runs", [program, *options], split=True)
        rows = [line.split("\t") for line in text.splitlines()] if good else []
        for name, *numbers in rows:
            problem = verdict(*map(int, numbers), thresholds.get(name))
            suite.check(f"{title}: {name}", not problem, problem)
        for name in sorted(thresholds.keys() - {row[0] for row in rows} if good else []):
            suite.check(f"{title}: {name}", False, "has a threshold and no scenario")


def suite_allocations(suite):
    """A value costs exactly as many allocations as Tests/Allocations/thresholds.json says, and leaves none behind."""
    if not suite.needs(FOLDER, "build/lib/libstreams.so"):
        return
    thresholds = json.loads((ROOT / FOLDER / "thresholds.json").read_text(encoding="utf-8"))
    for language, build in (("swift", build_swift), ("c", build_c)):
        program = build(suite)
        if program:
            count(suite, language, program, thresholds[language])
