"""The site's own pages: where their links lead, and what its search finds in a browser."""

import contextlib
import functools
import html.parser
import http.server
import pathlib
import re
import shutil
import tempfile
import threading
import urllib.parse

# What each finds, by kinds and names, in any order: at least these.
SEARCHES = {
    "debounce": [
        ("Swift", "Publisher.debounce(for:scheduler:options:)"),
        ("C", "streams_debounce"),
        ("Python", "Publisher.debounce"),
        ("Guide", "Wait for a pause: debounce"),
    ],
    "streams_sink": [("C", "streams_sink")],
    "PassthroughSubject": [("Swift", "PassthroughSubject"), ("Python", "PassthroughSubject")],
    "fork": [("Guide", "What it does not do")],
    "quux": [],
}
HIT = re.compile(r'<a href="([^"]*)"[^>]*><i>(\w+)</i><b>([^<]*)</b>')


class Page(html.parser.HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], {""}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src"):
                self.links.append(value)
            elif name == "srcset":
                self.links += [each.split()[0] for each in value.split(",")]
            elif name in ("id", "name"):
                self.anchors.add(value)


def own_pages(site):
    return [site / "index.html", *sorted((site / "guides").glob("*.html"))]


def check_links(suite, site):
    """Every link of every page of our own, and of the search's index, leads to a file and a place in it."""

    @functools.cache
    def page(path):
        return Page(path.read_text(encoding="utf-8", errors="replace"))

    def fault(source, link):
        path, _, anchor = link.partition("#")
        path = urllib.parse.unquote(path.partition("?")[0])
        target = (source.parent / path).resolve() if path else source
        if not target.is_file() or not target.is_relative_to(site):
            return f"{link}: no such file"
        # docc's pages are made by their script.
        if anchor and not target.is_relative_to(site / "swift") and urllib.parse.unquote(anchor) not in page(target).anchors:
            return f"{link}: no such place"
        return None

    index = re.findall(r'^\["(?:[^"\\]|\\.)*","\w+","([^"]+)"', (site / "search-index.js").read_text(encoding="utf-8"), re.M)
    sources = {path: page(path).links for path in own_pages(site)} | {site / "search-index.js": index}
    for source, links in sources.items():
        inner = [link for link in links if not re.match(r"https?:", link)]
        faults = sorted({found for link in inner if (found := fault(source, link))})
        name = source.relative_to(site)
        suite.check(f"{name}: {len(inner)} links", len(inner) > 3 and not faults, "\n    ".join(faults[:20]))


def check_self_contained(suite, site):
    """No page of our own loads anything from a network."""
    for path in (*own_pages(site), site / "site.css", site / "site.js", site / "home.css"):
        text = path.read_text(encoding="utf-8")
        found = re.findall(r'(?:src|srcset)="(?:https?:)?//[^"]*|<link[^>]*href="(?:https?:)?//[^"]*', text)
        if path.suffix != ".html":
            found = re.findall(r"(?:url\(|@import|fetch\(|https?:).*", text)
        suite.check(f"{path.name} loads nothing from elsewhere", not found, " ".join(found))


def check_ways_home(suite, site):
    """Each page of the references leads to the first page."""
    for reference, least in (("c", 50), ("python", 1)):
        texts = {path: path.read_text(encoding="utf-8") for path in sorted((site / reference).rglob("*.html"))}
        # Without frames, and pages that lead to others at once.
        pages = [path for path, text in texts.items() if path.parent.name != "search" and "<body" in text]
        lost = []
        for path in pages:
            found = re.search(r'<a class="way-home" href="([^"]*)"', texts[path])
            if not found or (path.parent / found[1]).resolve() != site / "index.html":
                lost.append(path.name)
        suite.check(f"{reference}: {len(pages)} ways home", len(pages) > least and not lost, " ".join(lost))


def check_in_browser(suite, site):
    """The search finds names, and the references can be read, as files and from a server, in any folder."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        suite.say("there is no browser: chromium")
        suite.add(0, 0, 1, [])
        return
    with serving(site.parent) as server:
        for kind, root in (("files", site.as_uri()), ("a server", f"{server}/{site.name}")):
            for query, expected in SEARCHES.items():
                check_search(suite, browser, kind, root, query, expected)
            check_reference(suite, browser, kind, f"{root}/swift/documentation/streams/passthroughsubject/index.html")
    check_clicks(suite, browser, site / "swift")


def check_search(suite, browser, kind, root, query, expected):
    for page in ("index.html", "guides/timing.html") if expected else ("index.html",):
        text = shown(suite, browser, f"{root}/{page}?q={urllib.parse.quote(query)}")
        hits = HIT.findall(html.unescape(text))
        names = [(each, name) for _, each, name in hits]
        missing = [each for each in expected if each not in names]
        good = not missing and bool(hits) == bool(expected)
        suite.check(f"{page}, {kind}: {query} in {len(hits)} hits", good, f"{missing} not in {names}")


def title(text):
    """The heading of a page of docc's; the first is that for who has no JavaScript."""
    return re.sub(r"<[^>]+>", "", re.findall(r"<h1[^>]*>(.*?)</h1>", text, re.DOTALL)[-1])


def check_reference(suite, browser, kind, url):
    text = shown(suite, browser, url)
    suite.check(f"Swift's reference, {kind}", title(text) == "PassthroughSubject", f"shows {title(text)}")
    links = set(re.findall(r'href="([^"#?]*/documentation/[^"#?]*)"', text))
    suite.check(f"{len(links)} links there, {kind}", len(links) > 5, "are too few")
    home = re.search(r'<a class="way-home" href="([^"]*)"', text)
    expected = url.partition("/swift/")[0] + "/index.html"
    suite.check(f"its way home, {kind}", home and home[1] == expected, f"leads to {home and home[1]}")


CLICK = """<script>
const clicking = setInterval(() => {
  const link = [...document.links].find((each) => each.pathname.endsWith("/streams/sources-and-subjects"));
  if (link) (clearInterval(clicking), link.click());
}, 50);
</script></body>"""


def check_clicks(suite, browser, reference):
    """Links from one page to another work in files, too: in a copy of two pages, of which one follows a link itself."""
    names = ["streams/passthroughsubject", "streams/sources-and-subjects"]
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder, "a copy")
        for part in ("js", "css", "index"):
            shutil.copytree(reference / part, copy / part)
        files = ["anywhere.js", *(f"data/documentation/{name}.js" for name in names)]
        for name in (*files, *(f"documentation/{name}/index.html" for name in names)):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(reference / name, copy / name)
        first = copy / "documentation" / names[0] / "index.html"
        first.write_text(first.read_text(encoding="utf-8").replace("</body>", CLICK), encoding="utf-8")
        text = shown(suite, browser, first.as_uri())
    suite.check("a link of Swift's reference, files", title(text) == "Sources and subjects", f"leads to {title(text)}")


def shown(suite, browser, url):
    """The page as it is when its scripts have run."""
    with tempfile.TemporaryDirectory() as folder:
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={folder}"]
        command = [browser, *options, "--virtual-time-budget=20000", "--timeout=60000", "--dump-dom", url]
        return suite.run(command, timeout=120, split=True, quiet=True)[1]


@contextlib.contextmanager
def serving(folder):
    """A server of the folder's files on this machine, and its address."""
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass
