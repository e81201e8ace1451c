"""Suites that run the examples."""

import xml.etree.ElementTree

from . import python
from .settings import BUILD, BUILT, CC, RELEASE, ROOT, STRICT, SWIFT

OBSERVABLE = ROOT / "Examples" / "observable"
# Of views, which Swift alone has in this form.
VIEWS = ROOT / "Examples" / "views"


def suite_demo(suite):
    """The three programs of `make demo` print the same, and the picture is one. The programs of observable state, and those
    of README.md in Swift, print what they are to print."""
    if not suite.needs("Examples/C/seattle.c", "Examples/Python/seattle.py", "Examples/Swift"):
        return
    picture = BUILD / "seattle.svg"
    outputs = {name: BUILD / "demo" / f"{name}.txt" for name in ("c", "python", "swift")}
    for path in (picture, *outputs.values()):
        path.unlink(missing_ok=True)
    suite.command("make demo", ["make", "demo"], timeout=900)
    texts = {name: path.read_bytes() if path.exists() else b"" for name, path in outputs.items()}
    suite.check("C prints something", len(texts["c"]) > 0)
    suite.check("Python prints what C prints", texts["c"] == texts["python"])
    suite.check("Swift prints what C prints", texts["c"] == texts["swift"])
    try:
        shapes = sum(1 for _ in xml.etree.ElementTree.parse(picture).iter())
        suite.check("the picture is an SVG", shapes > 10, "is empty")
    except (OSError, xml.etree.ElementTree.ParseError) as error:
        suite.check("the picture is an SVG", False, str(error))
    observes(suite)
    python.run_tests(suite, *python.IN_SWIFT)


def observes(suite):
    for path in sorted(OBSERVABLE.glob("*.txt")):
        program = BUILD / "demo" / path.stem
        source = f"Examples/C/observable/{path.stem}.c"
        command = [CC, "-std=c11", *STRICT, "-IInclude", source, "-o", program, "-Lbuild/lib", "-lstreams"]
        if suite.command(f"{source} compiles", [*command, f"-Wl,-rpath,{BUILD / 'lib'}"])[0]:
            prints(suite, source, path, program)
    build = [SWIFT, "build", "--package-path", "Examples/Swift", *RELEASE]
    if not suite.command("the examples build", build, timeout=900)[0]:
        return
    for path in sorted([*OBSERVABLE.glob("*.txt"), *VIEWS.glob("*.txt")]):
        prints(suite, path.stem, path, BUILT["release"] / path.stem)


def prints(suite, name, expected, program):
    _, text = suite.command(f"{name} runs", [program], split=True)
    suite.check(f"{name} prints what it is to print", text == expected.read_text(encoding="utf-8"), text)
