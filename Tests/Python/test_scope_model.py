"""Random edits of a random tree of scopes, against a model that goes through all of it each time."""

import random
import weakref

import pytest
from streams import ObservableObject, Published, ScopeTree


class Node(ObservableObject):
    """A place in a random tree."""

    number = Published(0)
    children = Published(default_factory=list)
    gives = Published()


def show_node(scope, node):
    count = scope.state("count", 0)
    if node.gives is not None:
        scope.set_environment("given", node.gives)
    for child in node.children:
        scope.child(show_node, child, key=id(child))
    node.count = count
    return node.number, count.value, scope.environment("given")


def make_node(nodes, number):
    node = Node()
    node.gives, node.number = None, number
    nodes.append(node)
    return node


def expected(node, counts, given=None, depth=0):
    """What there is to show, found by going through everything."""
    shown = [(depth, (node.number, counts.setdefault(node, 0), given))]
    for child in node.children:
        shown += expected(child, counts, given if node.gives is None else node.gives, depth + 1)
    return shown


def below(node):
    yield node
    for child in node.children:
        yield from below(child)


@pytest.mark.parametrize("seed", range(4))
def test_random_edits_of_a_random_tree(seed):
    """As a model that goes through the whole tree each time says; and what is not there any more is released."""
    rng, nodes, counts = random.Random(seed), [], {}
    top = make_node(nodes, 0)
    removed = []
    with ScopeTree(show_node, top) as tree:
        for step in range(2500):
            alive = list(below(top))
            node = rng.choice(alive)
            edit = rng.randrange(7)
            if edit == 0:
                node.number = step
            elif edit == 1 and len(alive) < 40:
                node.children = [*node.children, make_node(nodes, step)]
            elif edit == 2 and node.children:
                gone = rng.choice(node.children)
                node.children = [child for child in node.children if child is not gone]
                for each in list(below(gone)):
                    counts.pop(each, None)
                    nodes.remove(each)
                    removed.append(weakref.ref(each))
                gone = each = None
            elif edit == 3:
                node.children = rng.sample(node.children, len(node.children))
            elif edit == 4:
                node.gives = rng.choice([None, "a", "b"])
            elif edit == 5 and hasattr(node, "count"):
                counts[node] = node.count.value = step
            node = alive = None
            if rng.random() < 0.6:
                tree.update()
                assert tree.shown == expected(top, counts), (seed, step)
                assert all(each() is None for each in removed)
                removed.clear()
        tree.update()
        assert tree.shown == expected(top, counts)
