"""Makes docc's pages work in any folder of a server, and as files: their paths become relative, and their data scripts. And
makes them the same each time: docc writes keys in any order, and leaves out some of what it knows, now here and now there.
"""

import json
import pathlib
import re
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
SCRIPT = "anywhere.js"
# For docc itself, when it converts other modules.
UNUSED = ["link-hierarchy.json", "linkable-entities.json", "metadata.json"]


def move(folder):
    """Rewrites the site in the folder."""
    (folder / SCRIPT).write_bytes((HERE / "site" / SCRIPT).read_bytes())
    for name in UNUSED:
        (folder / name).unlink()
    for path in sorted(folder.rglob("*.html")):
        root = "../" * len(path.relative_to(folder).parents[1:]) or "./"
        path.write_text(relative(path.read_text(encoding="utf-8"), root), encoding="utf-8")
    found = {
        path: json.loads(path.read_text(encoding="utf-8"))
        for part in ("data", "index")
        for path in (folder / part).rglob("*.json")
    }
    complete(found.values())
    for path, data in found.items():
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        path.with_suffix(".js").write_text(f"streamsData({text});\n", encoding="utf-8")
        path.unlink()


def relative(page, root):
    """The page with paths that begin at the site's folder."""
    script = f'<script src="{root}{SCRIPT}" data-root="{root}"></script>'
    page, count = re.subn(r'<script>var baseUrl = "/"</script>', script, page)
    if count != 1:
        raise ValueError("docc's pages are not what they were: they have no baseUrl")
    return re.sub(r'( (?:href|src)=")/(?=\w)', rf"\1{root}", page)


def complete(found):
    """What a symbol's page says about the types that have it stands wherever the symbol is listed."""
    known = {}
    for data in found:
        if "conformance" in data.get("metadata", {}):
            known[data["identifier"]["url"]] = data["metadata"]["conformance"]
    for data in found:
        for name, reference in data.get("references", {}).items():
            if name in known:
                reference.setdefault("conformance", known[name])


def url(page):
    """Where a page is in the site, by its path below documentation."""
    return f"swift/documentation/{urllib.parse.quote(page, safe='/()_')}/index.html"


def path(folder, page):
    """The file with the data of a page."""
    return folder / "data" / "documentation" / f"{page}.js"


def read(folder, page):
    """The data of a page."""
    return json.loads(path(folder, page).read_text(encoding="utf-8").removeprefix("streamsData(").removesuffix(");\n"))


def pages(folder):
    """The paths of all pages below documentation, and their data."""
    data = folder / "data" / "documentation"
    for path in sorted(data.rglob("*.js")):
        name = path.relative_to(data).as_posix().removesuffix(".js")
        yield name, read(folder, name)
