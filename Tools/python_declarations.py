"""Writes the ctypes declarations of everything in Include: streams/_native/ffi_generated.py, and for streams_nats.h
streams/nats/ffi_generated.py.

    python Tools/python_declarations.py            write the files
    python Tools/python_declarations.py --check    only say whether they are up to date

Needs pycparser and a C preprocessor (CC, by default cc).
"""

import argparse
import difflib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import header_text  # noqa: E402  Tools/header_text.py
from pycparser import c_ast, c_generator, c_parser  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "Bindings" / "Python" / "streams"
OUTPUT = PACKAGE / "_native" / "ffi_generated.py"
NATS_OUTPUT = PACKAGE / "nats" / "ffi_generated.py"

# The system's headers contain what pycparser cannot read; these say all that ours need of them.
SYSTEM_HEADERS = {
    "stdbool.h": "typedef _Bool bool;",
    "stddef.h": "typedef unsigned long size_t; typedef long ptrdiff_t;",
    "stdint.h": "typedef int int32_t; typedef unsigned int uint32_t; typedef unsigned char uint8_t;"
    "typedef long int64_t; typedef unsigned long uint64_t;",
}

SCALARS = {
    "bool": "c_bool",
    "char": "c_char",
    "int": "c_int",
    "long": "c_long",
    "double": "c_double",
    "size_t": "c_size_t",
    "ptrdiff_t": "c_ssize_t",
    "uint8_t": "c_uint8",
    "int32_t": "c_int32",
    "uint32_t": "c_uint32",
    "int64_t": "c_int64",
    "uint64_t": "c_uint64",
    "streams_nanoseconds": "c_int64",
}

# Parameters that are Python objects: ctypes passes their address.
PYTHON_OBJECTS = {
    ("streams_host_send", "object"),
    ("streams_host_publisher", "iterable"),
    ("streams_host_send_numbers", "object"),
    ("streams_callable_create", "function"),
    ("streams_host_sink", "on_value"),
    ("streams_host_sink", "on_completion"),
}
# Messages of NATS, which a Python object has by their address.
KEPT = {"message", "entry", "kept"}
PREAMBLE = '''"""What Include declares. Written by Tools/python_declarations.py; do not edit."""

from __future__ import annotations

import ctypes
import enum
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    Union,
    c_bool,
    c_char_p,
    c_double,
    c_int,
    c_int64,
    c_long,
    c_size_t,
    c_ssize_t,
    c_int32,
    c_uint32,
    c_uint64,
    c_void_p,
    py_object,
)
from typing import Any


class function_address(c_void_p):
    """A parameter that is a function."""

'''

NATS_PREAMBLE = '''"""What Include/streams_nats.h declares. Written by Tools/python_declarations.py; do not edit."""

from __future__ import annotations

import ctypes
import enum
from ctypes import {scalars}
from typing import Any

from .._native.ffi_generated import {names}

'''


def preprocess(header):
    """The header as plain C, without directives and comments."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in SYSTEM_HEADERS.items():
            pathlib.Path(folder, name).write_text(text, encoding="utf-8")
        command = [*shlex.split(os.environ.get("CC", "cc")), "-E", "-P", "-x", "c", "-nostdinc"]
        command += ["-isystem", folder, f"-I{header_text.FOLDER}", "-DSTREAMS_NO_INLINE", str(header)]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def parse(header=header_text.HOST_HEADER):
    """The syntax tree of a header, and of those that it includes."""
    return c_parser.CParser().parse(preprocess(header), str(header))


def macros(text):
    """The macros of headers that are plain integers, perhaps as a status, in order."""
    pattern = r"^#define (STREAMS_\w+) +(?:\(\(streams_status\))?(\d+)(?:ULL)?\)?$"
    return [(name, int(number)) for name, number in re.findall(pattern, text, re.M)]


class Declarations:
    """Turns the syntax tree of the header into lines of Python: what has this word in its name. What another header
    declares is known already."""

    def __init__(self, tree, word="streams", known=None):
        self.nodes = [node for node in tree.ext if word in (getattr(node, "name", None) or "")]
        self.enums = set(known.enums if known else ())
        self.structs = set(known.structs if known else ())
        self.callbacks = set(known.callbacks if known else ())
        self.lines = []

    def write(self):
        for node in self.nodes:
            if isinstance(node, c_ast.Typedef):
                self.typedef(node)
        functions = [node for node in self.nodes if isinstance(node.type, c_ast.FuncDecl)]
        self.lines += ["", "", "# What each function returns, and what it takes."]
        self.lines += ["FUNCTIONS: dict[str, tuple[Any, ...]] = {"]
        for node in functions:
            self.function(node)
        self.lines += ["}"]
        return self.lines

    def typedef(self, node):
        kind = node.type.type if isinstance(node.type, c_ast.TypeDecl) else None
        if isinstance(kind, c_ast.Enum):
            self.enum(node.name, kind)
        elif isinstance(kind, c_ast.Struct) and kind.decls:
            self.structs.add(node.name)
            self.record(node.name, kind, "Structure")
        elif isinstance(node.type, c_ast.PtrDecl) and isinstance(node.type.type, c_ast.FuncDecl):
            self.callbacks.add(node.name)
            self.lines += ["", f"{node.name} = {self.prototype(node.type.type)}"]

    def enum(self, name, node):
        self.enums.add(name)
        prefix = os.path.commonprefix([each.name for each in node.values.enumerators])
        prefix = prefix[: prefix.rindex("_") + 1]
        self.lines += ["", "", f"class {name}(enum.IntEnum):"]
        self.lines += [f"    {each.name[len(prefix) :]} = {int(each.value.value, 0)}" for each in node.values.enumerators]
        self.lines += [""]

    def record(self, name, node, base):
        """A struct or union: declared first and filled in afterwards, because it may point to itself."""
        self.lines += ["", "", f"class {name}({base}):"]
        if node.decls[0].name == "size" and self.plain(node.decls[0].type) == "size_t":
            self.lines += ["    def __init__(self) -> None:"]
            self.lines += ["        self.size = ctypes.sizeof(self)"]
        else:
            self.lines += ["    pass"]
        fields = []
        for each in node.decls:
            inner = each.type.type if isinstance(each.type, c_ast.TypeDecl) else None
            if isinstance(inner, c_ast.Union):
                self.record(f"{name}_{each.name}", inner, "Union")
                fields.append((each.name, f"{name}_{each.name}"))
            else:
                fields.append((each.name, self.address(each.type)))
        self.lines += ["", "", f"{name}._fields_ = ["]
        self.lines += [f'    ("{field}", {kind}),' for field, kind in fields]
        self.lines += ["]"]

    def address(self, node):
        """The type of a field or of a callback's parameter, where text is no more than an address."""
        kind = self.type(node)
        return "c_void_p" if kind in ("c_char_p", "POINTER(c_uint8)") else kind

    def prototype(self, node):
        result = self.result(node, self.address)
        return f"CFUNCTYPE({', '.join([result] + [self.address(each.type) for each in self.parameters(node)])})"

    def parameters(self, node):
        parameters = node.args.params if node.args else []
        return [each for each in parameters if self.plain(each.type) != "void"]

    def result(self, node, convert):
        return "None" if self.plain(node.type) == "void" else convert(node.type)

    @staticmethod
    def plain(node):
        """The name of a type that is no pointer."""
        if isinstance(node, c_ast.TypeDecl) and isinstance(node.type, c_ast.IdentifierType):
            return node.type.names[-1]
        return None

    def type(self, node):
        name = self.plain(node)
        if name:
            return self.named(name)
        if isinstance(node, c_ast.TypeDecl):
            return self.named(node.type.name)
        assert isinstance(node, c_ast.PtrDecl), c_generator.CGenerator().visit(node)
        if isinstance(node.type, c_ast.FuncDecl):
            return self.prototype(node.type)
        if isinstance(node.type, c_ast.PtrDecl):
            return f"POINTER({self.type(node.type)})"
        target = self.plain(node.type) or node.type.type.name
        if target == "char":
            return "c_char_p"
        known = target in SCALARS or target in self.structs or target in self.enums
        return f"POINTER({self.named(target)})" if known else "c_void_p"

    def parameter(self, node):
        """As its type, but for a function, of which the package has the address: most are the library's own."""
        kind = self.type(node)
        return "function_address" if kind in self.callbacks else kind

    def argument(self, function, node):
        if (function, node.name) in PYTHON_OBJECTS:
            return "py_object"
        kind = self.parameter(node.type)
        return "c_void_p" if node.name in KEPT and kind == "POINTER(streams_value)" else kind

    def named(self, name):
        if name in self.enums:
            return "c_int"
        if name in self.structs or name in self.callbacks:
            return name
        return SCALARS[name]

    def function(self, node):
        parameters = self.parameters(node.type)
        kinds = [self.argument(node.name, each) for each in parameters]
        result = self.result(node.type, self.type)
        if node.name == "streams_nats_keep":
            result = "c_void_p"
        self.lines += [f'    "{node.name}": (', f"        {result},"]
        self.lines += [f"        {kind},  # {each.name}" for kind, each in zip(kinds, parameters)]
        self.lines += ["    ),"]


def tidied(text):
    return re.sub(r"\n{4,}", "\n\n\n", text)


def generate():
    """What the files have to say."""
    base = Declarations(parse())
    lines = [PREAMBLE, *(f"{name} = {value}" for name, value in macros(header_text.text())), *base.write()]
    return {OUTPUT: tidied("\n".join(lines) + "\n"), NATS_OUTPUT: generate_nats(base)}


def generate_nats(base):
    header = header_text.NATS_HEADER
    found = macros(header_text.text(header))
    lines = [f"{name} = {value}" for name, value in found]
    lines += Declarations(parse(header), "streams_nats", base).write()
    text = "\n".join(lines)
    used = set(re.findall(r"\w+", text))
    scalars = sorted(used & {*SCALARS.values(), "CFUNCTYPE", "POINTER", "Structure", "c_char_p", "c_void_p"})
    names = sorted(used & {"function_address", *base.structs, *base.callbacks})
    return tidied(NATS_PREAMBLE.format(scalars=", ".join(scalars), names=", ".join(names)) + text + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file is out of date")
    check = parser.parse_args().check
    for output, text in generate().items():
        if not check:
            output.write_text(text, encoding="utf-8")
            continue
        there = output.read_text(encoding="utf-8") if output.exists() else ""
        if there != text:
            difference = difflib.unified_diff(there.splitlines(), text.splitlines(), "there", "expected", lineterm="")
            print("\n".join(list(difference)[:40]))
            sys.exit(f"{output.relative_to(ROOT)} is not what the header says: run python Tools/python_declarations.py")


if __name__ == "__main__":
    main()
