"""What the headers say: every function, callback and struct, and what each parameter is for.

Each parameter gets a class from its type and, where C has only `void *` to say, from its name; a parameter that fits no
class is an error that names it.
"""

import re
import sys

sys.dont_write_bytecode = True
import header_text  # noqa: E402  Tools/header_text.py
import python_declarations as bindings  # noqa: E402  Tools/python_declarations.py
from pycparser import c_ast  # noqa: E402

HOST_TABLE = "streams_host"
# What only functions of that table are given.
HOST_BUFFER = "streams_host_buffer"
OUT_SCALARS = {"bool *", "int *", "size_t *", "uint32_t *", "uint64_t *", "int64_t *", "double *"}
SCALARS = {"bool": "P_BOOL", "int64_t": "P_INT64", "uint64_t": "P_UINT64", "size_t": "P_SIZE", "double": "P_DOUBLE"}
SCALARS |= {"ptrdiff_t": "P_OFFSET", "streams_nanoseconds": "P_TIME"}
# Parameters `void *` of functions without a host's number that are objects of a host.
HOST_OBJECT_NAMES = {"object", "iterable", "function", "raise"}


class Unknown(Exception):
    """A parameter that fits no class."""


def text_of(node):
    """A type as C writes it, without a name: "const streams_value *"."""
    if isinstance(node, c_ast.FuncDecl) or (isinstance(node, c_ast.PtrDecl) and isinstance(node.type, c_ast.FuncDecl)):
        return "function"
    if isinstance(node, c_ast.PtrDecl):
        target = text_of(node.type)
        return target + ("*" if target.endswith("*") else " *") + " ".join(node.quals)
    kind = node.type
    name = kind.names[-1] if isinstance(kind, c_ast.IdentifierType) else f"struct {kind.name}"
    return " ".join([*node.quals, name])


def type_text(decl):
    return text_of(decl.type)


class Header:
    """What the headers declare; of a library's header, the functions and structs whose names begin with a word."""

    def __init__(self, library=None, word="streams"):
        self.nodes, seen = [], set()
        self.text = header_text.text(*([library] if library else []))
        for node in bindings.parse(library or header_text.HOST_HEADER).ext:
            key = (type(node).__name__, getattr(node, "name", None))
            if "streams" in (key[1] or "") and key not in seen:
                seen.add(key)
                self.nodes.append(node)
        self.reader = bindings.Declarations(c_ast.FileAST(self.nodes))
        self.functions = [
            node for node in self.nodes if isinstance(node.type, c_ast.FuncDecl) and node.name.startswith(word)
        ]
        self.enums, self.handles, self.structs, self.typedefs = set(), [], {}, {}
        for node in self.nodes:
            if isinstance(node, c_ast.Typedef):
                self.typedef(node)
        self.structs = {name: fields for name, fields in self.structs.items() if name.startswith(word)}
        self.comments = header_text.facts()

    def typedef(self, node):
        kind = node.type.type if isinstance(node.type, c_ast.TypeDecl) else None
        if isinstance(kind, c_ast.Enum):
            self.enums.add(node.name)
        elif isinstance(kind, c_ast.Struct) and kind.decls and node.name != HOST_BUFFER:
            self.structs[node.name] = kind.decls
        elif isinstance(kind, c_ast.Struct) and not kind.decls:
            self.handles.append(node.name)
        elif isinstance(node.type, c_ast.PtrDecl) and isinstance(node.type.type, c_ast.FuncDecl):
            self.typedefs[node.name] = node.type.type

    def kind(self, handle):
        """The streams_kind of an opaque struct: STREAMS_KIND_PUBLISHER."""
        return "STREAMS_KIND_" + handle.removeprefix("streams_").upper()

    def section(self, name, which, seen=()):
        """A section of a comment, with what it refers to by "as streams_x"."""
        text = self.comments.get(name, {}).get(which)
        if text is None:
            raise Unknown(f"{name}: its comment has no section {which}")
        others = re.findall(r"\b[Aa]s (streams_\w+(?: and streams_\w+)*)", text)
        for other in re.findall(r"streams_\w+", " ".join(others)):
            if other != name and other not in seen and other in self.comments:
                text += " " + self.section(other, which, (*seen, name))
        if "the common ones" in text:
            text += " " + header_text.common_errors()
        return text

    def always_fails(self, name):
        return self.section(name, "Errors").startswith("never STREAMS_OK")

    def statuses(self, name):
        """The statuses that a function may leave, besides STREAMS_OK."""
        known = set(re.findall(r"^    (STREAMS_\w+) = \d+,", self.text, re.M))
        text = self.section(name, "Errors")
        if self.always_fails(name):
            text = " ".join(self.comments[name].values())
        # What the rules at the header's beginning say of any call.
        if re.search(r"STREAMS_[A-Z]", text):
            rules = header_text.plain(header_text.rules())
            text += " " + " ".join(re.findall(r"\bAny call may be refused with (STREAMS_\w+)", rules))
        found = [s for s in dict.fromkeys(re.findall(r"STREAMS_[A-Z0-9_]+", text)) if s in known]
        return [s for s in found if s != "STREAMS_OK"]


class Classes:
    """What each parameter, field and result is for."""

    def __init__(self, header):
        self.header = header
        self.callbacks = []  # (name, owner, FuncDecl)
        for name, node in header.typedefs.items():
            if not self.is_method(name):
                self.callbacks.append((name, "", node))
        for struct, fields in header.structs.items():
            for field in fields:
                if type_text(field) == "function":
                    self.callbacks.append((f"{struct}.{field.name}", struct, field.type.type))
        self.ids = {name: number for number, (name, _, _) in enumerate(self.callbacks)}

    def is_method(self, name):
        """Whether a type of function is only returned: what it points to is called by the fuzzer itself."""
        takes = any(
            self.header.reader.plain(each.type) == name
            for node in self.header.functions
            for each in self.header.reader.parameters(node.type)
        )
        fields = any(
            self.header.reader.plain(field.type) == name for decls in self.header.structs.values() for field in decls
        )
        return not takes and not fields

    # ---- classes of parameters

    def classify(self, where, decls, index, callback=False):
        """(class, detail) of one parameter or field."""
        decl = decls[index]
        text, name = type_text(decl), decl.name or ""
        following = decls[index + 1] if index + 1 < len(decls) else None
        # A value that is followed by an offset into it is one value.
        counted = following is not None and type_text(following) == "size_t" and following.name != "offset"
        base = re.sub(r"\bconst\b|\*", "", text).split()[0] if text != "function" else ""
        pointers = text.count("*")
        if base in self.header.typedefs:
            return "P_CALLBACK", str(self.ids[base])
        if base in self.header.enums and pointers == 0:
            return "P_ENUM", "0"
        if base in self.header.handles:
            kind = self.header.kind(base)
            if pointers == 1:
                return "P_HANDLE", kind
            if pointers == 2 and counted:
                return "P_HANDLES", kind
            if pointers == 2:
                return "P_OUT_HANDLE", kind
        if base == "streams_value" and pointers == 1:
            if text.startswith("const"):
                return ("P_VALUES" if counted else "P_VALUE"), "0"
            after_count = index > 0 and type_text(decls[index - 1]) == "size_t"
            if after_count and name != "out":
                return "P_OUT_VALUES", "0"
            return ("P_OUT_VALUE" if name == "out" else "P_INOUT_VALUE"), "0"
        if base in self.header.structs and pointers == 1:
            kind = list(self.header.structs).index(base)
            if base == HOST_TABLE:
                return "P_HOST_TABLE", "0"
            return ("P_STRUCT" if text.startswith("const") else "P_OUT_STRUCT"), str(kind)
        if text in OUT_SCALARS:
            return "P_OUT_SCALAR", "0"
        if text == "size_t" and index > 0 and "*" in type_text(decls[index - 1]):
            return "P_COUNT", "0"
        if text == "uint32_t" and name == "host":
            return "P_HOST", "0"
        if text in SCALARS:
            return SCALARS[text], "0"
        if text in ("const int64_t *", "const double *") and counted:
            return ("P_INT64S" if "int64" in text else "P_DOUBLES"), "0"
        if text == "const char *":
            return ("P_TEXT" if counted else "P_CSTRING"), "0"
        if text == "char *" and counted:
            return "P_BUFFER", "0"
        if text == "const void *" and name == "handle":
            return "P_HANDLE", "STREAMS_KIND_NONE"
        if text == "const void *" and counted:
            return "P_BYTES", "0"
        found = self.untyped(decls, index, text, name, callback)
        if found:
            return found
        raise Unknown(f"{where}: nobody knows what to pass for `{text} {name}`")

    def untyped(self, decls, index, text, name, callback):
        """What a `void *` means."""
        others = [type_text(each) for each in decls]
        if text == "void **" and callback:
            return "P_OUT_STATE", "0"
        if text == "void *const *":
            return "P_HOST_OBJECTS", "0"
        if text != "void *":
            return None
        if callback:
            return ("P_CONTEXT" if index == 0 else "P_OTHER"), "0"
        if name == "context":
            return "P_CONTEXT", "0"
        if name == "callable":
            return "P_HANDLE", "STREAMS_KIND_CALLABLE"
        if "const streams_object_type *" in others:
            return "P_OBJECT", "0"
        if "uint32_t" in others or name in HOST_OBJECT_NAMES:
            return "P_HOST_OBJECT", "0"
        return None

    def result(self, where, node):
        text = text_of(node)
        base = re.sub(r"\bconst\b|\*", "", text).split()[0]
        if text == "void":
            return "P_VOID", "0"
        if text == "streams_status":
            return "P_STATUS", "0"
        if base in self.header.handles and "*" in text:
            return "P_HANDLE", self.header.kind(base)
        if base in self.header.typedefs:
            return "P_METHOD", "0"
        if base in self.header.enums:
            return "P_ENUM", "0"
        if text == "const char *":
            return "P_CSTRING", "0"
        if text == "const streams_value *":
            return "P_VALUE", "0"
        if text == "const streams_object_type *":
            return "P_OBJECT", "0"
        if text == "void *":
            return "P_HOST_OBJECT", "0"
        if text == "int32_t":
            return "P_DESCRIPTOR", "0"
        if text in SCALARS or text == "uint32_t":
            return SCALARS.get(text, "P_UINT64"), "0"
        raise Unknown(f"{where}: nobody knows what to do with the result `{text}`")
