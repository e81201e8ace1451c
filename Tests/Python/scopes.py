"""What the tests of scopes share: what bodies note, and what is shown."""

import pytest
from streams import ObservableObject, Published


class Item(ObservableObject):
    title = Published("milk")
    done = Published(False)


class Runs(list):
    """What bodies have noted since the last look."""

    def __call__(self, *what):
        self.append(what[0] if len(what) == 1 else what)

    def taken(self):
        found, self[:] = list(self), []
        return found


@pytest.fixture
def runs():
    return Runs()


def shown(tree):
    tree.update()
    return [value for _, value in tree.shown]
