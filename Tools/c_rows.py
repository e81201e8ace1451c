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
from header import Classes, Header, Unknown, text_of, type_text  # noqa: E402
from pycparser import c_generator  # noqa: E402

C = c_generator.CGenerator()
DESTROY = "streams_destroy_fn"
# What may be NULL, as its comment says.
NULL_MEANS = {
    ("streams_subject_send_completion", "error"): "the end without a failure",
    ("streams_callable_destroy", "callable"): "what free(NULL) means",
    ("streams_value_describe", "needed"): "that nobody wants to know",
    ("streams_error_create", "object"): "an error without one",
    ("streams_timeout", "error"): "that it finishes",
    ("streams_action_reject", "error"): "that the scheduler does not say why",
    ("streams_record", "error"): "that it finishes",
    ("streams_event", "value"): "that it is none",
    ("streams_value_object_type", "value"): "that it is none",
    ("streams_event", "error"): "that it is no failure",
    ("streams_retry_backoff", "is_worthwhile"): "that every failure is",
    ("streams_print", "prefix"): "none",
    ("streams_host_sink", "call_value"): "that the host calls on_value as any other",
    ("streams_property_remove_duplicates", "is_same"): "as streams_value_equal says",
    ("streams_property_combine_latest", "combine"): "a list",
    ("streams_property_zip", "combine"): "a list",
    ("streams_binding_create", "changes"): "that nobody else tells",
    ("streams_scope_tree_create", "scheduler"): "that updates are made by hand",
    ("streams_scope_tree_create", "input"): "the null value",
    ("streams_scope_tree_set_environment_value", "value"): "none",
    ("streams_scope_child", "key"): "the null value",
    ("streams_scope_child", "input"): "the null value",
    ("streams_scope_task", "input"): "the null value",
    ("streams_assert_no_failure", "prefix"): "none",
    ("streams_print", "write"): "standard output",
    ("streams_publisher_describe", "needed"): "that nobody wants to know",
    ("streams_track", "label"): "none",
    ("streams_track", "write"): "standard error output",
    ("streams_track_subject", "label"): "none",
    ("streams_track_subject", "write"): "standard error output",
    ("streams_trace_start", "write"): "standard error output",
    ("streams_trace_to_file", "path"): "the end of the file",
    ("streams_live_streams", "needed"): "that nobody wants to know",
    ("streams_label", "label"): "that it stays",
    ("streams_label", "place"): "that it stays",
    ("streams_emitter_send_values", "taken"): "that nobody wants to know",
    ("streams_host_emit", "taken"): "that nobody wants to know",
}
# What a parameter gets that is as it should be, where nothing has to be made for it.
GOOD = {
    "P_VALUE": "&row_one", "P_VALUES": "&row_one", "P_INT64S": "row_integers", "P_DOUBLES": "row_reals",
    "P_TEXT": '"x"', "P_CSTRING": '"x"', "P_BYTES": '"x"', "P_INT64": "row_count", "P_TIME": "row_time",
    "P_UINT64": "row_demand", "P_SIZE": "2",
    "P_OFFSET": "0", "P_BOOL": "true", "P_ENUM": "0", "P_DOUBLE": "1", "P_HOST": "fake_host()",
    "P_INOUT_VALUE": "&row_value",
}  # fmt: skip
# What a function is given that may be of any size, in a row with that much.
LARGE = {
    "P_VALUE": ["&large_text", "&large_list"], "P_VALUES": ["large_values"], "P_INT64S": ["large_integers"],
    "P_DOUBLES": ["large_reals"], "P_TEXT": ["large_name"], "P_CSTRING": ["large_name"], "P_BYTES": ["large_name"],
    "P_HANDLES": ["large_handles"], "P_HOST_OBJECTS": ["large_objects"],
}  # fmt: skip
# What is written to, how it is declared, and what a call leaves there that fails, if its comment says so.
OUTS = {
    "P_OUT_VALUE": ("streams_value {0} = streams_int(5)", "{0}.kind == STREAMS_VALUE_NULL"),
    "P_OUT_VALUES": ("streams_value {0} = streams_int(5)", "{0}.kind == STREAMS_VALUE_NULL"),
    "P_OUT_STRUCT": ("{1} {0} = {{ 0 }}", "{0}.size == sizeof {0} && {0}.destroy == NULL"),
    "P_OUT_HANDLE": ("{1} *{0} = (void *)f", "{0} == NULL"),
    "P_OUT_SCALAR": ("{1} {0} = 1", "{0} == 0"),
}


class Call:
    """One call of a function: what is declared before it, what it is given, what comes after it."""

    def __init__(self, rows, node, bad=None, place=0, null=None, given=None, large=None, failing=None):
        self.before, self.arguments, self.after, self.cleared, self.values = [], [], [], [], []
        self.rows, self.node = rows, node
        parameters = rows.header.reader.parameters(node.type)
        self.has_context = "destroy" in [each.name for each in parameters]
        self.is_large, self.is_failing = bool(large), bool(failing)
        previous = ""
        for index, each in enumerate(parameters):
            kind, detail = rows.classify(node.name, parameters, index)
            if large and index == large[0]:
                argument = self.large_handles(each, detail) if kind == "P_HANDLES" else large[1]
            elif index == bad and kind == "P_HANDLES":
                other = self.good_handle(node, each, "P_HANDLES", detail)
                argument = self.handles(each, ["bad", other] if place == 0 else [other, "bad"])
            elif index == bad:
                argument = "bad"
            elif index == null:
                argument = "NULL"
            elif failing and index == failing[0] and kind == "P_CALLBACK":
                argument = f"failing_{self.shape(each)}"
            elif given and rows.is_consumed(node, each, kind):
                argument = self.handles(each, given) if kind == "P_HANDLES" else given[index > 0]
            else:
                argument = self.good(each, kind, detail, previous)
            if failing and index == failing[0] and kind == "P_STRUCT":
                struct, field = type_text(each).split()[1], failing[1]
                self.before.append(f"before_{struct} = {each.name};")
                self.before.append(f"{each.name}.{field} = failing_{struct}_{field};")
            self.arguments.append(argument)
            previous = kind

    def shape(self, each):
        return type_text(each).removeprefix("streams_").removesuffix("_fn")

    def handles(self, each, several):
        self.before.append(f"{type_text(each).split()[0]} *{each.name}[] = {{ {', '.join(several)} }};")
        return each.name

    def large_handles(self, each, detail):
        """One handle, many times."""
        is_kept = self.rows.is_consumed(self.node, each, "P_HANDLES")
        handle = f"handle_of(f, {detail})"
        self.before.append(f"for (int i = 0; i < LARGE; i++) large_handles[i] = (void *)(uintptr_t){handle};")
        if is_kept:
            self.before.append(f"for (int i = 0; i < LARGE; i++) assert_ok(streams_retain({handle}));")
        return f"({type_text(each).split()[0]} **)large_handles"

    def good_handle(self, node, each, kind, detail):
        if detail == "STREAMS_KIND_NONE":  # any
            detail = "STREAMS_KIND_PUBLISHER"
        if not self.rows.is_consumed(node, each, kind):
            return f"(void *)(uintptr_t)handle_of(f, {detail})"
        return "ints(1)" if "publisher" in type_text(each) else "streams_make_connectable(ints(1))"

    def good(self, each, kind, detail, previous):
        name = each.name
        if name == "lower":  # of a range up to row_count
            return "0"
        if name == "path":
            return '"/dev/null"'
        if name == "numbers":
            return "&row_numbers"
        if name == "times":  # for repetitions of repetitions multiply
            return "1"
        if self.is_large and name in ("count", "length"):
            return "LARGE"
        if self.is_large and name == "offset":
            return "0"
        if self.is_large and kind == "P_OUT_VALUES":
            self.after.append("for (int i = 0; i < LARGE; i++) streams_value_destroy(&large_out[i]);")
            return "large_out"
        # A failure would be refused first.
        if self.is_large and kind == "P_HANDLE" and (self.node.name, name) in NULL_MEANS:
            return "NULL"
        # More comes than there is room for.
        if self.is_failing and type_text(each) == "streams_prefetch":
            return "STREAMS_PREFETCH_BY_REQUEST"
        if kind in GOOD:
            return GOOD[kind]
        if kind in OUTS:
            base = type_text(each).replace("*", "").strip()
            declare, cleared = OUTS[kind]
            self.before.append(declare.format(name, base) + ";")
            if kind == "P_OUT_VALUE":
                self.values.append(name)
            if self.rows.promises_to_clear(self.node, name):
                self.cleared.append(cleared.format(name))
            return f"&{name}"
        if kind == "P_HANDLE":
            return self.good_handle(self.node, each, kind, detail)
        if kind == "P_HANDLES":
            return self.handles(each, [self.good_handle(self.node, each, kind, detail)] * 2)
        if kind == "P_COUNT":
            return {"P_HANDLES": "2", "P_BUFFER": "8"}.get(previous, "1")
        if kind == "P_BUFFER":
            self.before.append(f"char {name}[8];")
            return name
        if kind == "P_CALLBACK":
            return f"row_{self.shape(each)}"
        if kind == "P_CONTEXT":
            return "taken(f)" if self.has_context else "NULL"
        if kind in ("P_STRUCT", "P_HOST_TABLE"):
            base = type_text(each).replace("const", "").replace("*", "").strip()
            self.before.append(f"{base} {name} = row_{base.removeprefix('streams_')}(f);")
            return f"&{name}"
        if kind in ("P_HOST_OBJECT", "P_OBJECT"):
            self.before.append(f"fake_object *{name} = fake_int(1);")
            self.after.append(f"fake_release({name});")
            return name
        if kind == "P_HOST_OBJECTS":
            self.before.append(f"void *{name}[] = {{ fake_int(1) }};")
            self.after.append(f"fake_release({name}[0]);")
            return name
        raise SystemExit(f"{self.node.name}: no row knows what to give for {kind} {name}")

    def text(self):
        return f"{self.node.name}({', '.join(self.arguments)})"


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
