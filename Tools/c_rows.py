"""Writes what the C tests go through: each exported function with something wrong at each place, and each operator.

    python Tools/c_rows.py OUTPUT.c

The header says what a function takes. Tests/C/support has what it is given: `fixture` a handle of each kind, for each
shape of callback `row_<shape>` and for the cases of the catalogue `case_<shape>`, for each struct `row_<struct>`; what
is missing there does not compile.
"""

import pathlib
import re
import sys

sys.dont_write_bytecode = True
from c_calls import DESTROY, LARGE, NULL_MEANS, Call  # noqa: E402
from header import Classes, Header, Unknown, text_of, type_text  # noqa: E402
from pycparser import c_generator  # noqa: E402

C = c_generator.CGenerator()


class Rows(Classes):
    """The rows of all functions."""

    def is_consumed(self, node, each, kind):
        if kind not in ("P_HANDLE", "P_HANDLES"):
            return False
        owns = self.header.section(node.name, "Ownership")
        name = each.name.removesuffix("s")
        consumes = any(f"consumes {every}{name}" in owns for every in ("", "every ", "each "))
        # What its comment does not say would be left out of the rows of operators.
        if "streams_publisher *" in type_text(each) and "const" not in type_text(each) and not consumes:
            raise SystemExit(f"{node.name}: its comment does not say that it consumes {each.name}")
        return consumes

    def promises_to_clear(self, node, name):
        errors = self.header.comments[node.name]["Errors"]
        promise = rf"(\*{name} is (then )?(null|NULL|false|0|as)\b)|(All {name} are then null)"
        return any(
            re.search(promise, text)
            for text in [errors, *(self.header.comments[other]["Errors"] for other in re.findall(r"^as (\w+)", errors))]
        )

    def body(self, call):
        """The statements of a call that answers with a status, and writes down what it leaves."""
        kind, _ = self.result(call.node.name, call.node.type.type)
        lines = list(call.before)
        text = call.text()
        if kind == "P_VOID":
            lines += [text + ";", *call.after, "streams_status status_ = streams_last_status();"]
        elif kind == "P_STATUS":
            lines += [f"streams_status status_ = {text};", *call.after]
        elif kind == "P_HANDLE":
            lines += [f"streams_status status_ = made({text});", *call.after]
        elif kind == "P_HOST_OBJECT":
            lines += [f"void *object_ = {text};", *call.after, "streams_status status_ = answered(object_ != NULL);"]
            lines += ["if (object_ != NULL) fake_release(object_);"]
        else:
            result = {"P_CSTRING": f"{text}[0] != 0", "P_METHOD": f"{text} != NULL", "P_DESCRIPTOR": f"{text} >= 0"}.get(
                kind, f"{text} != 0"
            )
            lines += [f"streams_status status_ = answered({result});", *call.after]
        lines += [f"if (status_ != STREAMS_OK && !({each})) f->not_cleared = true;" for each in call.cleared]
        lines += [f"if (status_ == STREAMS_OK) streams_value_destroy(&{each});" for each in call.values]
        return [*lines, "return status_;"]

    def function(self, name, arguments, lines, result="streams_status"):
        yield f"static {result} {name}({arguments}) {{\n    (void)f;\n    " + "\n    ".join(lines) + "\n}\n"

    def handle_rows(self):
        for node in self.header.functions:
            if node.name == "streams_handle_kind":  # takes anything
                continue
            parameters = self.header.reader.parameters(node.type)
            for index, each in enumerate(parameters):
                kind, detail = self.classify(node.name, parameters, index)
                if kind not in ("P_HANDLE", "P_HANDLES"):
                    continue
                null = "NULL_IS_CHAIN" if self.is_consumed(node, each, kind) else "NULL_IS_BAD"
                if (node.name, each.name) in NULL_MEANS:
                    null = "NULL_IS_FINE"
                for place in range(2 if kind == "P_HANDLES" else 1):
                    name = f"bad_{node.name}_{each.name}_{place}"
                    call = Call(self, node, bad=index, place=place)
                    yield (
                        f'{{ "{node.name}", {name}, {detail}, {null} }}',
                        self.function(name, "void *bad, fixture *f", self.body(call)),
                    )

    def call_rows(self):
        """Each function as it is to be called."""
        for node in self.header.functions:
            call = Call(self, node)
            try:
                can_lack_memory = "STREAMS_OUT_OF_MEMORY" in self.header.statuses(node.name)
            except Unknown:
                can_lack_memory = False
            row = f'{{ "{node.name}", call_{node.name}, {str(can_lack_memory).lower()} }}'
            yield row, self.function(f"call_{node.name}", "fixture *f", self.body(call))

    def large_rows(self):
        """Each function with something large at each place that may have any size. Not the functions that a callable is
        called with: that is for the library to do."""
        for node in self.header.functions:
            if node.name.startswith("streams_callable_"):
                continue
            parameters = self.header.reader.parameters(node.type)
            for index, each in enumerate(parameters):
                kind, _ = self.classify(node.name, parameters, index)
                for number, data in enumerate(["&large_numbers"] if each.name == "numbers" else LARGE.get(kind, [])):
                    name = f"large_{node.name}_{each.name}_{number}"
                    call = Call(self, node, large=(index, data))
                    yield (
                        f'{{ "{node.name}", "{each.name}", {name} }}',
                        self.function(name, "fixture *f", self.body(call)),
                    )

    def argument_rows(self):
        """Each pointer that is no handle, as NULL."""
        for node in self.header.functions:
            parameters = self.header.reader.parameters(node.type)
            for index, each in enumerate(parameters):
                kind, _ = self.classify(node.name, parameters, index)
                pointer = "*" in type_text(each) or kind == "P_CALLBACK"
                free = kind in ("P_HANDLE", "P_CONTEXT", "P_HOST_OBJECT", "P_OBJECT") or type_text(each) == DESTROY
                if not pointer or free or (node.name, each.name) in NULL_MEANS:
                    continue
                name = f"null_{node.name}_{each.name}"
                call = Call(self, node, null=index)
                yield (
                    f'{{ "{node.name}", "{each.name}", {name} }}',
                    self.function(name, "fixture *f", self.body(call)),
                )

    def attachments(self):
        for node, parameters, kinds in self.makers():
            name = f"attach_{node.name}"
            call = Call(self, node, given=["a", "b"])
            consumed = [self.is_consumed(node, each, kind) for kind, each in zip(kinds, parameters)]
            several = "true" if kinds[0] == "P_HANDLES" or sum(consumed) > 1 else "false"
            lines = [*call.before, "(void)b;", f"return {call.text()};"]
            arguments = "streams_publisher *a, streams_publisher *b, fixture *f"
            yield (
                f'{{ "{node.name}", {name}, {several} }}',
                self.function(name, arguments, lines, "streams_publisher *"),
            )

    def fallible_callbacks(self):
        """What a function may be called back with and answers with a status: the function, the place of the parameter,
        and the field if that is a struct."""
        for node in self.header.functions:
            if text_of(node.type.type) == "streams_status":
                continue
            parameters = self.header.reader.parameters(node.type)
            for index, each in enumerate(parameters):
                shape = self.header.typedefs.get(type_text(each))
                if shape and text_of(shape.type) == "streams_status":
                    yield node, index, None
                fields = self.header.structs.get(type_text(each).split()[-2], []) if "*" in type_text(each) else []
                for field in fields:
                    if type_text(field) == "function" and text_of(field.type.type.type) == "streams_status":
                        yield node, index, field

    def failing_callbacks(self):
        """Callbacks that first do what a test says, and then, unless that fails, what a row's callback does."""
        written = set()
        for node, index, field in self.fallible_callbacks():
            each = self.header.reader.parameters(node.type)[index]
            if field:
                struct = type_text(each).split()[1]
                shape, name = field.type.type, f"failing_{struct}_{field.name}"
            else:
                struct, shape = None, self.header.typedefs[type_text(each)]
                name = "failing_" + type_text(each).removeprefix("streams_").removesuffix("_fn")
            if struct and struct not in written:
                yield f"static {struct} before_{struct};"
            if name not in written:
                yield from self.failing_callback(name, shape, struct, field)
            written |= {struct, name}

    def failing_callback(self, name, shape, struct, field):
        parameters = [each for each in shape.args.params]
        names = ", ".join(each.name for each in parameters)
        declared = ", ".join(C.visit(each) for each in parameters)
        yield f"static streams_status {name}({declared}) {{"
        yield "    streams_status status = row_failing();"
        yield "    if (status != STREAMS_OK) return status;"
        if struct:
            good = f"before_{struct}.{field.name}"
            yield f"    if ({good} != NULL) return {good}({names});"
            yield "    *state = context;" if field.name == "open" else f"    (void){', (void)'.join(names.split(', '))};"
            yield "    return STREAMS_OK;"
        else:
            yield f"    return {name.replace('failing_', 'row_')}({names});"
        yield "}\n"

    def failing_rows(self):
        """Each callback that answers with a status, and what a function makes with it."""
        for node, index, field in self.fallible_callbacks():
            each = self.header.reader.parameters(node.type)[index]
            name = f"failing_{node.name}_{field.name if field else each.name}"
            call = Call(self, node, given=["upstream()"] * 2, failing=(index, field and field.name))
            lines = [*call.before, "(void)upstream;", f"return {call.text()};"]
            arguments = "streams_publisher *(*upstream)(void), fixture *f"
            yield (
                f'{{ "{node.name}", "{field.name if field else each.name}", {name} }}',
                self.function(name, arguments, lines, "const void *"),
            )

    def case_operators(self):
        """What an operator of a case is in C: its arguments are those of the function, in the same order."""
        joins = []
        yield "streams_publisher *case_operator(run *self, streams_publisher *p, const cJSON *parts) {"
        yield "    const char *name = json_text_at(parts, 0);"
        for node, parameters, kinds in self.makers():
            name = node.name.removeprefix("streams_")
            if kinds[0] == "P_HANDLES":
                callback = "".join(self.case_callback(parameters[2:4]))
                joins.append(f'    if (strcmp(name, "{name}") == 0) return {node.name}(children, count{callback});')
            elif not self.has_struct_of_callbacks(parameters):
                yield f'    if (strcmp(name, "{name}") == 0) {{'
                yield from self.case_call(node, parameters, kinds)
                yield "    }"
        yield "    self->mistake = name;\n    return p;\n}\n"
        yield "streams_publisher *case_join(run *self, const cJSON *parts, streams_publisher **children, size_t count) {"
        yield "    const char *name = json_text_at(parts, 0);"
        yield from joins
        yield "    self->mistake = name;\n    return NULL;\n}\n"

    def case_callback(self, parameters):
        """The callback of what joins several publishers, whose name is the last part."""
        for each in parameters[:1]:
            shape = type_text(each).removeprefix("streams_").removesuffix("_fn")
            yield f", case_{shape}, function_create(self, case_text(parts, (int)count + 1)), function_destroy"

    def has_struct_of_callbacks(self, parameters):
        structs = (self.header.structs.get(type_text(each).split()[-2], []) for each in parameters if "*" in type_text(each))
        return any(type_text(field) == "function" for fields in structs for field in fields)

    def case_call(self, node, parameters, kinds):
        after, arguments, place = [], ["p"], 1
        for kind, each in zip(kinds[1:], parameters[1:]):
            part = f"json_at(parts, {place})"
            place += kind != "P_CONTEXT" and type_text(each) != DESTROY and each.name != "scheduler"
            if kind == "P_VALUE":
                yield f"        streams_value {each.name} = json_to_value({part});"
                after.append(f"streams_value_destroy(&{each.name});")
                arguments.append(f"&{each.name}")
            elif kind == "P_STRUCT":
                base = type_text(each).split()[1]
                yield f"        {base} {each.name} = case_{base.removeprefix('streams_')}({part});"
                arguments.append(f"&{each.name}")
            elif each.name == "error":
                yield f"        streams_error *error = case_error(parts, {place - 1});"
                after.append("if (error != NULL) streams_release(error);")
                arguments.append("error")
            elif type_text(each) == DESTROY:
                arguments.append("function_destroy")
            elif kind == "P_CALLBACK":
                yield f"        function *context = function_create(self, case_text(parts, {place - 1}));"
                arguments.append("case_" + type_text(each).removeprefix("streams_").removesuffix("_fn"))
            elif kind == "P_ENUM":
                arguments.append(f"case_{type_text(each).removeprefix('streams_')}(case_text(parts, {place - 1}))")
            else:
                arguments.append({
                    "P_CONTEXT": "context", "P_INT64": f"(int64_t){part}->valuedouble",
                    "P_TIME": f"(int64_t){part}->valuedouble",
                    "P_UINT64": f"json_to_demand({part})", "P_BOOL": f"cJSON_IsTrue({part})",
                    "P_CSTRING": f"case_text(parts, {place - 1})",
                    "P_HANDLE": "self->scheduler" if each.name == "scheduler" else f"case_chain(self, {part})",
                }[kind])  # fmt: skip
        yield f"        p = {node.name}({', '.join(arguments)});"
        yield from ("        " + each for each in after)
        yield "        return p;"

    def makers(self):
        """The functions that make a publisher of publishers, with their parameters and the classes of these."""
        for node in self.header.functions:
            parameters = self.header.reader.parameters(node.type)
            kinds = [self.classify(node.name, parameters, index)[0] for index in range(len(parameters))]
            consumes = any(
                self.is_consumed(node, each, kind) and "streams_publisher" in type_text(each)
                for kind, each in zip(kinds, parameters)
            )
            if text_of(node.type.type) == "streams_publisher *" and consumes:
                yield node, parameters, kinds

    def lines(self):
        yield '/* Written by Tools/c_rows.py from the header. */\n#include "case.h"'
        yield '#include "fake_host.h"\n#include "rows.h"\n'
        kinds = [self.header.kind(each) for each in self.header.handles]
        yield f"const streams_kind kinds[] = {{ {', '.join(kinds)} }};\nconst int kind_count = {len(kinds)};\n"
        yield from self.failing_callbacks()
        for table, rows in (
            ("call_row", self.call_rows()),
            ("large_row", self.large_rows()),
            ("handle_row", self.handle_rows()),
            ("argument_row", self.argument_rows()),
            ("attachment", self.attachments()),
            ("failing_row", self.failing_rows()),
        ):
            names = []
            for row, function in rows:
                names.append(row)
                yield from function
            yield f"const {table} {table}s[] = {{\n    " + ",\n    ".join(names) + ",\n};"
            yield f"const int {table}_count = {len(names)};\n"
        yield from self.case_operators()


if __name__ == "__main__":
    text = "\n".join(Rows(Header()).lines())
    output = pathlib.Path(sys.argv[1])
    # Only what has changed is compiled again.
    if not output.exists() or output.read_text(encoding="utf-8") != text:
        output.write_text(text, encoding="utf-8")
