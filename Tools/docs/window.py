"""A screen that nobody sees, for programs with windows, and pictures of what it shows.

    .venv/bin/python Tools/docs/window.py

draws the picture of the to-do list in a window. Needs what `make check` installs.
"""

import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
PICTURE = ROOT / "Examples" / "pictures" / "todo-window.png"


class Screen:
    """An X server with a screen in memory; to be used with `with`, which ends it."""

    def __init__(self, width, height):
        self.folder = tempfile.TemporaryDirectory()
        reader, writer = os.pipe()
        command = ["Xvfb", "-displayfd", str(writer), "-nolisten", "tcp", "-screen", "0", f"{width}x{height}x24"]
        self.server = subprocess.Popen([*command, "-fbdir", self.folder.name], pass_fds=[writer], stderr=subprocess.DEVNULL)
        os.close(writer)
        # The server says its number when it can be used.
        with open(reader, encoding="ascii") as numbers:
            self.name = f":{numbers.readline().strip()}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()
        self.folder.cleanup()

    def pixels(self):
        """The rows of what is shown: the bytes of red, green and blue."""
        data = pathlib.Path(self.folder.name, "Xvfb_screen0").read_bytes()
        # The header of an X window dump.
        fields = struct.unpack(">25I", data[:100])
        size, width, height, bits, line, colors = (fields[index] for index in (0, 4, 5, 11, 12, 19))
        assert bits == 32, f"{bits} bits a pixel"
        start = size + 12 * colors
        rows = (data[start + line * row :][: 4 * width] for row in range(height))
        return [bytes(byte for blue in range(0, 4 * width, 4) for byte in row[blue : blue + 3][::-1]) for row in rows]

    def picture(self):
        """What is shown, as a PNG."""
        rows = self.pixels()

        def chunk(name, data):
            return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

        head = struct.pack(">2I5B", len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0)
        data = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
        return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def picture():
    """The picture of the documentation."""
    sys.path.insert(0, str(PICTURE.parents[1] / "Python"))
    import todo

    with Screen(320, 260) as screen:
        root = todo.tk.Tk(screen.name)
        items = todo.Todo(["Milk", "Bread", "Call Ada", "Read the manual"])
        program = todo.Program(root, items)
        counts = []
        cancellable = program.tree.updates.sink(counts.append)
        root.geometry("320x260+0+0")
        while not counts:
            root.tk.dooneevent(0)
        items.items[1].done = True
        while len(counts) < 2:
            root.tk.dooneevent(0)
        shown = show(root, screen)
        cancellable.cancel()
        program.close()
        return shown


def show(root, screen):
    """What a screen shows when a program has done what there is to do."""
    root.update()
    root.winfo_pointerxy()  # waits for the server
    return screen.picture()


if __name__ == "__main__":
    PICTURE.write_bytes(picture())
