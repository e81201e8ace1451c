"""The suite of streams.hpp."""

import os
import re
import subprocess

import catalogue  # Tools/catalogue.py
import header_text  # Tools/header_text.py

from . import python
from .settings import BUILD, CXX, ROOT, STRICT, clang

FOLDER = BUILD / "tests" / "cpp"
HEADERS = [header_text.FOLDER / "streams.hpp", *sorted((header_text.FOLDER / "streams").glob("*.hpp"))]
TESTS = sorted(ROOT.glob("Tests/Cpp/*.cpp"))
# Programs may ask for any of these.
FLAGS = [*STRICT, "-Wconversion", "-Wsign-conversion", "-Wshadow", "-Wold-style-cast", "-pthread", "-IInclude"]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
# An operator's method has the name of its function, but for these: C++ has the name for itself, or overloads do it.
METHODS = {"catch": "catch_failure", "publisher_create": "source", "pool_queue": "queue", "promise_publisher": "future"}
METHODS |= {"promise_resolve": "resolve", "promise_reject": "reject", "connectable_publisher": "connectable.sink"}
METHODS |= {"publisher_describe": "describe"} | dict.fromkeys(
    ["sequence_int64s", "sequence_doubles", "sequence_numbers"], "sequence"
)
# Functions that the header does not use, and why.
UNUSED = {
    "what C++ has": "version version_string status_name clear_last_error live_handles",
    "C++ functions throw": "set_last_error",
    "a vector does it": "sequence_int64s sequence_doubles subject_send_int64s subject_send_doubles",
    "C++ types are made and read instead": "value_bytes value_string_nocopy value_slice value_c_string event",
}
# What must not compile, and what the compiler says.
REFUSED = {
    "streams::just(1).map([](int &n) { return n; })": "a value is shared",
    "streams::just(1).sink([](int) { return true; })": "how many more values",
    "streams::value(1).get<std::string_view>()": "the text would be gone",
    "streams::just(1).to_vector<std::string_view>()": "what is lent would be gone",
    "streams::just(1).scan(0, [](int) { return 1; })": "two values are passed",
}


def compilers():
    """Each with each standard."""
    clangxx = f"{clang()}++"
    return [(CXX, "c++17"), (CXX, "c++20"), (clangxx, "c++17"), (clangxx, "c++20")]


def name_of(compiler, standard):
    return f"{os.path.basename(compiler)} -std={standard}"


def recipes():
    """The programs of Docs/cpp.md as one, each in a namespace: it compiles in less time. The suite of Python runs them."""
    text = (ROOT / "Docs" / "cpp.md").read_text(encoding="utf-8")
    includes, parts = {}, []
    for found in re.finditer(r"^```cpp\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        lines = found[1].splitlines()
        includes |= dict.fromkeys(line for line in lines if line.startswith("#include"))
        body = "\n".join("" if line in includes else line for line in lines)
        # Only the real main need not return.
        body = re.sub(r"(?<=\n)int main\(\) (.*\n)\}", r"int main() \1return 0;\n}", body, flags=re.DOTALL)
        line = text.count("\n", 0, found.start()) + 2
        parts.append(f'namespace recipe_{line} {{\n#line {line} "Docs/cpp.md"\n{body}\n}}\n')
    return "\n".join([*includes, *parts, "int main() {}\n"]), len(parts)


def compiles(suite, source, compiler, standard, *options):
    command = [compiler, f"-std={standard}", *FLAGS, *options, source]
    return suite.command(f"{source.name} with {name_of(compiler, standard)}", command)[0]


def check_coverage(suite):
    """The header uses every function of streams.h, and every operator has a method, which a test calls."""
    text = "".join(path.read_text(encoding="utf-8") for path in HEADERS)
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    declared = re.findall(r"STREAMS_API [^;(]*?streams_(\w+)\(", header_text.text(header_text.HEADER))
    unused = {name for names in UNUSED.values() for name in names.split()}
    missing = [name for name in declared if not re.search(rf"\bstreams_{name}\b", code) and name not in unused]
    suite.check(f"{len(declared)} functions of streams.h are used", len(declared) > 200 and not missing, " ".join(missing))
    stale = [name for name in unused if name not in declared or re.search(rf"\bstreams_{name}\b", code)]
    suite.check("what is unused is", not stale, " ".join(stale))
    tests = "".join(path.read_text(encoding="utf-8") for path in TESTS)
    for entry in catalogue.entries(catalogue.read()):
        for function in entry.c:
            method = METHODS.get(function) or re.sub(r"_create$", "", function)
            # An operator is called of a publisher, and anything else maybe declared.
            is_method = entry.kind == "operator" and "." not in method
            called = re.search(rf"\.{method}\(" if is_method else rf"\b{method}(?:\(| \w+[;(])", tests)
            suite.check(f"{function} is tested as {method}", called, "is not")


def check_misuse(suite, each):
    """A mistake does not compile, and the compiler's first words say why."""
    code, said = each
    program = f"#include <streams.hpp>\nint main() {{ (void){code}; }}\n"
    command = [CXX, "-std=c++17", "-IInclude", "-fsyntax-only", "-x", "c++", "-"]
    done = subprocess.run(command, cwd=ROOT, input=program, capture_output=True, encoding="utf-8", timeout=300)
    suite.check(f"does not compile: {code}", done.returncode and said in done.stderr, done.stderr[-2000:])


def run_tests(suite, compiler, standard, options):
    """Builds one program of all tests, each file of which includes the header, and runs it."""
    folder = FOLDER / re.sub(r"\W+", "-", f"{os.path.basename(compiler)} {standard}")
    folder.mkdir(parents=True, exist_ok=True)
    objects = [folder / f"{source.stem}.o" for source in TESTS]

    def compile_test(part, each):
        source, made = each
        return compiles(part, source, compiler, standard, *options, "-c", "-o", made)

    if not all(suite.at_once(compile_test, zip(TESTS, objects))):
        return
    program, report = folder / "tests", folder / "tests.xml"
    link = ["-o", program, "-Lbuild/lib", "-lstreams", f"-Wl,-rpath,{BUILD / 'lib'}", "-pthread"]
    if suite.command(f"all link with {name_of(compiler, standard)}", [compiler, *options, *objects, *link])[0]:
        report.unlink(missing_ok=True)
        status, _ = suite.run([program, "--reporters=junit", f"--out={report}"], timeout=300)
        python.count(suite, report, status, f"{name_of(compiler, standard)}: ")


def suite_cpp(suite):
    """Tests/Cpp in C++17 and C++20, with gcc and with clang and its sanitizers; each part of the header by itself; and what
    must not compile does not."""
    if not suite.needs("Include/streams.hpp", "Tests/Cpp", "build/lib/libstreams.so"):
        return
    check_coverage(suite)
    gcc17, gcc20, clang17, clang20 = compilers()
    run_tests(suite, *gcc17, ["-O0"])
    run_tests(suite, *clang20, ["-O0", *SANITIZERS])
    FOLDER.mkdir(parents=True, exist_ok=True)
    programs = FOLDER / "recipes.cpp"
    text, count = recipes()
    programs.write_text(text, encoding="utf-8")
    suite.check(f"{count} recipes", count >= 10, "are too few")
    checked = [(source, compiler) for source in [*TESTS, programs] for compiler in (gcc20, clang17)]
    checked.append((programs, clang20))
    for path in HEADERS:
        alone = FOLDER / f"alone_{path.stem}.cpp"
        alone.write_text(2 * f"#include <{path.relative_to(header_text.FOLDER)}>\n", encoding="utf-8")
        checked.append((alone, gcc17))
    suite.at_once(lambda part, each: compiles(part, each[0], *each[1], "-fsyntax-only"), checked)
    suite.at_once(check_misuse, REFUSED.items())
