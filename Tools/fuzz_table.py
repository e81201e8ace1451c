"""Writes what a C fuzzer knows of a library: a table of every function, callback and struct of the header.

python Tools/fuzz_table.py OUTPUT.c [nats]
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import header_text  # noqa: E402
from header import HOST_TABLE, Classes, Header, Unknown, text_of, type_text  # noqa: E402
from pycparser import c_generator  # noqa: E402

PARAMS = 8  # as in fuzz.h
# What callbacks mean to the checks.
ROLES = {"streams_destroy_fn": "ENDS_CONTEXT", "close": "ENDS_STATE", "on_subscription": "SUBSCRIBED"}
ROLES |= {"on_value": "RECEIVES", "on_values": "RECEIVES", "on_numbers": "RECEIVES_NUMBERS", "on_completion": "COMPLETES"}
SUBSCRIBER_ROLES = {"SUBSCRIBED", "RECEIVES", "RECEIVES_NUMBERS", "COMPLETES"}
OBJECT_ROLES = {"retain": "OBJECT_RETAIN", "release": "OBJECT_RELEASE"}


class Table(Classes):
    """The header's declarations as rows of C."""

    includes = '#include "fuzz.h"'

    def __init__(self, header):
        super().__init__(header)
        self.errors = []

    # ---- rows

    def rows(self, where, decls, callback=False, consumes=""):
        if len(decls) > PARAMS:
            raise Unknown(f"{where}: more than {PARAMS} parameters")
        rows = []
        for index, decl in enumerate(decls):
            kind, detail = self.classify(where, decls, index, callback)
            taken = kind in ("P_HANDLE", "P_HANDLES") and re.search(
                rf"consumes (?:every )?{(decl.name or '').removesuffix('s')}s?\b", consumes
            )
            rows.append(f'{{ {kind}, {int(bool(taken))}, {detail}, "{decl.name or ""}" }}')
        return rows

    def callback(self, name, owner, node):
        parameters = self.header.reader.parameters(node)
        if owner == HOST_TABLE:
            return f'{{ "{name}", "", {{ P_VOID, 0, 0, "" }}, 0, 0, -1, {{ {{ 0, 0, 0, 0 }} }} }}'
        kind, detail = self.result(name, node.type)
        rows = self.rows(name, parameters, callback=True)
        role = ROLES.get(name.partition(".")[2] if owner else name, "0")
        if role in SUBSCRIBER_ROLES and owner != "streams_subscriber":
            role = "0"
        if owner == "streams_object_type":
            role = OBJECT_ROLES.get(name.partition(".")[2], "OBJECT_OTHER")
        spelled = ", ".join(c_generator.CGenerator().visit(each) for each in parameters)
        prototype = f"{text_of(node.type)} %s({spelled})"
        struct = list(self.header.structs).index(owner) if owner else -1
        return (
            f'{{ "{name}", "{prototype}", {{ {kind}, 0, {detail}, "" }}, {len(rows)}, {role}, {struct}, '
            f"{{ {', '.join(rows)} }} }}"
        )

    def trampoline(self, number, name, owner, node):
        """A function of the callback's type that hands its arguments over as slots."""
        if owner == HOST_TABLE:
            return ""
        parameters = self.header.reader.parameters(node)
        spelled = ", ".join(c_generator.CGenerator().visit(each) for each in parameters)
        slots = ", ".join(
            f"{{ .p = (void *){each.name} }}" if "*" in type_text(each) else f"{{ .u = (uint64_t){each.name} }}"
            for each in parameters
        )
        result = text_of(node.type)
        back = "" if result == "void" else f" return ({result})back_.u;"
        return (
            f"static {result} callback_{number}({spelled}) {{ slot back_ = {{ 0 }}; slot given_[] = {{ {slots} }}; "
            f"fuzz_callback({number}, given_, &back_);{back} }}"
        )

    def struct(self, name, fields):
        if name in ("streams_value", HOST_TABLE):
            return f'{{ "{name}", 0, 0, {{ {{ {{ 0, 0, 0, 0 }}, 0 }} }} }}'
        rows = []
        for index, field in enumerate(fields):
            where = f"{name}.{field.name}"
            text = type_text(field)
            if index == 0 and text == "size_t":
                kind, detail = "P_SIZE", "0"
            elif text == "function":
                kind, detail = "P_CALLBACK", str(self.ids[where])
            elif text == "void *" and field.name == "context":
                kind, detail = "P_CONTEXT", "0"
            elif text == "void *" and "host" in name:
                kind, detail = "P_HOST_OBJECT", "0"
            else:
                kind, detail = self.classify(where, fields, index)
            rows.append(f'{{ {{ {kind}, 0, {detail}, "{field.name}" }}, offsetof({name}, {field.name}) }}')
        return f'{{ "{name}", sizeof({name}), {len(rows)}, {{ {", ".join(rows)} }} }}'

    def function(self, node):
        name = node.name
        parameters = self.header.reader.parameters(node.type)
        kind, detail = self.result(name, node.type.type)
        owns = self.header.section(name, "Ownership")
        rows = self.rows(name, parameters, consumes=owns)
        mask = " | ".join(f"1u << {status}" for status in self.header.statuses(name)) or "0"
        role = "0"
        if re.match(r"takes one reference", owns):
            role = "GIVES_UP"
        elif re.match(r"the new reference is yours", owns):
            role = "ADDS"
        elif self.header.always_fails(name):
            role = "ALWAYS_FAILS"
        elif name.endswith("cancel") and len(rows) == 1:
            role = "CANCELS"
        elif name.endswith("_retire"):
            role = "RETIRES"
        elif name == "streams_subscription_request":
            role = "REQUESTS"
        elif name.startswith("streams_loop_run"):
            role = "RUNS_LOOP"
        elif name in ("streams_queue_create", "streams_pool_create"):
            role = "MAKES_THREADS"
        return (
            f'{{ "{name}", {{ {kind}, 0, {detail}, "" }}, {len(rows)}, {role}, {mask}, {self.same_type(node)}, '
            f"{{ {', '.join(rows) or '{ 0, 0, 0, 0 }'} }} }}"
        )

    def same_type(self, node):
        """The callback that this function itself can be, or -1. Its name says it: others may have the same type."""
        return self.ids.get(node.name.replace("streams_callable_", "streams_") + "_fn", -1)

    def invocation(self, number, node):
        arguments = []
        for index, each in enumerate(self.header.reader.parameters(node.type)):
            text = type_text(each)
            field = "p" if "*" in text else "f" if text in self.header.typedefs else "u"
            if text == "double":
                field = "d"
            arguments.append(f"({text})a[{index}].{field}")
        call = f"{node.name}({', '.join(arguments)})"
        result = text_of(node.type.type)
        if result != "void":
            to = "r->f = (void (*)(void))" if result in self.header.typedefs else "r->u = (uint64_t)"
            call = ("r->p = (void *)" if "*" in result else to) + call
        return f"    case {number}: {call}; break;"

    def lines(self):
        header = self.header
        yield f"/* Written by Tools/fuzz_table.py from the header. */\n{self.includes}\n"
        for number, (name, owner, node) in enumerate(self.callbacks):
            yield self.attempt(lambda: self.trampoline(number, name, owner, node))
        yield "const callback_info callbacks[] = {"
        for each in self.callbacks:
            yield "    " + self.attempt(lambda: self.callback(*each)) + ","
        yield "};\nconst struct_info structs[] = {"
        for name, fields in header.structs.items():
            yield "    " + self.attempt(lambda: self.struct(name, fields)) + ","
        yield "};\nconst function_info functions[] = {"
        for node in header.functions:
            yield "    " + self.attempt(lambda: self.function(node)) + ","
        yield "};"
        trampolines = ", ".join(
            "NULL" if owner == HOST_TABLE else f"(void (*)(void))callback_{number}"
            for number, (_, owner, _) in enumerate(self.callbacks)
        )
        yield f"void (*const trampolines[])(void) = {{ {trampolines} }};"
        addresses = ", ".join(f"(void (*)(void)){node.name}" for node in header.functions)
        yield f"void (*const addresses[])(void) = {{ {addresses} }};"
        for name, size in (
            ("callback_count", len(self.callbacks)),
            ("struct_count", len(header.structs)),
            ("function_count", len(header.functions)),
        ):
            yield f"const int {name} = {size};"
        yield "\nvoid fuzz_invoke(int function, slot *a, slot *r) {\n    (void)a, (void)r;\n    switch (function) {"
        for number, node in enumerate(header.functions):
            yield self.invocation(number, node)
        yield "    default: break;\n    }\n}"

    def attempt(self, make):
        try:
            return make() or ""
        except Unknown as error:
            self.errors.append(str(error))
            return ""


class NatsTable(Table):
    """The same of streams_nats.h, whose functions are called beside those of streams.h. Its comments name the errors of
    whole sections, so there is no mask of statuses."""

    includes = '#include <streams_nats.h>\n#include "fuzz_nats.h"'
    OTHERS = {"const char **": "P_OUT_TEXT", "const char *const *": "P_TEXTS", "streams_value *": "P_KEPT"}

    def classify(self, where, decls, index, callback=False):
        text, name = type_text(decls[index]), decls[index].name
        if text in self.OTHERS and name != "out" or text == "const char **":
            return self.OTHERS[text], "0"
        if text.endswith(" *") and text[:-2] in self.header.enums:
            return "P_OUT_SCALAR", "0"
        return super().classify(where, decls, index, callback)

    def result(self, where, node):
        return ("P_KEPT", "0") if text_of(node) == "streams_value *" else super().result(where, node)

    def function(self, node):
        parameters = self.header.reader.parameters(node.type)
        kind, detail = self.result(node.name, node.type.type)
        declaration = re.search(rf"\b{node.name}\(([^;]*);", self.header.text)[1]
        consumed = " ".join(re.findall(r"STREAMS_CONSUMES [\w ]+\*(\w+)", declaration))
        rows = self.rows(node.name, parameters, consumes=f"consumes {consumed}" if consumed else "")
        return (
            f'{{ "{node.name}", {{ {kind}, 0, {detail}, "" }}, {len(rows)}, 0, 0, -1, '
            f"{{ {', '.join(rows) or '{ 0, 0, 0, 0 }'} }} }}"
        )


TABLES = {"": (Table, Header), "nats": (NatsTable, lambda: Header(header_text.NATS_HEADER, "streams_nats"))}


def main():
    make, header = TABLES["".join(sys.argv[2:])]
    table = make(header())
    lines = list(table.lines())
    if table.errors:
        sys.exit("\n".join(table.errors))
    pathlib.Path(sys.argv[1]).write_text("\n".join(line for line in lines if line) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
