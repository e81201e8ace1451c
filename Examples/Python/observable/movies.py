"""A view model that announces the changes of its movie provider itself."""

from streams import ObservableObject, PassthroughSubject


class MovieProvider:
    """Finds the movies of a library, by title, and notifies when they change."""

    def __init__(self):
        self.changes = PassthroughSubject()
        self.titles = []

    def save(self, title):
        self.titles = sorted([*self.titles, title])
        self.changes.send(self)


class MovieViewModel(ObservableObject):
    def __init__(self, provider):
        self.provider = provider
        self.cancellable = provider.changes.sink(self.announce)

    def announce(self, _):
        print("Changed!")
        self.object_will_change.send()

    def titles(self):
        return self.provider.titles


provider = MovieProvider()
model = MovieViewModel(provider)
view = model.object_will_change.sink(lambda _: print("shows", ", ".join(model.titles())))
provider.save("Metropolis")
provider.save("Alien")
