"""Marble diagrams: reads their text, and draws them.

    letters   -a-b-|            a source, played to each subscriber; `hot` before its name plays it once
    subscribe ^---!             when the next expression is subscribed to and cancelled, if not from the beginning
    letters.map { $0 + $0 }     an expression; lines that begin with blanks and a full stop continue it
              -'aa'-'bb'-|      what comes of it

The notation of the streams is that of StreamsTesting: a character is a moment, `-` one in which nothing happens, `|`
the finish, `#` a failure; a group in parentheses is one moment, and so is a value in quotes.
"""

import dataclasses
import html
import re


@dataclasses.dataclass
class Row:
    kind: str
    """What it shows: a source, subscribe, an expression or a result."""
    text: str
    name: str = ""
    is_hot: bool = False


@dataclasses.dataclass
class Mark:
    kind: str
    """A value, or the character that stands for an event."""
    name: str
    moment: int


def rows(text):
    """The rows of a diagram."""
    found = []
    for line in text.splitlines():
        named = re.match(r"(hot )?(\w+) +(\S.*)$", line)
        if line.startswith(" ") and line.strip().startswith("."):
            found[-1].text += "\n  " + line.strip()
        elif line.startswith(" "):
            found.append(Row("result", line.strip()))
        elif named and named[2] == "subscribe":
            found.append(Row("subscribe", named[3]))
        elif named and is_stream(named[3]):
            found.append(Row("source", named[3], named[2], bool(named[1])))
        elif line.strip():
            found.append(Row("expression", line.strip()))
    return found


def is_stream(text):
    """Whether this is a stream and not the rest of an expression that begins with a word and a blank."""
    return re.fullmatch(r"(?:'[^']*'|[^\s.{}'])(?:'[^']*'|[^.{}'])*", text) is not None


def marks(text):
    """What happens in a stream, and when."""
    found, moment, is_grouped = [], 0, False
    for quoted, character in re.findall(r"'([^']*)'|(\S)", text):
        if character in ("(", ")"):
            is_grouped = character == "("
        elif character != "-":
            kind = character if character and character in "|#^!" else "value"
            found.append(Mark(kind, quoted or character, moment))
        if not is_grouped:
            moment += 1
    return found


EVENTS = {"|": "the finish", "#": "a failure", "^": "subscribed", "!": "cancelled"}


def describe(text):
    """A diagram in words, for who cannot see it."""
    sentences = []
    for row in rows(text):
        if row.kind == "expression":
            sentences.append(f"{' '.join(row.text.split())} gives")
        else:
            happens = [f"{EVENTS.get(mark.kind, mark.name)} at {mark.moment}" for mark in marks(row.text)]
            sentences.append(f"{row.name}: {', '.join(happens)}." if row.name else f"{', '.join(happens)}.")
    return " ".join(sentences)


# ---- drawing ---------------------------------------------------------------------------------------------------------

UNIT = 34  # a moment
RADIUS = 13
ROW = 40
GUTTER = 96  # the names of the sources
CHARACTER = 7.9  # of the expressions
LINE = 20
COLORS = ["#8ecae6", "#ffb703", "#a7c957", "#f28482", "#cdb4db", "#f6bd60", "#84dcc6", "#bde0fe"]
INKS = {"": ("#1d1d1f", "#6e6e73", "#f5f5f7"), "~dark": ("#f5f5f7", "#a1a1a6", "#2c2c2e")}


class Drawing:
    """An SVG of a diagram, from top to bottom."""

    def __init__(self, diagram, ink, pencil, paper):
        self.ink, self.pencil, self.paper = ink, pencil, paper
        self.rows = rows(diagram)
        streams = [marks(row.text) for row in self.rows if row.kind != "expression"]
        self.names = sorted({mark.name for stream in streams for mark in stream if mark.kind == "value"})
        moments = max(mark.moment for stream in streams for mark in stream) + 1
        lines = [line for row in self.rows if row.kind == "expression" for line in row.text.splitlines()]
        self.right = GUTTER + moments * UNIT + 10
        self.width = max(self.right + 10, 40 + CHARACTER * max(len(line) for line in lines))
        self.y = 8
        self.parts = []

    def svg(self):
        for row in self.rows:
            if row.kind == "expression":
                self.expression(row.text.splitlines())
            else:
                self.stream(row)
        size = f'width="{self.width:.0f}" height="{self.y + 8:.0f}" viewBox="0 0 {self.width:.0f} {self.y + 8:.0f}"'
        fonts = 'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {fonts}>\n' + "\n".join(self.parts) + "\n</svg>\n"

    def add(self, tag, text=None, **attributes):
        names = " ".join(f'{name.replace("_", "-")}="{value}"' for name, value in attributes.items())
        self.parts.append(f"<{tag} {names}/>" if text is None else f"<{tag} {names}>{html.escape(text)}</{tag}>")

    def text(self, text, x, y, color, anchor="middle"):
        self.add("text", text, x=x, y=y + 4.5, fill=color, text_anchor=anchor, xml__space="preserve")
        self.parts[-1] = self.parts[-1].replace("xml--space", "xml:space")

    def expression(self, lines):
        height = LINE * len(lines) + 12
        self.add(
            "rect",
            x=8,
            y=self.y + 4,
            width=f"{self.width - 16:.0f}",
            height=height,
            rx=8,
            fill=self.paper,
            stroke=self.pencil,
        )
        for index, line in enumerate(lines):
            self.text(line, 20, self.y + 20 + index * LINE, self.ink, "start")
        self.y += height + 10

    def stream(self, row):
        happens = marks(row.text)
        moments = {}
        for mark in happens:
            moments.setdefault(mark.moment, []).append(mark)
        values = max(sum(mark.kind == "value" for mark in group) for group in moments.values()) if moments else 1
        height = ROW + max(0, values - 1) * (2 * RADIUS + 2)
        middle = self.y + ROW / 2
        if row.kind == "source":
            self.text(row.name, 12, middle, self.ink, "start")
        elif row.kind == "subscribe":
            self.text("subscribed", 12, middle, self.pencil, "start")
        self.line(happens, middle, row.kind == "subscribe")
        for moment, group in moments.items():
            x, level = GUTTER + moment * UNIT + RADIUS, 0
            for mark in sorted(group, key=lambda mark: mark.kind == "value"):
                self.mark(mark, x, middle + level * (2 * RADIUS + 2))
                level += mark.kind == "value"
        self.y += height

    def line(self, happens, middle, is_subscription):
        begins = [mark.moment for mark in happens if mark.kind == "^"]
        ends = [mark.moment for mark in happens if mark.kind in "|#!"]
        start = GUTTER + begins[0] * UNIT + RADIUS if begins else GUTTER
        end = GUTTER + ends[0] * UNIT + RADIUS if ends else self.right
        dashes = {"stroke_dasharray": "3 4"} if is_subscription else {}
        self.add("line", x1=start, y1=middle, x2=end, y2=middle, stroke=self.pencil, stroke_width=1.5, **dashes)
        if not ends:
            self.add("path", d=f"M{end - 7} {middle - 5}l7 5l-7 5", fill="none", stroke=self.pencil, stroke_width=1.5)

    def mark(self, mark, x, y):
        style = {"stroke": self.ink, "stroke_width": 2, "fill": "none"}
        if mark.kind == "|":
            self.add("path", d=f"M{x} {y - 19}v38", **style)
        elif mark.kind in "#!":
            self.add("path", d=f"M{x - 8} {y - 8}l16 16m0 -16l-16 16", **style)
        elif mark.kind == "^":
            self.add("path", d=f"M{x} {y - 10}v20m-6 -14l6 -6l6 6", **style)
        else:
            half = max(RADIUS, len(mark.name) * CHARACTER / 2 + 5)
            color = COLORS[self.names.index(mark.name) % len(COLORS)]
            self.add(
                "rect",
                x=x - half,
                y=y - RADIUS,
                width=2 * half,
                height=2 * RADIUS,
                rx=RADIUS,
                fill=color,
                stroke=self.pencil,
            )
            self.text(mark.name, x, y, "#1d1d1f")


def draw(diagram):
    """The drawings of a diagram, by the endings that docc expects of their names: for light and for dark pages."""
    return {ending: Drawing(diagram, *inks).svg() for ending, inks in INKS.items()}
