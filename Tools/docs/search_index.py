"""What the site's search finds: sections of guides, and the names of the three references."""

import functools
import html
import json
import re
import sys
from xml.etree import ElementTree

import swift_site
from guides_list import ROOT
from symbols import TAGS

sys.path.insert(0, str(ROOT / "Tools"))
import header_text  # noqa: E402  Tools/header_text.py

# Whose members other classes inherit, the first one last.
BASES = ["Subject", "Publisher"]
MOST = 160  # of what is said of a name
# The first paragraph of a function's comment, and its name.
COMMENT = re.compile(r"/\*\n \* ([^\n]*(?:\n \* [^\n]*)*)(?:\n \*[^\n]*)*?\n \*/\nSTREAMS_API [^;]*?(\w+)\(")


def of_guides(pages):
    """An entry for each section, with all its words."""
    for page in pages:
        for title, level, anchor, words in page.sections:
            url = page.guide.url + (f"#{anchor}" if level > 1 else "")
            text = " ".join(words.split())
            yield title, "Guide", url, page.title if level > 1 else page.guide.said, text.lower()


def of_swift(folder):
    """The symbols, with the name of what each belongs to."""
    found = dict(swift_site.pages(folder))
    for name, data in found.items():
        if data.get("kind") != "symbol":
            continue
        metadata = data["metadata"]
        owner = found.get(name.rpartition("/")[0], {}).get("metadata", {})
        is_member = owner and owner.get("symbolKind") != "module"
        title = f"{owner['title']}.{metadata['title']}" if is_member else metadata["title"]
        module = metadata["modules"][0]["name"] if metadata.get("modules") else ""
        said = "".join(part.get("text", part.get("code", "")) for part in data.get("abstract", []))
        yield title, "Swift", swift_site.url(name), shortened(f"{metadata.get('roleHeading', '')} of {module}. {said}"), ""


@functools.cache
def functions():
    """What the comments of the headers' functions say first, by their names."""
    return {name: text for text, name in COMMENT.findall(header_text.text())}


def of_c():
    """Functions, types, macros and constants, by the tags that Doxygen writes."""
    comments = functions()
    seen = {}
    for compound in ElementTree.parse(TAGS).getroot().iter("compound"):
        rank = {"group": 0, "struct": 1, "file": 2}.get(compound.get("kind"))
        for member in compound.findall("member") if rank is not None else ():
            name = member.findtext("name")
            if not re.match(r"streams_|STREAMS_", name):
                continue
            file = member.findtext("anchorfile")
            said = comments.get(name, "").replace("\n *", " ") or f"{member.get('kind')} {member.findtext('arglist') or ''}"
            entry = name, "C", f"c/{file}#{member.findtext('anchor')}", shortened(said), ""
            if name not in seen or rank < seen[name][0]:
                seen[name] = rank, entry
        if compound.get("kind") == "struct":
            name = compound.findtext("name")
            seen[name] = -1, (name, "C", f"c/{compound.findtext('filename')}", "struct", "")
    yield from (entry for _, entry in sorted(seen.values()))


def owner_of(each):
    return each.get("qualname", "").rpartition(".")[0]


def member(each):
    """What tells a member of a class from others of its name: what is said of it. None for what is no member."""
    owner, _, name = each.get("qualname", "").rpartition(".")
    return (name, each.get("doc")) if owner else None


def of_python(folder):
    """The names of the package, by the index that pdoc writes, as a list or, where there is node, compiled."""
    text = (folder / "search.js").read_text(encoding="utf-8")
    index = json.JSONDecoder().raw_decode(text, re.search(r"/\*\* pdoc search index \*/const docs = ", text).end())[0]
    found = index if isinstance(index, list) else list(index["documentStore"]["docs"].values())
    inherited = {part: owner for owner in BASES for each in found if (part := member(each)) and owner_of(each) == owner}
    for each in found:
        name, module = each.get("qualname", ""), each["modulename"]
        if inherited.get(member(each), owner_of(each)) != owner_of(each):
            continue  # shown at each class, found at the first
        page = f"python/{module.replace('.', '/')}.html"
        first = re.sub(r"<[^>]+>", "", each.get("doc", "").partition("</p>")[0])
        full = f"{module.removeprefix('streams').lstrip('.')}.{name}".strip(".") or module
        yield full, "Python", f"{page}#{name}" if name else page, shortened(f"{each['kind'].capitalize()}. {first}"), ""


def shortened(text):
    text = " ".join(html.unescape(text).split())
    return text if len(text) <= MOST else text[:MOST].rpartition(" ")[0] + " …"


def entries(folder, pages):
    """All, in an order that does not depend on that of files."""
    found = [*of_guides(pages), *of_swift(folder / "swift"), *of_c(), *of_python(folder / "python")]
    return sorted(set(found), key=lambda entry: (entry[1], entry[0], entry[2]))


def script(found):
    lines = ",\n".join(json.dumps(entry, ensure_ascii=False, separators=(",", ":")) for entry in found)
    return f"window.streamsIndex=[\n{lines}\n];\n"
