"""The suite of the references, the guides and the site around them."""

import re
import sys

from .library import declared_functions
from .settings import BUILD, PYTHON, ROOT
from .site import check_in_browser, check_links, check_self_contained, check_ways_home

sys.path.insert(0, str(ROOT / "Tools" / "docs"))
import guides  # noqa: E402  Tools/docs/guides.py
import site_builder  # noqa: E402  Tools/docs/site_builder.py
import swift_site  # noqa: E402  Tools/docs/swift_site.py
import symbols  # noqa: E402  Tools/docs/symbols.py

SITE = BUILD / "docs"


def suite_docs(suite):
    """No tool warns, all that is public is documented, every operator is in a guide, and the guides are true."""
    for name, command in site_builder.steps(SITE):
        if not suite.command(name, command, timeout=900)[0]:
            return
    for module in symbols.MODULES:
        missing = symbols.undocumented(module)
        count = len(symbols.symbols(module))
        suite.check(f"{module}: {count} documented symbols", count and not missing, "\n    ".join(missing))
        suite.check(f"{module} has a page", (SITE / "swift" / "documentation" / module.lower() / "index.html").exists())
    in_guides = "\n".join(guides.code(path) for path in guides.articles() if path.parent.name == "Guides")
    operators = symbols.operators()
    suite.check(f"{len(operators)} operators", len(operators) > 60, "are too few")
    for operator in operators:
        called = re.search(rf"(?:\.|`){operator}(?=[\s(`])", in_guides)
        suite.check(f"{operator} is in a guide", called, "is not")
    check_pages(suite)
    check_references(suite)
    check_examples(suite)
    check_links(suite, SITE)
    check_self_contained(suite, SITE)
    check_ways_home(suite, SITE)
    check_in_browser(suite, SITE)


def check_pages(suite):
    """On the pages that sort their symbols into groups of their own, nothing is left for groups that docc makes."""
    for path in guides.articles():
        title = re.match(r"# ``([\w/]+)``", path.read_text(encoding="utf-8"))
        if title:
            sections = swift_site.read(SITE / "swift", title[1].lower()).get("topicSections", [])
            left = [name for section in sections if section.get("generated") for name in section["identifiers"]]
            names = " ".join(name.rsplit("/", 1)[1] for name in left)
            suite.check(f"{title[1]}: groups", sections and not left, f"{path.relative_to(ROOT)} lacks {names}")


def check_references(suite):
    """The references of C and of Python have what the header and the package have."""
    pages = "".join(path.read_text(encoding="utf-8") for path in (SITE / "c").glob("group__*.html"))
    functions = declared_functions(suite)
    missing = [name for name in functions if f"</span>{name}()</h2>" not in pages]
    suite.check(f"C: {len(functions)} functions", functions and not missing, " ".join(missing))
    page = (SITE / "python" / "streams.html").read_text(encoding="utf-8")
    methods = "(f'Publisher.{name}' for name in dir(streams.Publisher) if name[0] != '_')"
    _, text = suite.run([PYTHON, "-c", f"import streams; print(*streams.__all__, *{methods})"], split=True)
    modules = {path.stem for path in (SITE / "python" / "streams").glob("*.html")}
    missing = [name for name in text.split() if name not in modules and f'id="{name}"' not in page]
    suite.check(f"Python: {len(text.split())} names", text and not missing, " ".join(missing))


def check_examples(suite):
    """Runs the examples, and compares what each prints with what is shown."""
    _, text = suite.command("the examples run", [site_builder.PROGRAM], split=True, quiet=True, timeout=120)
    printed = guides.outputs(text)
    for example in guides.examples():
        difference = guides.difference(example, printed.get(example.name, "nothing: it did not run"))
        suite.check(example.name, not difference, difference)
