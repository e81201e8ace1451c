"""The contents of a screen, derived from one state: a view model that is made of properties."""

from dataclasses import dataclass
from typing import Optional

from streams import Fail, Just, PassthroughSubject, Property


@dataclass
class ViewState:
    kind: str  # "initial", "loading", "loaded" or "error"
    lines: Optional[list[str]] = None


class ViewModel:
    def __init__(self, load_impulses, fetch):
        def load(page):
            fetched = fetch(page).map(lambda lines: ViewState("loaded", lines))
            return Just(ViewState("loading")).append(fetched.catch(lambda _: Just(ViewState("error"))))

        self.view_state = Property(ViewState("initial"), then=load_impulses.flat_map(load))
        self.is_activity_indicator_visible = self.view_state.map(is_busy)
        self.cell_contents = self.view_state.map(lambda state: state.lines or [])
        self.empty_list_placeholder = self.view_state.map(placeholder)


def is_busy(state):
    return state.kind in ("initial", "loading") and state.lines is None


def placeholder(state):
    return "No items found" if state.lines == [] else None


def fetch(page):
    """Page 1 is empty, page 2 has two lines, and for further pages the network fails."""
    if page > 2:
        return Fail(ConnectionError("offline"))
    return Just([] if page == 1 else ["bread", "milk"])


def show(screen):
    is_loading, cells, text = screen
    print("loading" if is_loading else "ready  ", " ".join(cells), text or "", sep=" | ")


impulses = PassthroughSubject()
model = ViewModel(impulses, fetch)
screen = model.is_activity_indicator_visible.combine_latest(model.cell_contents, model.empty_list_placeholder)
cancellable = screen.all_values.sink(show)
for page in range(1, 4):
    print("page", page)
    impulses.send(page)
