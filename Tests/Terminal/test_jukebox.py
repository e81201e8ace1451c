"""StreamsTerminal in a terminal: the example `jukebox`, with the keys of a person."""

import os
import pathlib
import re
import signal
import sys
import termios

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tools" / "docs"))
import terminal as terminals  # noqa: E402  Tools/docs/terminal.py

PROGRAM = terminals.ROOT / ".build-release" / "release" / "jukebox"
PLAY, PAUSE, REPEAT, ABOUT = "[ ▶ abc ]", "[ ‖ abc ]", "[ ] Repeat", "[ About ]"
TAB, BACK_TAB, DOWN, UP = "\t", "\x1b[Z", "\x1bOB", "\x1bOA"


@pytest.fixture
def terminal():
    with terminals.Terminal(PROGRAM) as each:
        # The name comes from a task, and the number from a queue's thread.
        assert each.wait(lambda now: now.text.count("Song") == 2 and "3 songs" in now.text), each.text
        assert each.marked() == PLAY
        yield each


def is_restored(terminal):
    """The other screen is left, the cursor is seen, and keys are as they were."""
    modes = termios.tcgetattr(terminal.descriptor)
    marks = terminal.written.rpartition(b"\x1b[?2004")[2].startswith(b"l")
    left = terminal.written.count(b"\x1b[?1049l") == 1
    return left and marks and not terminal.screen.cursor.hidden and modes == terminal.modes


def test_a_person_plays(terminal):
    assert "❌" in terminal.text
    terminal.press(" ")
    assert terminal.shows("✅", marked=PAUSE), terminal.text
    terminal.press("\r")
    assert terminal.shows("❌", marked=PLAY), terminal.text


def test_the_focus_moves(terminal):
    terminal.press(TAB)
    assert terminal.wait(lambda each: not each.screen.cursor.hidden), terminal.text
    for keys, marked in [(TAB, REPEAT), (DOWN, ABOUT), (TAB, PLAY), (BACK_TAB, ABOUT), (UP, REPEAT)]:
        terminal.press(keys)
        assert terminal.shows("Song", marked=marked), (keys, terminal.text)
    terminal.press(" ")
    assert terminal.shows("[x] Repeat", marked="[x] Repeat"), terminal.text


def test_a_person_types(terminal):
    terminal.press(TAB + "s, q ✅é\x7f\x7f")
    assert terminal.wait(lambda each: each.text.count("Songs, q") == 2 and "é" not in each.text), terminal.text
    assert "✅" not in terminal.text
    cursor = terminal.screen.cursor
    assert terminal.screen.display[cursor.y][: cursor.x].endswith("Songs, q ")


def test_a_person_pastes(terminal):
    pasted = "".join(f"{number:04} " for number in range(600))
    terminal.press(TAB + pasted)
    assert terminal.wait(lambda each: each.text.count("0599") == 2), terminal.text[-300:]
    terminal.press(BACK_TAB + BACK_TAB + "\r")
    assert terminal.shows("┌", marked="[ Close ]"), terminal.text
    # Not one for each of 3,000 characters: only as many as the parts in which the terminal hands them over.
    changes = int(re.search(r"changed (\d+) times", terminal.text).group(1))
    assert 2 <= changes <= 50


def test_lines_are_pasted(terminal):
    """They are no keys, wherever the focus is, if the terminal says that they are pasted."""
    assert terminal.written.count(b"\x1b[?2004h") == 1
    terminal.press("\x1b[200~q\r \x1b[201~" + TAB)
    assert terminal.wait(lambda each: not each.screen.cursor.hidden), terminal.text
    assert "❌" in terminal.text
    terminal.press("\x1b[200~s\rq\tè\x1a" + UP + "\x1b[201~!")
    assert terminal.wait(lambda each: each.text.count("Songs q è!") == 2), terminal.text
    terminal.press("\x1b[200~\x03")
    assert terminal.ends() == 0
    assert is_restored(terminal)


def test_joined_pictures(terminal):
    """The terminal and the program agree on where the text ends."""
    terminal.press(TAB + "👨\u200d👩\u200d👧👍🏽e\u0301|")
    assert terminal.wait(lambda each: each.text.count("Song👨👩👧👍é|") == 2), ascii(terminal.text)
    cursor = terminal.screen.cursor
    line = terminal.screen.buffer[cursor.y]
    assert line[cursor.x - 1].data == "|"
    assert [line[column].data for column in range(cursor.x - 10, cursor.x, 2)][:4] == ["👨", "👩", "👧", "👍"]


def test_a_popover(terminal):
    terminal.press(BACK_TAB + "\r")
    assert terminal.shows("┌", marked="[ Close ]"), terminal.text
    terminal.press("\x1b")
    assert terminal.shows("Song", marked=ABOUT), terminal.text
    assert "┌" not in terminal.text
    terminal.press("\r")
    assert terminal.shows("A player without a sound", marked="[ Close ]"), terminal.text
    terminal.press("\r")
    assert terminal.shows("Song", marked=ABOUT), terminal.text


def test_the_terminal_changes_its_size(terminal):
    assert len(terminal.text.splitlines()) > 4
    terminal.resize(3, 12)
    assert terminal.wait(lambda each: each.marked() == PLAY and "About" not in each.text), terminal.text
    terminal.press(BACK_TAB)
    assert terminal.shows(ABOUT, marked=ABOUT), terminal.text
    terminal.resize(20, 60)
    assert terminal.wait(lambda each: "❌" in each.text and each.marked() == ABOUT), terminal.text


@pytest.mark.parametrize("keys", ["q", "\x03", " q", BACK_TAB + "\rq"])
def test_a_person_ends_it(terminal, keys):
    terminal.press(keys)
    assert terminal.ends() == 0
    assert is_restored(terminal)


def test_a_person_goes_away_for_a_while():
    with terminals.Terminal("/bin/bash", "-c", f"set -m; {PROGRAM}; echo away; read; fg") as terminal:
        assert terminal.shows("Song", marked=PLAY), terminal.text
        terminal.press("\x1a")
        assert terminal.shows("away"), terminal.text
        assert is_restored(terminal)
        terminal.press("\r")
        assert terminal.wait(lambda each: each.marked() == PLAY and each.written.count(b"\x1b[?1049h") == 2)
        terminal.press(" ")
        assert terminal.shows("✅", marked=PAUSE), terminal.text
        terminal.press("q")
        assert terminal.ends() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGABRT, signal.SIGSEGV])
def test_a_signal_ends_it(terminal, number):
    os.kill(terminal.process, number)
    assert terminal.ends() == -number
    assert is_restored(terminal)


def test_nothing_is_written_while_nothing_changes(terminal):
    before = len(terminal.written)
    terminal.press("xyz\x1bOA")
    terminal.press(TAB)
    assert terminal.wait(lambda each: not each.screen.cursor.hidden), terminal.text
    assert len(terminal.written) - before < 100


def test_it_says_what_it_lacks():
    with terminals.Terminal(PROGRAM, TERM="none-such") as terminal:
        assert terminal.ends() == 1
        assert 'nothing is known of the terminal "none-such"' in terminal.written.decode()
    with terminals.Terminal("/bin/sh", "-c", f"{PROGRAM} < /dev/null") as terminal:
        assert terminal.ends() == 1
        assert b"are not a terminal" in terminal.written


def test_the_picture_of_the_documentation():
    for name, drawing in terminals.pictures(PROGRAM).items():
        assert (terminals.CATALOG / f"{name}.svg").read_text(encoding="utf-8") == drawing, (
            "write it anew: Tools/docs/terminal.py"
        )
