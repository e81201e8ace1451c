// A view model that announces the changes of its movie provider itself.
import Streams

/// Finds the movies of a library, by title, and notifies when they change.
class MovieProvider {
  let moviePassthroughSubject = PassthroughSubject<MovieProvider, Never>()
  private(set) var titles: [String] = []

  func save(_ title: String) {
    titles = (titles + [title]).sorted()
    moviePassthroughSubject.send(self)
  }
}

class MovieViewModel: ObservableObject {
  var movieProvider: MovieProvider
  var cancellables = Set<AnyCancellable>()

  init(movieProvider: MovieProvider) {
    self.movieProvider = movieProvider
    bindMovieProvider()
  }

  func bindMovieProvider() {
    movieProvider.moviePassthroughSubject.sink { [weak self] _ in
      print("Changed!")
      self?.objectWillChange.send()
    }
    .store(in: &cancellables)
  }

  func numberOfItems() -> Int { movieProvider.titles.count }

  func title(at index: Int) -> String { movieProvider.titles[index] }
}

let provider = MovieProvider()
let model = MovieViewModel(movieProvider: provider)
let view = model.objectWillChange.sink {
  print("shows", (0..<model.numberOfItems()).map(model.title).joined(separator: ", "))
}
provider.save("Metropolis")
provider.save("Alien")
