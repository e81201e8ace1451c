"""The example `todo` in C in a terminal, with the keys of a person."""

import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tools" / "docs"), str(ROOT / "Tools")]
import memory  # noqa: E402  Tools/memory.py
import terminal as terminals  # noqa: E402  Tools/docs/terminal.py

PROGRAM = ROOT / "build" / "bin" / "todo"
UP, DOWN, TAB, ENTER, ESCAPE, BACKSPACE = "\x1bOA", "\x1bOB", "\t", "\r", "\x1b", "\x7f"
ROWS = slice(2, -2)


def started(*titles, **options):
    return terminals.Terminal(PROGRAM, *titles, **{"rows": 12, "columns": 40, **options})


@pytest.fixture
def terminal():
    with started("Milk", "Bread", "Ada") as each:
        shows(each, 8, ["[ ] Milk", "[ ] Bread", "[ ] Ada"], marked="[ ] Milk", header="0 of 3 done")
        yield each


def rows(terminal):
    lines = [line.rstrip() for line in terminal.screen.display]
    return [line for line in lines[ROWS] if line]


def shows(terminal, count, expected=None, marked=None, header=""):
    """Waits until the last update has run so many bodies, and all this is shown."""

    def holds(each):
        return (
            each.screen.display[-1].startswith(f"{count} bodies run")
            and header in each.screen.display[0]
            and expected in (None, rows(each))
            and marked in (None, each.marked())
        )

    assert terminal.wait(holds), (count, terminal.text, terminal.marked())


def test_a_person_marks_items(terminal):
    # The row and the header.
    terminal.press(" ")
    shows(terminal, 2, ["[x] Milk", "[ ] Bread", "[ ] Ada"], "[x] Milk", "1 of 3 done")
    # Where the cursor is.
    terminal.press(DOWN)
    shows(terminal, 1, marked="[ ] Bread")
    terminal.press(" ")
    shows(terminal, 2, ["[x] Milk", "[x] Bread", "[ ] Ada"], "[x] Bread", "2 of 3 done")
    terminal.press(UP)
    shows(terminal, 1, marked="[x] Milk")
    terminal.press(" ")
    shows(terminal, 2, ["[ ] Milk", "[x] Bread", "[ ] Ada"], "[ ] Milk", "1 of 3 done")


def test_the_cursor_stays_in_the_list(terminal):
    terminal.press(UP + UP + DOWN)
    shows(terminal, 1, marked="[ ] Bread")
    terminal.press(DOWN)
    shows(terminal, 1, marked="[ ] Ada")
    terminal.press(DOWN + DOWN + UP)
    shows(terminal, 1, marked="[ ] Bread")


def test_a_person_deletes(terminal):
    # The list and the header, and no row.
    terminal.press("d")
    shows(terminal, 2, ["[ ] Bread", "[ ] Ada"], "[ ] Bread", "0 of 2 done")
    terminal.press(DOWN)
    shows(terminal, 1, marked="[ ] Ada")
    terminal.press("d")
    shows(terminal, 2, ["[ ] Bread"], "[ ] Bread", "0 of 1 done")
    terminal.press("d")
    shows(terminal, 2, [], "", "0 of 0 done")
    terminal.press("d " + UP + DOWN + "a")
    shows(terminal, 1, [], "")


def test_a_person_adds(terminal):
    terminal.press("a")
    shows(terminal, 1)
    assert terminal.wait(lambda each: not each.screen.cursor.hidden)
    for count, key in enumerate("q d", 1):
        terminal.press(key)
        assert terminal.wait(lambda each: each.screen.display[-2].rstrip() == ("> " + "q d"[:count]).rstrip())  # noqa: B023
        shows(terminal, 1)
    terminal.press("é✅é" + BACKSPACE)
    assert terminal.wait(lambda each: each.screen.display[-2].split() == [">", "q", "dé✅"]), terminal.text
    # The list, the header, the entry, and the new row.
    terminal.press(ENTER)
    shows(terminal, 4, header="0 of 4 done")
    assert terminal.wait(lambda each: "[ ] q dé✅" in each.text and each.screen.cursor.hidden)


def test_a_person_adds_nothing(terminal):
    terminal.press("a" + ENTER)
    assert terminal.wait(lambda each: each.screen.cursor.hidden and ">" not in each.text)
    terminal.press("abc" + ESCAPE)
    assert terminal.wait(lambda each: each.screen.cursor.hidden and ">" not in each.text)
    assert rows(terminal) == ["[ ] Milk", "[ ] Bread", "[ ] Ada"]


def test_a_long_title_is_typed(terminal):
    terminal.press("a" + 300 * "é" + ENTER)
    shows(terminal, 4, header="0 of 4 done")
    assert rows(terminal)[-1] == "[ ] " + 36 * "é"


def test_the_filter(terminal):
    terminal.press(" " + TAB)
    shows(terminal, 2, ["[ ] Bread", "[ ] Ada"], "[ ] Bread", " all [open] done   1 of 3 done")
    # What is marked as done is not listed any more.
    terminal.press(" ")
    shows(terminal, 2, ["[ ] Ada"], "[ ] Ada", "2 of 3 done")
    # The header, the list, and the two rows that come.
    terminal.press(TAB)
    shows(terminal, 4, ["[x] Milk", "[x] Bread"], "[x] Milk", "[done]")
    terminal.press(TAB)
    shows(terminal, 3, ["[x] Milk", "[x] Bread", "[ ] Ada"], "[x] Milk", "[all]")


def test_only_rows_read_the_width():
    with started("Milk and honey, of the flowing kind", "Tea", 20 * "✅", columns=44) as terminal:
        shows(terminal, 8, header="0 of 3 done")
        assert terminal.wait(lambda each: "flowing kind" in each.text and each.text.count("✅") == 20)
        terminal.resize(12, 33)
        shows(terminal, 3)
        assert terminal.wait(lambda each: "] Milk and honey, of the flowin\n" in each.text), terminal.text
        assert terminal.text.count("✅") == 14
        # Nothing is evaluated for the height.
        terminal.resize(9, 33)
        shows(terminal, 0, marked="[ ] Milk and honey, of the flowin", header="0 of 3 done")


def test_a_list_that_is_longer_than_the_screen():
    with started(*map(str, range(1000))) as terminal:
        shows(terminal, 1005, [f"[ ] {number}" for number in range(7)], "[ ] 0", "0 of 1000 done")
        terminal.press(20 * DOWN)
        shows(terminal, 1, marked="[ ] 20")
        terminal.press(" ")
        shows(terminal, 2, marked="[x] 20", header="1 of 1000 done")
        terminal.press("d")
        shows(terminal, 2, marked="[ ] 21", header="0 of 999 done")


@pytest.mark.parametrize("keys", ["q", " " + DOWN + "dq", "aTea" + ENTER + TAB + TAB + "q"])
def test_nothing_is_left(terminal, keys):
    """The program fails if a handle is."""
    terminal.press(keys)
    assert terminal.ends() == 0
    assert terminal.written.count(b"\x1b[?1049l") == 1 and not terminal.screen.cursor.hidden


def test_under_valgrind(tmp_path):
    log = tmp_path / "log"
    command = ["/usr/bin/env", *memory.COMMAND, f"--log-file={log}", PROGRAM, "Milk", "Bread"]
    # The library with symbols, for readable reports.
    with terminals.Terminal(*command, LD_LIBRARY_PATH=str(ROOT / "build" / "debug")) as terminal:
        shows(terminal, 7)
        terminal.press(" " + DOWN + "daTea" + ENTER + TAB)
        shows(terminal, 2, ["[ ] Tea"], header="1 of 2 done")
        terminal.press("q")
        assert terminal.ends() == 0, log.read_text()


def test_no_keys():
    with terminals.Terminal("/bin/sh", "-c", f"{PROGRAM} Milk < /dev/null") as terminal:
        assert terminal.ends() == 0


def test_a_title_that_is_no_text():
    with started("Milk", "\udcff") as terminal:
        assert terminal.ends() == 1
        assert b"todo: " in terminal.written and b"UTF-8" in terminal.written


def test_a_person_goes_away_for_a_while():
    with terminals.Terminal("/bin/bash", "-c", f"set -m; {PROGRAM} Milk; echo away; read; fg") as terminal:
        shows(terminal, 6, ["[ ] Milk"])
        # Until it has drawn, also what is shown already, ncurses ignores who stops it.
        assert terminal.rests()
        terminal.press("\x1a")
        assert terminal.shows("away"), terminal.text
        terminal.press("\r")
        assert terminal.wait(lambda each: each.written.count(b"\x1b[?1049h") == 2 and "[ ] Milk" in each.text)
        terminal.press(" ")
        shows(terminal, 2, ["[x] Milk"])
        terminal.press("q")
        assert terminal.ends() == 0


def test_the_picture_of_the_documentation():
    drawing = terminals.todo(PROGRAM)
    assert terminals.TODO.read_text(encoding="utf-8") == drawing, "write it anew: Tools/docs/terminal.py"
