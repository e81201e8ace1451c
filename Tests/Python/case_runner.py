"""Runs a case of Tests/Catalogue, whose Cases.md says what it means."""

import functools
import pathlib
import sys

import streams
from case_functions import (
    COMBINING,
    FAILING,
    FUNCTIONS,
    Count,
    Failure,
    Kept,
    List,
    Model,
    Writer,
    demand_event,
    demand_of,
    exact,
    fail_again,
    fail_on_3,
    plain,
    seconds,
    value_of,
)

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Tools"))
import catalogue  # noqa: E402  Tools/catalogue.py

CATALOGUE = catalogue.read()
CASES = catalogue.cases(CATALOGUE)
ENTRIES = {entry.name: entry for entry in catalogue.entries(CATALOGUE)}

PLAIN, SINGLES, BATCHES, APART = "as it is", "values one by one", "subscriber of batches", "steps apart"


class Runner:
    """One run of a case."""

    def __init__(self, case, way):
        self.case, self.way = case, way
        self.log = []
        self.subscription = self.cancellable = self.connectable = self.connection = None
        self.values = 0
        self.script = {"demand": "unlimited", "returns": [], "on_subscription": [], "on_value": {}, "on_completion": []}
        self.script.update(case.get("subscriber", {}))
        self.scheduler = streams.VirtualTimeScheduler()
        self.sources = {name: self.source(made) for name, made in case.get("sources", {}).items()}
        self.state, self.assignments = {}, []

    @staticmethod
    def source(made):
        if made == "promise":
            return Kept()
        if made == "passthrough":
            return streams.PassthroughSubject()
        if made[0] == "published":
            return Model(value_of(made[1]))
        if made[0] == "replay":
            return streams.ReplaySubject(None if made[1] == "unlimited" else made[1])
        return streams.CurrentValueSubject(value_of(made[1]))

    # Chains

    def chain(self, chain):
        head, *operators = chain
        publisher = self.named(head) if isinstance(head, str) else self.head(*head)
        for name, *arguments in operators:
            if self.way == APART:
                publisher = publisher.handle_events()
            publisher = self.operator(publisher, name, *arguments)
        return publisher.handle_events() if self.way == APART else publisher

    def named(self, name):
        source = self.sources[name]
        return source.future if isinstance(source, Kept) else source

    def head(self, name, *arguments):
        if name in ("all_values", "subsequent_values", "values"):
            return getattr(self.state[arguments[0]], name)
        if name in ("merge", "amb", "zip", "combine_latest", "zip_with", "combine_latest_with"):
            chains = [self.chain(each) for each in arguments if isinstance(each, list)]
            return self.several(ENTRIES[name].python[0].partition("(")[0], chains, *arguments[len(chains) :])
        return {
            "just": lambda v: streams.Just(value_of(v)),
            "empty": streams.Empty,
            "fail": lambda message: streams.Fail(Failure(message)),
            "record": lambda values, message=None: streams.Record(value_of(values), message and Failure(message)),
            "deferred": lambda name: streams.Deferred(lambda: FUNCTIONS[name](None)),
            "sequence": lambda values: streams.Sequence(value_of(values)),
            "interval": self.interval,
            "published": lambda name: self.sources[name].published.value,
            "will_change": lambda name: self.sources[name].object_will_change,
            "generate": lambda n: streams.create(lambda emitter: Count(n, emitter)),
        }[name](*arguments)

    def interval(self, first, every, count):
        most = None if count == "unlimited" else count
        return streams.Interval(seconds(every), self.scheduler, first=seconds(first), count=most)

    def several(self, method, publishers, function=None):
        if not publishers:
            return streams.Empty()
        named = {} if function is None else {"combine": self.argument("combine_values", function)}
        return getattr(publishers[0], method)(*publishers[1:], **named)

    def operator(self, publisher, name, *arguments):
        """The method that the catalogue names, called with what its parameters are for."""
        if name == "probe":
            return self.probe(publisher, *arguments)
        if name == "autoconnect":
            return self.connectable.autoconnect()
        entry = ENTRIES[name]
        method, _, names = entry.python[0].rstrip(")").partition("(")
        names = names.split(", ")
        given, said = {}, iter(arguments)
        for place, (each, shape) in enumerate(entry.parameters):
            key = each if each in names else names[place]
            given[key] = self.argument(shape, None if shape == "scheduler" else next(said, None))
        made = getattr(streams.Publisher, method)(publisher, **given)
        if name == "group_by":
            return made.flat_map(lambda group: group.map(lambda value: [group.key, value]))
        if name.startswith("window"):
            return made.flat_map(lambda window: window.collect())
        if isinstance(made, streams.Connectable):
            self.connectable = made
        return made

    def argument(self, shape, said=None):
        """What is given for a parameter of this shape."""
        if shape in ("count", "flag", "text", "prefetch", "when_full"):
            return said
        if shape == "value":
            return value_of(said)
        if shape == "backoff":
            retries, delay, factor, longest = said
            return streams.Backoff(seconds(delay), retries, factor, seconds(longest))
        if shape == "breakpoints":
            return None
        if shape == "subject":
            return self.sources[said]
        if shape == "write":
            return Writer(self.log)
        if said == "named":
            return lambda key: self.sources[str(key)]
        if said == "fail_again" and shape == "make_error":
            return functools.partial(fail_again, None)
        if shape == "transform_batch":
            transform = self.argument("transform", said)
            return lambda batch: [transform(value) for value in (batch if isinstance(batch, list) else batch.tolist())]
        if said == "fail_on_3":
            return fail_on_3(FAILING[shape])
        if shape == "combine_values":
            return COMBINING[said]
        if shape == "scheduler":
            return self.scheduler
        if shape == "error":
            return None if said is None else Failure(said)
        made = {"demand": demand_of, "publisher": self.chain, "time": seconds}
        return made.get(shape, FUNCTIONS.get)(said)

    # Properties and bindings

    def made(self, chain):
        head, *operators = chain
        made = self.state[head] if isinstance(head, str) else self.state_head(*head)
        for name, *arguments in operators:
            made = self.derived(made, name, *arguments)
        return made

    def state_head(self, name, *arguments):
        if name.startswith(("zip", "combine_latest")):
            chains = [self.made(each) for each in arguments if isinstance(each, list)]
            if not chains:
                return streams.Property(List())
            combine = [COMBINING.get(each) or self.argument("combine_values", each) for each in arguments[len(chains) :]]
            method = getattr(chains[0], name.replace("_with", ""))
            return method(*chains[1:], combine=combine[0] if combine else None)
        return {
            "constant": lambda v: streams.Property(value_of(v)),
            "property": self.property,
            "binding": self.binding,
            "binding_constant": lambda v: streams.Binding.constant(value_of(v)),
            "binding_of_functions": self.binding_of_functions,
        }[name](*arguments)

    def property(self, first, then=None):
        if then is not None:
            return streams.Property(value_of(first), self.chain(then))
        if first in self.state:
            return self.state[first].property
        source = self.sources[first]
        return streams.Property(source.published.value if isinstance(source, Model) else source)

    def binding(self, name):
        source = self.sources[name]
        return source.bindings.value if isinstance(source, Model) else streams.Binding(source)

    def binding_of_functions(self, name, changes=None):
        source = self.sources[name]
        told = None if changes is None else self.chain(changes)
        return streams.Binding(lambda: source.value, lambda value: setattr(source, "value", value), told)

    def derived(self, made, name, *arguments):
        if isinstance(made, streams.Binding):
            if name == "element":
                return made[arguments[0]]
            return getattr(made, name)(self.argument("transform", arguments[0]), self.argument("combine", arguments[1]))
        shape = {"map": "transform", "filter": "predicate", "compact_map": "transform", "scan": "combine"}.get(name)
        if shape is not None:
            return getattr(made, name)(*map(value_of, arguments[:-1]), self.argument(shape, arguments[-1]))
        return {
            "remove_duplicates": made.remove_duplicates,
            "remove_duplicates_by": lambda f: made.remove_duplicates(self.argument("compare", f)),
            "flat_map": lambda f: made.flat_map(self.expansion(f)),
            "receive_on": lambda: made.receive_on(self.scheduler),
        }[name](*arguments)

    def expansion(self, name):
        if name == "named":
            return lambda key: self.state[str(key)]
        transform = self.argument("transform", name)
        return lambda value: streams.Property(transform(value))

    def assign(self, chain, name):
        to = self.sources[name].published.value if name in self.sources else self.state[name]
        self.assignments.append(self.chain(chain).assign(to=to))

    def read(self, name):
        try:
            self.log.append([name, "value", plain(self.state[name].value)])
        except Failure as error:
            self.log.append([name, "failed", str(error)])

    def probe(self, publisher, p):
        return publisher.handle_events(
            receive_subscription=lambda _: self.log.append([p, "subscription"]),
            receive_output=lambda v: self.log.append([p, "value", plain(v)]),
            receive_completion=lambda error: self.log.append([p, *self.end(error)]),
            receive_cancel=lambda: self.log.append([p, "cancel"]),
            receive_request=lambda demand: self.log.append([p, "request", demand_event(demand)]),
        )

    @staticmethod
    def end(error):
        return ["finished"] if error is None else ["failed", str(error)]

    # The subscriber

    def on_subscription(self, subscription):
        self.subscription = subscription
        self.log.append(["subscription"])
        self.act(self.script["on_subscription"])

    def on_value(self, value):
        self.values += 1
        self.log.append(["value", plain(value)])
        self.act(self.script["on_value"].get(str(self.values), []))
        returns = self.script["returns"]
        return demand_of(returns[self.values - 1]) if self.values <= len(returns) else None

    def on_batch(self, values):
        self.log += [["value", plain(value)] for value in values]

    def on_completion(self, error):
        self.log.append(self.end(error))
        self.act(self.script["on_completion"])

    # Actions

    def act(self, actions):
        for action in actions:
            self.do(*action)

    def do(self, verb, *arguments):
        if verb == "subscribe":
            takes = {"batch": self.on_batch} if self.way == BATCHES else {"value": self.on_value}
            self.cancellable = self.chain(self.case["publisher"]).sink(
                completion=self.on_completion,
                demand=demand_of(self.script["demand"]),
                subscription=self.on_subscription,
                **takes,
            )
        elif verb == "request":
            self.subscription.request(demand_of(arguments[0]))
        elif verb == "advance":
            self.scheduler.advance(seconds(arguments[0]))
        elif verb == "connect":
            self.connection = self.connectable.connect()
        elif verb == "disconnect":
            self.connection.cancel()
        elif verb == "cancel":
            self.subscription.cancel()
        elif verb == "make":
            self.state[arguments[0]] = self.made(arguments[1])
        elif verb == "assign":
            self.assign(*arguments)
        elif verb == "read":
            self.read(*arguments)
        elif verb == "release":
            del self.state[arguments[0]]
        elif arguments[0] in self.state:
            self.state[arguments[0]].value = value_of(arguments[1])
        elif isinstance(self.sources[arguments[0]], Model):
            self.sources[arguments[0]].value = value_of(arguments[1])
        else:
            self.feed(verb, self.sources[arguments[0]], *arguments[1:])

    def feed(self, verb, source, *arguments):
        if verb == "send":
            source.send(value_of(arguments[0]))
        elif verb == "send_values" and self.way == SINGLES:
            for value in arguments[0]:
                source.send(value_of(value))
        elif verb == "send_values":
            source.send_many(value_of(arguments[0]))
        elif verb == "resolve":
            source.resolve(value_of(arguments[0]))
        elif verb == "reject":
            source.reject(Failure(arguments[0]))
        elif verb == "finish":
            source.finish()
        elif verb == "fail":
            source.fail(Failure(arguments[0]))
        else:
            assert verb == "set"
            source.value = value_of(arguments[0])

    def run(self):
        for number, step in enumerate(self.case["steps"]):
            self.log.clear()
            self.do(*step["do"])
            assert exact(self.log) == exact(step["expect"]), f"step {number}: {step['do']}"

    def end_all(self):
        """Releases everything: the functions of the streams know the runner, and the runner the streams."""
        if self.cancellable is not None:
            self.cancellable.close()
        if self.connection is not None:
            self.connection.close()
        for each in [*self.assignments, *self.state.values()]:
            each.close()
        self.scheduler.close()
        self.__dict__.clear()
