"""Runs a program in a terminal that nobody sees, and draws what it shows.

    .venv/bin/python Tools/docs/terminal.py PROGRAM

draws the pictures of StreamsTerminal's page, if that is the example `jukebox`, and that of the examples' page, if it is
`todo`. Needs the virtual environment of `make check`.
"""

import html
import os
import pathlib
import pty
import select
import signal
import sys
import termios
import time

import pyte

ROOT = pathlib.Path(__file__).resolve().parents[2]
TODO = ROOT / "Examples" / "pictures" / "todo-terminal.svg"
CATALOG = ROOT / "Sources" / "StreamsTerminal" / "StreamsTerminal.docc"
# pyte knows all that this terminal is said to know.
NAME = "screen-256color"
LIMIT = 60


class Terminal:
    """A program in a terminal; to be used with `with`, which ends the program."""

    def __init__(self, *command, rows=12, columns=40, **environment):
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.written = b""
        self.status = None
        kept = {name: text for name, text in os.environ.items() if name not in ("COLORFGBG", "LC_ALL", "LANG")}
        self.descriptor, terminal = pty.openpty()
        termios.tcsetwinsize(terminal, (rows, columns))
        self.modes = termios.tcgetattr(terminal)
        self.process = os.fork()
        if self.process == 0:
            os.login_tty(terminal)
            # Without this, Swift asks a person who sees a program crash what to do.
            ours = {"TERM": NAME, "SWIFT_BACKTRACE": "enable=no"}
            os.execve(command[0], [str(part) for part in command], {**kept, **ours, **environment})
        os.close(terminal)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.status is None:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)
        os.close(self.descriptor)

    @property
    def text(self):
        """The lines that are shown."""
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip("\n")

    def marked(self):
        """What is shown in reverse: what has the focus."""
        cells = (
            self.screen.buffer[row][column] for row in range(self.screen.lines) for column in range(self.screen.columns)
        )
        return "".join(cell.data for cell in cells if cell.reverse)

    def press(self, keys):
        os.write(self.descriptor, keys.encode())

    def resize(self, rows, columns):
        # A signal that comes just before ncurses reads the next key is noticed only with that key.
        self.rests()
        termios.tcsetwinsize(self.descriptor, (rows, columns))
        self.screen.resize(rows, columns)

    def read(self, seconds):
        """Takes in what the program writes next. Returns false if it has ended."""
        if not select.select([self.descriptor], [], [], max(seconds, 0))[0]:
            return True
        try:
            data = os.read(self.descriptor, 65536)
        except OSError:  # nobody has the other end
            return False
        self.written += data
        self.stream.feed(data)
        return bool(data)

    def wait(self, condition, pause=LIMIT):
        """Waits until the condition holds for the terminal, and says whether it does: asks when something was written, or
        after a pause."""
        end = time.monotonic() + LIMIT
        while not condition(self):
            if time.monotonic() > end or not self.read(min(end - time.monotonic(), pause)):
                return condition(self)
        return True

    def shows(self, text, marked=None):
        """Waits until this text is shown, and this marked."""
        return self.wait(lambda each: text in each.text and marked in (None, each.marked()))

    def rests(self):
        """Waits until the program in the foreground sleeps, and says whether it does."""

        def sleeps(_):
            program = os.tcgetpgrp(self.descriptor)
            return pathlib.Path(f"/proc/{program}/stat").read_text().rpartition(")")[2].split()[0] == "S"

        return self.wait(sleeps, 0.001)

    def ends(self):
        """Waits until the program ends. Returns its exit status, or a signal's number as a negative one."""
        end = time.monotonic() + LIMIT
        while time.monotonic() < end and self.read(end - time.monotonic()):
            pass
        _, status = os.waitpid(self.process, 0)
        self.status = os.waitstatus_to_exitcode(status)
        return self.status


def draw(screen):
    """A picture of what a terminal shows."""
    width, height, edge = 9, 20, 12
    shapes = []

    def colors(cell):
        return ("#1d1f21", "#d8dee9") if cell.reverse else ("#d8dee9", None)

    for row in range(screen.lines):
        for column in range(screen.columns):
            cell = screen.buffer[row][column]
            x, y = edge + column * width, edge + row * height
            ink, paper = colors(cell)
            if paper:
                shapes.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{paper}"/>')
            if cell.underscore:
                shapes.append(f'<rect x="{x}" y="{y + height - 3}" width="{width}" height="1" fill="{ink}"/>')
            if cell.data.strip():
                # Emoji are drawn, since not every viewer has a font for them.
                sign = {"✅": check, "❌": cross}.get(cell.data)
                weight = ' font-weight="bold"' if cell.bold else ""
                text = f'<text x="{x}" y="{y + 15}" fill="{ink}"{weight}>{html.escape(cell.data)}</text>'
                shapes.append(sign(x, y) if sign else text)
    if not screen.cursor.hidden:
        x, y = edge + screen.cursor.x * width, edge + screen.cursor.y * height
        shapes.append(f'<rect x="{x}" y="{y + 1}" width="2" height="{height - 2}" fill="#d8dee9"/>')
    across, down = 2 * edge + screen.columns * width, 2 * edge + screen.lines * height
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across} {down}" width="{across}" height="{down}"'
    font = 'font-family="ui-monospace, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="15"'
    paper = f'<rect width="{across}" height="{down}" rx="8" fill="#1d1f21"/>'
    return "\n".join([f'{head} {font} xml:space="preserve">', paper, *shapes, "</svg>", ""])


def check(x, y):
    box = f'<rect x="{x + 1}" y="{y + 2}" width="16" height="16" rx="3" fill="#4caf50"/>'
    return box + f'<path d="M{x + 5} {y + 10}l3 4l6 -8" fill="none" stroke="#fff" stroke-width="2"/>'


def cross(x, y):
    return f'<path d="M{x + 3} {y + 4}l12 12m0 -12l-12 12" stroke="#e53935" stroke-width="3"/>'


def pictures(program):
    """The pictures of the documentation: names and what is drawn."""
    with Terminal(program, rows=10, columns=24) as terminal:
        if not terminal.wait(lambda each: each.text.count("Song") == 2 and "3 songs" in each.text):
            raise ValueError(f"the player does not show its song, but:\n{terminal.text}")
        terminal.press(" ")
        if not terminal.shows("✅", marked="[ ‖ abc ]"):
            raise ValueError(f"the player does not play, but shows:\n{terminal.text}")
        return {"player": draw(terminal.screen)}


def todo(program):
    """The picture of the to-do list."""
    with Terminal(program, "Milk", "Bread", "Call Ada", "Read the manual", rows=10, columns=32) as terminal:
        terminal.press("\x1bOB ")
        if not terminal.wait(lambda each: "1 of 4 done" in each.text and "2 bodies run" in each.text):
            raise ValueError(f"nothing is done, but shown:\n{terminal.text}")
        return draw(terminal.screen)


if __name__ == "__main__":
    path = pathlib.Path(sys.argv[1]).resolve()
    if path.name == TODO.name.partition("-")[0]:
        TODO.write_text(todo(path), encoding="utf-8")
    else:
        for name, drawing in pictures(path).items():
            (CATALOG / f"{name}.svg").write_text(drawing, encoding="utf-8")
