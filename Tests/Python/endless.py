"""Programs that send from within what they are sent, without end. Run by test_depth.

    endless.py KIBIBYTES

Each runs on a thread with a stack of that size, or, for 0, on the main thread. The program prints the name of each, and
says what is wrong where its stream has not failed, once, with a RecursionError.
"""

import sys
import threading

from streams import CurrentValueSubject, Just, PassthroughSubject, create


def sink_of_its_send(subject, ended):
    return subject.sink(subject.send, ended)


def sink(subject, ended):
    return subject.sink(lambda value: subject.send(value), ended)


def sink_of_batches(subject, ended):
    return subject.sink(batch=lambda values: subject.send(values[0]), completion=ended)


def many_numbers(subject, ended):
    return subject.sink(lambda value: subject.send_many([value]), ended)


def many_objects(subject, ended):
    return subject.sink(lambda value: subject.send_many(["text"]), ended)


def current_value(subject, ended):
    current = CurrentValueSubject(0)

    def receive(value):
        current.value = value

    return [subject.sink(receive), current.drop_first().sink(receive, ended)]


def transform(subject, ended):
    return subject.map(subject.send).filter(bool).sink(None, ended)


def predicate(subject, ended):
    return subject.filter(lambda value: subject.send(value)).sink(None, ended)


def accumulate(subject, ended):
    return subject.scan(0, lambda total, value: subject.send(value)).sink(None, ended)


def child(subject, ended):
    def expand(value):
        subject.send(value)
        return Just(value)

    return subject.flat_map(expand).sink(None, ended)


def child_of_its_own(subject, ended):
    return subject.flat_map(lambda value: Just(value).map(subject.send)).sink(None, ended)


def assign(subject, ended):
    class Owner:
        value = property(lambda self: 0, lambda self, new: subject.send(new))

    owner = Owner()
    return subject.sink(lambda value: setattr(owner, "value", value), ended)


def produce(subject, ended):
    def begin(emitter):
        def produce(most):
            subject.send(1)
            emitter.send(1)

        return produce

    return subject.flat_map(lambda value: create(begin)).sink(None, ended)


def emitters(subject, ended):
    """Each emitter sends to a subscriber that begins the next."""

    def begin(emitter):
        return lambda most: emitter.send(1)

    cancellables = []

    def receive(value):
        cancellables.append(create(begin).sink(receive, ended))

    return [subject.sink(receive, ended), cancellables]


def in_turn(subject, ended):
    other = PassthroughSubject()
    return [subject.sink(other.send, ended), other.sink(subject.send, ended)]


def in_a_ring(subject, ended):
    ring = [subject, *(PassthroughSubject() for _ in range(5))]
    return [a.map(lambda n: n).sink(b.send, ended) for a, b in zip(ring, ring[1:] + ring[:1])]


PROGRAMS = [
    sink_of_its_send, sink, sink_of_batches, many_numbers, many_objects, current_value, transform, predicate, accumulate,
    child, child_of_its_own, assign, produce, emitters, in_turn, in_a_ring,
]  # fmt: skip


def run():
    for program in PROGRAMS:
        print(program.__name__, flush=True)
        subject, ends = PassthroughSubject(), []
        kept = program(subject, ends.append)
        try:
            subject.send(1)
        except RecursionError:
            pass  # where nobody below could be told
        failures = [error for error in ends if error is not None]
        if len(failures) != 1 or not isinstance(failures[0], RecursionError):
            print(f"  ended with {[type(error).__name__ for error in ends]}")
        failures.clear()
        ends.clear()
        subject.close()
        del kept, subject


if __name__ == "__main__":
    sys.unraisablehook = lambda report: print("  unraisable:", repr(report.exc_value))
    size = int(sys.argv[1])
    if size:
        threading.stack_size(size * 1024)
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    else:
        run()
