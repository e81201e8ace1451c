"""The arguments of operators in random programs that send arrays: Tests/Python/array_programs.py."""

import itertools

import streams
from array_plans import SUBJECTS, action
from fuzz_actors import Chooser


class Arguments(Chooser):
    """Makes the arguments of operators, with functions that act."""

    def __init__(self, run, numbers, upstream):
        self.run, self.numbers, self.machine = run, itertools.cycle(numbers or [0]), run
        self.upstream = upstream

    def error(self):
        return self.run.new_error()

    def scheduler(self):
        return self.run.clock

    def value(self):
        return self.next(5)

    def count(self):
        return self.next(4)

    def subject(self):
        self.run.subjects.append([*SUBJECTS.values()][self.next(3)]())
        return self.run.subjects[-1]

    def publisher(self):
        made = [lambda: streams.Sequence([1, 2]), lambda: streams.Just(7), streams.Empty]
        there_are = [*self.run.subjects[: len(self.run.plan.subjects)], self.upstream, *self.run.publishers]
        number = self.next(3 * len(made))
        return made[number // 3]() if number % 3 == 0 else there_are[number // 2 % len(there_are)]

    def file(self):
        return File(self.callback("None"))

    def callback(self, result):
        script = {self.next(4): action(self.next(1000))} if self.next(3) == 0 else {}
        run, name, count, start = self.run, f"f{next(self.run.own)}", itertools.count(), self.next(2)

        def act(given):
            may_act, number = run.counted(), next(count)
            run.log(name, *map(run.plain, given))
            if number in script and may_act:
                run.act(name, script[number], None)
            return number

        def made(*given):
            if "Operator" in result:
                return lambda value: (act([value]), given[0].send(value))
            if "Iterable" in result:
                return [*given[0]]
            number = act(given)
            if "Publisher" in result:
                inner = [each for each in given if isinstance(each, streams.Publisher)]
                of_run = run.subjects[number % len(run.plan.subjects)] if run.subjects else streams.Empty()
                return inner[0] if inner else [streams.Sequence([given[0] if given else 1, 8]), of_run][start]
            if "bool" in result:
                return hash(self.run.plain(given)[-1] if given else 0) % 3 != start
            if "BaseException" in result:
                return self.error()
            numbers = [each for each in given if isinstance(each, (int, float))]
            return sum(numbers) % 1000 if len(numbers) > 1 else given[0] if given else number

        return made


class File:
    def __init__(self, write):
        self.written = write

    def write(self, text):
        self.written("".join(each for each in text if not each.isdigit()))
