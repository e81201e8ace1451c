"""Guides as pages: what is special in their Markdown, and where their links lead."""

import html
import os
import re
import urllib.parse

import marbles
import spellings
import swift_site
from guides_list import ROOT
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.anchors import anchors_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

FORMATTER = HtmlFormatter(nowrap=True)
STYLES = {"": "xcode", "dark": "github-dark"}


def slug(title):
    """The anchor of a heading, as forges make it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def style():
    """The colors of code, for light and for dark pages."""
    light, dark = (HtmlFormatter(style=name).get_style_defs("code") for name in STYLES.values())
    light, dark = (re.sub(r"background(-color)?: #\w+;? ?", "", text) for text in (light, dark))
    return f"{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}"


def colored(code, language):
    try:
        lexer = get_lexer_by_name({"console": "text", "": "text", "sh": "bash"}.get(language, language))
    except ClassNotFound:
        raise ValueError(f"no language of code: {language}") from None
    return highlight(code, lexer, FORMATTER)


class Page:
    """A guide as HTML, with its title, its headings and what it says below each."""

    def __init__(self, guide, links):
        self.guide, self.links = guide, links
        self.drawings = {}  # names and texts of files
        text = guide.source.read_text(encoding="utf-8")
        text = text.replace("```spellings", "```spellings\n", 1)
        text = re.sub(r"```spellings\n.*?```", lambda _: spellings.tables(), text, flags=re.DOTALL)
        parser = MarkdownIt("commonmark").enable("table").use(anchors_plugin, max_level=4, slug_func=slug)
        self.tokens = parser.parse(text)
        self.sections = list(self._sections())
        self.title = guide.title or self.sections[0][0]
        for token in self.tokens:
            self._rewrite(token)
        self.html = parser.renderer.render(list(self._framed()), parser.options, {})

    def _sections(self):
        """The headings with their levels and anchors, and the text below each."""
        heading, words = None, []
        for index, token in enumerate(self.tokens):
            if token.type == "heading_open":
                if heading:
                    yield (*heading, " ".join(words))
                title = plain(self.tokens[index + 1])
                heading, words = (title, int(token.tag[1]), token.attrGet("id")), []
            elif token.type == "inline" and self.tokens[index - 1].type != "heading_open":
                words.append(plain(token))
            elif token.type == "fence" and token.info.strip() != "marbles":
                words.append(token.content)
        yield (*heading, " ".join(words))

    def _rewrite(self, token):
        """Links lead to pages of the site, and links to symbols are links."""
        children, left = [], []
        for child in token.children or []:
            if child.type == "link_open":
                href = self.links.target(self.guide, child.attrGet("href"))
                left.append(href)
                if href is None:
                    where = html.escape(urllib.parse.unquote(child.attrGet("href")))
                    child.type, child.tag, child.nesting = "html_inline", "", 0
                    child.content = f'<span class="in-sources" title="In the sources: {where}">'
                else:
                    child.attrSet("href", href)
            elif child.type == "link_close" and left.pop() is None:
                child.type, child.tag, child.nesting, child.content = "html_inline", "", 0, "</span>"
            elif child.type == "text" and children and children[-1].attrGet("href") and child.content.startswith("doc:"):
                child.content = self.links.title(child.content)
            elif child.type == "code_inline" and child.markup == "``":
                self._symbol(child)
            elif child.type == "code_inline" and not left and (href := self.links.named(child.content)):
                self._link(child, href, child.content)
            elif child.type == "image":
                child.attrSet("src", self.links.picture(self.guide, child.attrGet("src")))
            children.append(child)

    def _symbol(self, token):
        shown = re.sub(r"-(\w{4,5}|swift\.\w+)$", "", token.content).rpartition("/")[2]
        self._link(token, self.links.symbol(token.content), shown)

    def _link(self, token, href, shown):
        """Makes code a link, if it leads somewhere."""
        token.type, token.tag, token.content = "html_inline", "", f"<code>{html.escape(shown)}</code>"
        if href:
            token.content = f'<a href="{html.escape(href)}">{token.content}</a>'

    def _framed(self):
        """The tokens, with anchors that can be seen, tables that scroll, colored code and drawings."""
        was_code = False
        for token in self.tokens:
            if token.type == "fence":
                yield self._fence(token, was_code)
            elif token.type in ("table_open", "table_close"):
                parts = ['<div class="table">', token] if token.nesting > 0 else [token, "</div>"]
                yield from (raw(part) if isinstance(part, str) else part for part in parts)
            elif token.type == "heading_close" and token.tag != "h1":
                yield raw(f'<a class="anchor" href="#{self._anchor}" aria-label="Link to this">#</a>')
                yield token
            else:
                if token.type == "heading_open":
                    self._anchor = token.attrGet("id")
                yield token
            was_code = token.type == "fence" and token.info.strip() != "text"

    def _fence(self, token, was_code):
        language = token.info.strip()
        if language == "marbles":
            return self._drawing(token.content)
        kind = ' class="printed"' if language == "text" and was_code else ""
        return raw(f"<pre{kind}><code>{colored(token.content, language)}</code></pre>\n")

    def _drawing(self, diagram):
        stem = f"{self.guide.source.stem.lower()}-{len(self.drawings) // 2 + 1}"
        for ending, text in marbles.draw(diagram).items():
            self.drawings[f"{stem}{ending.replace('~', '-')}.svg"] = text
        dark = f'<source srcset="pictures/{stem}-dark.svg" media="(prefers-color-scheme: dark)">'
        image = f'<img src="pictures/{stem}.svg" alt="{html.escape(marbles.describe(diagram))}">'
        return raw(f"<p><picture>{dark}{image}</picture></p>\n")


def topics(folder):
    """Doxygen's list of its groups, which older ones call modules."""
    return next(name for name in ("topics.html", "modules.html") if (folder / "c" / name).exists())


def raw(text):
    return Token("html_block", "", 0, content=text)


def plain(token):
    """The words, without marks; a link without a text of its own has the name of an article."""
    words = (child.content or " " for child in token.children or [])
    return "".join(word[4:].replace("-", " ") if word.startswith("doc:") else word for word in words)


class Links:
    """Where the links of guides lead to, relative to the folder of the guides."""

    def __init__(self, folder, guides, names):
        self.folder = folder
        self.names = names  # of C, with their places in the site
        self.guides = {guide.source: guide for guide in guides}
        self.articles = {guide.source.stem: guide for guide in guides}
        self.pictures = {}  # the names of files in the folder of the guides, and where they are from

    def target(self, guide, href):
        """None if only the sources have it."""
        if href.startswith("doc:"):
            return os.path.basename(self.articles[href[4:]].url)
        if re.match(r"\w+:|#", href):
            return href
        path, _, fragment = urllib.parse.unquote(href).partition("#")
        source = (guide.source.parent / path).resolve()
        if source in self.guides:
            return os.path.basename(self.guides[source].url) + ("#" + fragment if fragment else "")
        if source.suffix in (".png", ".svg"):
            return self.picture(guide, href)
        return self._reference(source.relative_to(ROOT))

    def _reference(self, path):
        """The page of a reference that is about a file or folder of the sources."""
        places = {
            "LICENSE": "LICENSE.txt",
            "Bindings/Python": "python/streams.html",
            "Include/streams": f"c/{topics(self.folder)}",
        }
        place = places.get(str(path))
        if path.parts[0] == "Include" and path.suffix == ".h":
            place = f"c/{path.stem.replace('_', '__')}_8h.html"
            if path.name == "streams.h":
                place = "c/index.html"
        elif path.parts[0] == "Sources" and len(path.parts) == 2:
            place = f"swift/documentation/{path.name.lower()}/index.html"
        elif path.parts[-2:] in (("Streams.docc", "Guides"), ("Streams.docc", "Articles")):
            place = "index.html#guides"
        return f"../{place}" if place and (self.folder / place.partition("#")[0]).exists() else None

    def title(self, link):
        """What stands in place of a link's own text."""
        source = self.articles[link[4:]].source
        return source.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")

    def named(self, code):
        """The place of a function, type or macro of C that stands by itself."""
        place = self.names.get(code.removesuffix("()"))
        return f"../{place}" if place else None

    def symbol(self, name):
        """That of a symbol of Swift's, as docc's links write it."""
        page = f"streams/{name.lower()}"
        return f"../{swift_site.url(page)}" if swift_site.path(self.folder / "swift", page).exists() else None

    def picture(self, guide, src):
        source = (guide.source.parent / src).resolve()
        self.pictures[source.name] = source
        return f"pictures/{source.name}"
