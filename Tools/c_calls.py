"""The calls of exported functions that the C tests go through: what each is given. For c_rows.py."""

from header import type_text

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
