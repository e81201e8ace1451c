"""A to-do list in a window of tkinter.

    python todo.py Milk Bread

Ctrl + and Ctrl - make the rows larger and smaller. The last line says how many bodies the last update has run.
"""

import itertools
import sys
import tkinter as tk

from streams import EventLoop, ObservableObject, Published, ScopeTree


class Item(ObservableObject):
    title = Published("")
    done = Published(False)


class Todo(ObservableObject):
    items = Published(())
    filter = Published("all")

    def __init__(self, titles=()):
        self.numbers = itertools.count()
        for title in titles:
            self.add(title)

    def add(self, title):
        item = Item()
        item.title, item.number = title, next(self.numbers)
        self.items = (*self.items, item)

    def remove(self, item):
        self.items = tuple(each for each in self.items if each is not item)

    def listed(self):
        return [each for each in self.items if self.filter == "all" or each.done == (self.filter == "done")]


# ---- The scopes: the parts of the screen -------------------------------------------------------------------------


def kept(scope, row, kind, *arguments):
    """A widget in a row of its parent's grid, which the scope makes when it comes, and destroys when it goes."""
    widget = scope.object("widget", lambda: kind(scope.environment("parent"), *arguments))
    scope.task("widget", lambda: widget.destroy)
    widget.grid(row=row, sticky="new")
    return widget


def window(scope, todo):
    for part in (header, entry, rows, filters):
        scope.child(part, todo)


def header(scope, todo):
    done = sum(item.done for item in todo.items)
    kept(scope, 0, tk.Label).configure(text=f"{done} of {len(todo.items)} done", anchor="w")


def entry(scope, todo):
    typed = scope.state("typed", "")
    widget = kept(scope, 1, Entry, todo, typed)
    widget.show(typed.value)
    scope.task("typing", lambda: follow(widget.text, typed))


def follow(variable, binding):
    """Sets the binding whenever the variable is set. Returns a function that ends this."""
    name = variable.trace_add("write", lambda *_: setattr(binding, "value", variable.get()))
    return lambda: variable.trace_remove("write", name)


def rows(scope, todo):
    frame = kept(scope, 2, tk.Frame)
    frame.columnconfigure(0, weight=1)
    scope.set_environment("parent", frame)
    for item in todo.listed():
        # An item that has a row already keeps it, and its body does not run again.
        scope.child(row, todo, item, key=item)


def row(scope, todo, item):
    # Empty rows of a grid take no room, so the numbers keep the order.
    kept(scope, item.number, Row, todo, item).show(item.title, item.done, scope.environment("size"))


def filters(scope, todo):
    kept(scope, 3, Filters, todo).choice.set(todo.filter)


# ---- The widgets: they do not depend on scopes -------------------------------------------------------------------


class Entry(tk.Frame):
    def __init__(self, parent, todo, typed):
        super().__init__(parent)
        self.text = tk.StringVar(self)
        self.field = tk.Entry(self, textvariable=self.text)
        self.button = tk.Button(self, text="Add", command=lambda: add(todo, typed))
        self.field.bind("<Return>", lambda _: add(todo, typed))
        self.field.pack(side="left", fill="x", expand=True)
        self.button.pack(side="right")

    def show(self, text):
        if self.text.get() != text:
            self.text.set(text)
        self.button["state"] = "normal" if text.strip() else "disabled"


def add(todo, typed):
    if typed.value.strip():
        todo.add(typed.value.strip())
        typed.value = ""


class Row(tk.Frame):
    def __init__(self, parent, todo, item):
        super().__init__(parent)
        self.done = done = tk.BooleanVar(self)
        binding = item.bindings.done
        self.check = tk.Checkbutton(self, variable=done, command=lambda: setattr(binding, "value", done.get()))
        self.delete = tk.Button(self, text="Delete", command=lambda: todo.remove(item))
        self.check.pack(side="left")
        self.delete.pack(side="right")

    def show(self, title, done, size):
        self.done.set(done)
        self.check.configure(text=title, font=("sans-serif", size, "overstrike" if done else "normal"))


class Filters(tk.Frame):
    def __init__(self, parent, todo):
        super().__init__(parent)
        self.choice = choice = tk.StringVar(self)
        self.buttons = {}
        for name in ("all", "open", "done"):
            button = tk.Radiobutton(self, text=name, value=name, variable=choice)
            button["command"] = lambda: setattr(todo, "filter", choice.get())
            button.pack(side="left")
            self.buttons[name] = button


# ---- The program -------------------------------------------------------------------------------------------------


class Program:
    """A tree whose updates tkinter makes, as it handles its own events: it polls the loop's descriptor.

    So another thread may change the items. The change wakes the loop, and the loop wakes tkinter.
    """

    def __init__(self, root, todo):
        self.root, self.size = root, 11
        self.loop = EventLoop()
        root.tk.createfilehandler(self.loop, tk.READABLE, lambda *_: self.loop.run_once())
        self.tree = ScopeTree(window, todo, scheduler=self.loop)
        self.tree.set_environment("parent", root)
        self.grow(0)
        self.status = tk.Label(root, anchor="w", foreground="gray40")
        self.status.grid(row=4, sticky="ew")
        self.cancellable = self.tree.updates.sink(lambda count: self.status.configure(text=f"{count} bodies run"))
        root.configure(padx=8, pady=8)
        root.columnconfigure(0, weight=1)
        root.rowconfigure(2, weight=1)
        root.bind("<Control-plus>", lambda _: self.grow(1))
        root.bind("<Control-minus>", lambda _: self.grow(-1))
        root.protocol("WM_DELETE_WINDOW", self.close)

    def grow(self, step):
        self.size = max(6, self.size + step)
        self.tree.set_environment("size", self.size)

    def close(self):
        self.root.tk.deletefilehandler(self.loop)
        self.tree.close()
        self.loop.close()
        self.root.destroy()


def main():
    root = tk.Tk()
    root.title("To do")
    Program(root, Todo(sys.argv[1:]))
    root.mainloop()


if __name__ == "__main__":
    main()
