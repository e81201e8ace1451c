"""The example todo.py: its window, on a screen that nobody sees."""

import gc
import pathlib
import sys
import threading
import tkinter as tk
import weakref
import zlib

import pytest
from streams._native.library import library

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Examples" / "Python"), str(ROOT / "Tools" / "docs")]
import todo  # noqa: E402  Examples/Python/todo.py
import window as windows  # noqa: E402  Tools/docs/window.py

# Apart from the other tests of Python: what is loaded here changes neither their threads nor their random programs.
LIMIT = 60_000  # milliseconds
WIDTH, HEIGHT = 320, 260


@pytest.fixture(autouse=True)
def no_leaks():
    """Every handle that a test makes is gone after it."""
    before = library.streams_live_handles()
    yield
    gc.collect()
    assert library.streams_live_handles() == before


@pytest.fixture(scope="module")
def screen():
    with windows.Screen(WIDTH, HEIGHT) as each:
        yield each


class Window:
    """The program, what its updates have said, and which rows have run in them."""

    def __init__(self, screen, monkeypatch):
        self.ran, self.counts = [], []

        def row(scope, items, item):
            self.ran.append(item.title)
            body(scope, items, item)

        body = todo.row
        monkeypatch.setattr(todo, "row", row)
        self.root = tk.Tk(screen.name)
        self.root.geometry(f"{WIDTH}x{HEIGHT}+0+0")
        self.items = todo.Todo(["Milk", "Bread", "Ada"])
        self.program = todo.Program(self.root, self.items)
        self.cancellable = self.program.tree.updates.sink(self.counts.append)

    def wait(self, condition):
        """Does what there is to do until a condition holds."""
        late = []
        timer = self.root.after(LIMIT, lambda: late.append(True))
        while not condition():
            assert not late, (self.counts, self.status)
            self.root.tk.dooneevent(0)
        self.root.after_cancel(timer)

    def update(self, act):
        """Does something for which there is one update. Returns how many bodies that has run, and which rows."""
        before = len(self.counts)
        self.ran.clear()
        act()
        self.wait(lambda: len(self.counts) > before)
        self.root.update()
        assert len(self.counts) == before + 1
        return self.counts[-1], self.ran

    def find(self, kind):
        """The widgets of a kind, from top to bottom."""
        found, left = [], [self.root]
        while left:
            widget = left.pop()
            left += widget.winfo_children()
            if type(widget) is kind:
                found.append(widget)
        return sorted(found, key=lambda each: (each.winfo_rooty(), each.winfo_rootx()))

    @property
    def rows(self):
        return self.find(todo.Row)

    @property
    def titles(self):
        return [row.check["text"] for row in self.rows]

    @property
    def header(self):
        return self.find(tk.Label)[0]["text"]

    @property
    def status(self):
        return self.program.status["text"]

    def close(self):
        self.cancellable.cancel()
        self.program.close()
        # tkinter wants what is its own to be released on this thread.
        vars(self).clear()
        gc.collect()


@pytest.fixture
def window(screen, monkeypatch):
    each = Window(screen, monkeypatch)
    assert each.update(lambda: None) == (8, ["Milk", "Bread", "Ada"])
    yield each
    each.close()


def test_what_is_shown_at_first(window):
    assert window.titles == ["Milk", "Bread", "Ada"]
    assert window.header == "0 of 3 done"
    assert window.status == "8 bodies run"
    (entry,) = window.find(todo.Entry)
    assert (entry.field.get(), entry.button["state"]) == ("", "disabled")
    (filters,) = window.find(todo.Filters)
    assert filters.choice.get() == "all"


def test_a_click_marks_an_item(window):
    row = window.rows[1]
    assert window.update(row.check.invoke) == (2, ["Bread"])
    assert window.items.items[1].done is True
    assert window.header == "1 of 3 done" and "overstrike" in row.check["font"]
    assert window.status == "2 bodies run"
    assert window.update(row.check.invoke) == (2, ["Bread"])
    assert window.header == "0 of 3 done" and "overstrike" not in row.check["font"]


def test_the_program_marks_an_item(window):
    row = window.rows[2]
    assert window.update(lambda: setattr(window.items.items[2], "done", True)) == (2, ["Ada"])
    assert row.done.get() is True
    assert window.update(lambda: setattr(window.items.items[2], "title", "Ada Lovelace")) == (1, ["Ada Lovelace"])
    assert window.titles == ["Milk", "Bread", "Ada Lovelace"] and window.rows[2] is row


def test_changes_of_one_turn_are_one_update(window):
    def change():
        for item in window.items.items:
            item.done = not item.done
        window.items.items[0].title = "Oat milk"

    assert window.update(change) == (4, ["Oat milk", "Bread", "Ada"])


def test_a_person_types(window):
    (entry,) = window.find(todo.Entry)
    entry.field.focus_force()
    window.wait(lambda: window.root.focus_get() is entry.field)
    for count, key in enumerate("Tea", 1):
        assert window.update(lambda: entry.field.event_generate("<Key>", keysym=key)) == (1, [])  # noqa: B023
        assert entry.field.get() == "Tea"[:count] and entry.button["state"] == "normal"
    # The list of items, the header, the entry, and a row.
    assert window.update(lambda: entry.field.event_generate("<Return>")) == (4, ["Tea"])
    assert window.titles == ["Milk", "Bread", "Ada", "Tea"] and window.header == "0 of 4 done"
    assert (entry.field.get(), entry.button["state"]) == ("", "disabled")


def test_a_click_adds(window):
    (entry,) = window.find(todo.Entry)
    window.update(lambda: entry.field.insert(0, "  Tea "))
    assert window.update(entry.button.invoke) == (4, ["Tea"])
    assert window.titles[-1] == "Tea"


def test_nothing_is_not_added(window):
    (entry,) = window.find(todo.Entry)
    window.update(lambda: entry.field.insert(0, "  "))
    entry.button.invoke()
    entry.field.focus_force()
    entry.field.event_generate("<Return>")
    window.root.update()
    assert len(window.rows) == 3 and entry.field.get() == "  "


def test_a_removed_item_leaves_nothing(window):
    handles = library.streams_live_handles()
    row = window.rows[0]
    widgets, item = [row, row.check, row.delete], weakref.ref(window.items.items[0])
    name = row.winfo_pathname(row.winfo_id())
    assert window.update(row.delete.invoke) == (2, [])
    assert window.titles == ["Bread", "Ada"] and window.header == "0 of 2 done"
    assert not any(each.winfo_exists() for each in widgets)
    assert name not in window.root.tk.call("winfo", "children", window.rows[0].winfo_parent())
    assert item() is None
    # The item, its binding, and what the binding is read by.
    assert library.streams_live_handles() < handles


def test_as_many_handles_as_before(window):
    def settled(act):
        window.update(act)
        return library.streams_live_handles()

    before = settled(lambda: window.items.add("Tea"))
    for _ in range(3):
        window.update(window.rows[-1].delete.invoke)
        assert settled(lambda: window.items.add("Tea")) == before


def test_the_filter(window):
    window.update(window.rows[1].check.invoke)
    (filters,) = window.find(todo.Filters)
    assert window.update(filters.buttons["open"].invoke) == (2, [])
    assert window.titles == ["Milk", "Ada"] and window.header == "1 of 3 done"
    assert window.update(filters.buttons["done"].invoke) == (3, ["Bread"])
    assert window.titles == ["Bread"]
    assert window.update(filters.buttons["all"].invoke) == (4, ["Milk", "Ada"])
    assert window.titles == ["Milk", "Bread", "Ada"]
    assert window.update(lambda: setattr(window.items, "filter", "open")) == (2, [])
    assert filters.choice.get() == "open"
    # What is marked as done is not listed any more, and is not run.
    assert window.update(window.rows[0].check.invoke)[0] == 2 + len(window.ran)
    assert window.titles == ["Ada"]


def test_the_environment(window):
    size = window.program.size
    window.root.focus_force()
    for keys, larger in (("<Control-plus>", 1), ("<Control-minus>", 0)):
        assert window.update(lambda: window.root.event_generate(keys)) == (3, ["Milk", "Bread", "Ada"])  # noqa: B023
        assert {row.check["font"].split()[1] for row in window.rows} == {str(size + larger)}


def test_another_thread(window):
    def change():
        window.items.items[0].done = True
        window.items.add("Tea")

    thread = threading.Thread(target=change)
    thread.start()
    window.wait(lambda: window.titles[-1] == "Tea" and window.header == "1 of 4 done")
    thread.join()
    assert window.rows[0].done.get() is True


def test_the_window_is_closed(window):
    widgets = window.find(todo.Row) + window.find(todo.Entry)
    window.program.tree.close()
    assert not any(each.winfo_exists() for each in widgets)
    window.items.items[0].done = True
    window.root.update()
    assert len(window.counts) == 1


def test_the_program_runs(screen, monkeypatch):
    monkeypatch.setenv("DISPLAY", screen.name)
    monkeypatch.setattr(sys, "argv", ["todo.py", "Milk"])

    def mainloop(root):
        root.after_idle(lambda: root.tk.call(root.protocol("WM_DELETE_WINDOW")))
        loop(root)

    loop = tk.Tk.mainloop
    monkeypatch.setattr(tk.Tk, "mainloop", mainloop)
    todo.main()
    gc.collect()


def test_the_picture_of_the_documentation():
    """Most of it is as it would be drawn now: fonts are not the same everywhere."""
    found, now = (data(each) for each in (windows.PICTURE.read_bytes(), windows.picture()))
    assert len(found) == len(now), "draw it anew: Tools/docs/window.py"
    assert sum(map(int.__eq__, found, now)) > 0.97 * len(now)
    assert len(set(zip(now[1::3], now[2::3], now[3::3]))) > 10
    assert windows.PICTURE.stat().st_size < 60_000
    gc.collect()


def data(picture):
    """The bytes of a PNG of ours, which has one part with them, after its header."""
    return zlib.decompressobj().decompress(picture[41:])
