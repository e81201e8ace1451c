"""State that is observed in the fuzzer's programs: objects whose attributes are set, and what is derived from them."""

from fuzz_actors import DEEPEST, VALUES
from hypothesis import strategies as st
from hypothesis.stateful import rule
from streams import Binding, CurrentValueSubject, ObservableObject, Property, Published

SCRIPT = st.lists(st.integers(0, 999), max_size=8)
MOST = 12  # properties of a program


class Thing(ObservableObject):
    a = Published(0)
    b = Published()
    c = Published(default_factory=list)


class Observed:
    """The rules, for the machine of the fuzzer (test_fuzz.py)."""

    def __init__(self):
        super().__init__()
        self.objects, self.properties, self.bindings, self.made = [], [], [], []

    def thing(self, number):
        if not self.objects:
            self.objects.append(Thing())
        return self.objects[number % len(self.objects)]

    def property(self, number):
        return self.properties[number % len(self.properties)] if self.properties else Property(number)

    @rule(number=st.integers(0, 9))
    def make_an_object(self, number):
        self.begin_rule()
        if len(self.objects) < 4:
            thing = Thing()
            self.objects.append(thing)
            self.add(thing.published.a, 0, False)
            self.add(thing.object_will_change, 0, False)

    @rule(name=st.sampled_from("abc"), script=SCRIPT)
    def set_attributes(self, name, script):
        self.begin_rule()
        for number in script:
            thing = self.thing(number)
            self.run(setattr, thing, name, VALUES[number % len(VALUES)])
            if number % 5 == 0:
                self.run(thing.object_will_change.send)
            self.check(hasattr(thing, name), f"{name} is not there after it has been set")

    @rule(number=st.integers(0, 999), kind=st.integers(0, 4))
    def make_a_property(self, number, kind):
        self.begin_rule()
        currents = [each for each in self.subjects if isinstance(each, CurrentValueSubject)] or [CurrentValueSubject(1)]
        make = [
            lambda: Property(VALUES[number % len(VALUES)]),
            lambda: Property(currents[number % len(currents)]),
            lambda: Property(self.thing(number).published.a),
            lambda: Property(number, then=self.publisher(number, below=DEEPEST)),
            lambda: Property(0, then=self.thing(number).object_will_change),
        ][kind]
        self.keep(self.run(make))

    @rule(number=st.integers(0, 999), other=st.integers(0, 999), kind=st.integers(0, 9), script=SCRIPT)
    def derive(self, number, other, kind, script):
        self.begin_rule()
        act = self.actor(script)
        one, two = self.property(number), self.property(other)
        make = [
            lambda: one.map(lambda value: act()),
            lambda: one.map(str),
            lambda: one.filter(number, lambda value: act()),
            lambda: one.compact_map(0, lambda value: act()),
            lambda: one.scan(0, lambda total, value: act()),
            lambda: one.remove_duplicates(),
            lambda: one.combine_latest(two, one),
            lambda: one.zip(two, combine=lambda a, b: act()),
            lambda: one.flat_map(lambda value: self.property(act() or 0)),
            lambda: one.receive_on(self.schedulers[other % len(self.schedulers)]),
        ][kind]
        self.keep(self.run(make))

    def keep(self, made):
        if made is None:
            return
        self.made.append(made)
        if len(self.properties) < MOST:
            self.properties.append(made)
        self.add(made.all_values, 1, False)
        self.add(made.subsequent_values, 1, False)

    def binding(self, number):
        return self.bindings[number % len(self.bindings)] if self.bindings else Binding.constant(number)

    @rule(number=st.integers(0, 999), kind=st.integers(0, 8), script=SCRIPT)
    def bind(self, number, kind, script):
        self.begin_rule()
        act = self.actor(script)
        base, list_of = self.binding(number), CurrentValueSubject([number, [number]])
        make = [
            lambda: Binding(CurrentValueSubject(VALUES[number % len(VALUES)])),
            lambda: Binding(act, lambda value: act()),
            lambda: Binding(act, lambda value: act(), self.publisher(number, below=DEEPEST)),
            lambda: self.thing(number).bindings.a,
            lambda: base.map(lambda whole: act(), lambda whole, part: act()),
            lambda: base.part(lambda whole: act(), lambda whole, part: act()),
            lambda: base.part(int, lambda whole, part: part),
            lambda: Binding(list_of)[1][0],
            lambda: Binding.constant(number),
        ][kind]
        made = self.attempt(make)
        if made is None:
            return
        self.made.append(made)
        if len(self.bindings) < MOST:
            self.bindings.append(made)
        self.add(made.values, 1, False)
        if number % 4 == 0:
            property = self.attempt(lambda: made.property)
            if property is not None:
                self.keep(property)

    @rule(number=st.integers(0, 999), script=SCRIPT)
    def set_bindings(self, number, script):
        self.begin_rule()
        for each in script:
            self.attempt(setattr, self.binding(number + each), "value", VALUES[each % len(VALUES)])

    @rule(number=st.integers(0, 999))
    def read(self, number):
        self.begin_rule()
        self.attempt(lambda: self.property(number).value)
        self.attempt(lambda: self.binding(number).value)

    def attempt(self, function, *arguments):
        """Calls what fails with what a function has raised, or a copy of it."""
        try:
            return function(*arguments)
        except BaseException as error:
            kinds = {type(each) for each in self.raised}
            self.check(type(error) in kinds or self.is_known(error), f"{error!r} came out of state")
            error.__traceback__ = None
        return None

    @rule(number=st.integers(0, 999), name=st.sampled_from("ab"), weak=st.booleans())
    def assign(self, number, name, weak):
        """To an object of its own, so that no circle is made that nothing ends."""
        self.begin_rule()
        thing = Thing()
        publisher = self.publisher(number, below=DEEPEST)
        if weak:
            cancellable = self.run(publisher.assign, thing, name, weak=True)
        else:
            cancellable = self.run(publisher.assign, thing.published.a)
        self.note_cancellable(cancellable)
        self.add(thing.published.a, self.depth.get(id(publisher), 0) + 1, False)
        if number % 3:
            self.objects.append(thing)

    def clear_state(self):
        """What a property has failed with knows by its traceback the frames of the program, and they the property."""
        for each in self.made:
            each.close()
        self.made.clear()
        self.properties.clear()
        self.bindings.clear()
        self.objects.clear()
