"""Writes the site's first page, the guides and the search, beside the references.

    .venv/bin/python Tools/docs/front_door.py FOLDER

The references are in the folder already. Needs the virtual environment of `make check`.
"""

import html
import pathlib
import re
import shutil
import sys

sys.dont_write_bytecode = True
sys.path[:0] = [str(folder) for folder in pathlib.Path(__file__).resolve().parents[:2]]
import guide_pages  # noqa: E402
import search_index  # noqa: E402
import swift_site  # noqa: E402
from guides_list import GROUPS, ROOT, guides  # noqa: E402
from symbols import MODULES  # noqa: E402

SITE = pathlib.Path(__file__).resolve().parent / "site"
TABS = {"Swift": "swift", "C": "c", "C++": "cpp", "Python": "python"}


def filled(template, **values):
    """A template with what stands between braces replaced."""
    text = (SITE / template).read_text(encoding="utf-8")
    found = set(re.findall(r"\{\{(\w+)\}\}", text))
    if found - values.keys():
        raise ValueError(f"{template} needs {' '.join(found - values.keys())}")
    return re.sub(r"\{\{(\w+)\}\}", lambda match: str(values[match[1]]), text)


def put(path, text):
    path.write_text(text, encoding="utf-8")


def version():
    text = (ROOT / "Include" / "streams" / "base.h").read_text(encoding="utf-8")
    return ".".join(re.search(rf"define STREAMS_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def tabs():
    """README.md's program in each language, with what it prints."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    parts = []
    for number, (name, language) in enumerate(TABS.items()):
        found = re.search(rf"^```{language}\n(.*?)^```\n.*?^```text\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        code, printed = guide_pages.colored(found[1], language), html.escape(found[2])
        checked = " checked" if number == 0 else ""
        parts.append(
            f'<input type="radio" name="language" id="in-{language}"{checked}><label for="in-{language}">{name}</label>'
        )
        parts.append(f"<div><pre><code>{code}</code></pre><p>It prints</p><pre><code>{printed}</code></pre></div>")
    # The labels come first, in a row; each program follows its own by its number.
    return "\n".join(parts[::2] + parts[1::2])


def tab_style():
    """Which program is shown: that of the label that is chosen."""
    rules = [f"#in-{language}:checked ~ div:nth-of-type({number})" for number, language in enumerate(TABS.values(), 1)]
    return ", ".join(rules) + " { display: block; }"


def listed(pages):
    """The cards of the guides, a group in each."""
    for group in GROUPS:
        rows = [
            f'<li><a href="{page.guide.url}">{html.escape(page.title)}</a><span>{html.escape(page.guide.said)}</span></li>'
            for page in pages
            if page.guide.group == group
        ]
        yield f"<div><h3>{group}</h3><ul>\n" + "\n".join(rows) + "\n</ul></div>"


def headings(page):
    """The sections of a guide for the list beside it: with those below them, if there are few."""
    found = [(title, level, anchor) for title, level, anchor, _ in page.sections if 1 < level < 4 and title != "Overview"]
    deepest = 2 if sum(level == 2 for _, level, _ in found) > 2 else 3
    return [(title, anchor) for title, level, anchor in found if level <= deepest]


def contents(pages, current):
    """The list beside a guide: all of them, and the sections of this one."""
    lines = []
    for group in GROUPS:
        lines.append(f"<h2>{group}</h2>\n<ul>")
        for page in (page for page in pages if page.guide.group == group):
            url = page.guide.url.removeprefix("guides/")
            here = ' aria-current="page"' if page is current else ""
            shown = headings(page) if page is current else []
            parts = "".join(f'\n<li><a href="#{anchor}">{html.escape(title)}</a></li>' for title, anchor in shown)
            below = f"\n<ul>{parts}\n</ul>" if parts else ""
            lines.append(f'<li><a href="{url}"{here}>{html.escape(page.title)}</a>{below}</li>')
        lines.append("</ul>")
    return "\n".join(lines)


def section(pages, name, title):
    """The anchor of a section of a guide, by the words that its title has."""
    (page,) = (page for page in pages if page.guide.source.name == name)
    (anchor,) = (anchor for heading, _, anchor, _ in page.sections if heading == title)
    return anchor


def write_guides(folder, pages, links):
    (folder / "guides" / "pictures").mkdir(parents=True, exist_ok=True)
    for page in pages:
        body = filled("guide.html", contents=contents(pages, page), article=page.html)
        title = f"{html.escape(page.title)} – Streams"
        put(
            folder / page.guide.url, filled("page.html", root="../", kind="guide", title=title, version=version(), body=body)
        )
        for name, text in page.drawings.items():
            put(folder / "guides" / "pictures" / name, text)
    for name, source in links.pictures.items():
        shutil.copyfile(source, folder / "guides" / "pictures" / name)


def write_landing(folder, pages, found):
    """The first page; it says how many names the references have."""
    names = {kind: sum(entry[1] == kind for entry in found) for kind in ("Swift", "Python")}
    functions = len(search_index.functions())
    topic = "Show what has changed, and nothing else"
    body = filled(
        "landing.html",
        tabs=tabs(),
        guides="\n".join(listed(pages)),
        swift_count=f"{names['Swift']:,}",
        module_count=len(MODULES),
        c_topics=f"c/{guide_pages.topics(folder)}",
        c_count=f"{functions:,}",
        python_count=f"{names['Python']:,}",
        scopes_c=section(pages, "c.md", topic),
        scopes_python=section(pages, "python.md", topic),
    )
    title = "Streams: Combine on Linux, for Swift, C, C++ and Python"
    put(folder / "index.html", filled("page.html", root="", kind="landing", title=title, version=version(), body=body))


def add_ways_home(folder):
    """The pages of Doxygen and pdoc get a link to the first page, as docc's do from their script."""
    for path in sorted([*(folder / "c").glob("*.html"), *(folder / "python").rglob("*.html")]):
        root = "../" * len(path.relative_to(folder).parents[1:])
        link = f'<a class="way-home" href="{root}index.html">Streams</a>'
        style = f'<link rel="stylesheet" href="{root}home.css">'
        text = path.read_text(encoding="utf-8").replace("</head>", f"{style}</head>", 1)
        put(path, re.sub(r"(<body[^>]*>)", rf"\1{link}", text, count=1))


def write(folder):
    links = guide_pages.Links(folder, guides(), {name: place for name, _, place, *_ in search_index.of_c()})
    pages = [guide_pages.Page(guide, links) for guide in guides()]
    found = search_index.entries(folder, pages)
    write_guides(folder, pages, links)
    write_landing(folder, pages, found)
    put(folder / "search-index.js", search_index.script(found))
    put(
        folder / "site.css",
        "\n".join([(SITE / "site.css").read_text(encoding="utf-8"), tab_style(), guide_pages.style(), ""]),
    )
    for name in ("site.js", "home.css"):
        shutil.copyfile(SITE / name, folder / name)
    shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE.txt")


if __name__ == "__main__":
    site = pathlib.Path(sys.argv[1])
    swift_site.move(site / "swift")
    add_ways_home(site)
    write(site)
