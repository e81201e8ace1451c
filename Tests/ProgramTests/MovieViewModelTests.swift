// The program stands as it was written.
// swift-format-ignore-file
import Foundation
import Streams
import Testing

// The movie provider after the second step: it has a subject, which sends the provider itself.
// Private, because the first step's class has the same name.
private class MovieProvider: NSObject, ObservableObject {

    let moviePassthroughSubject = PassthroughSubject<MovieProvider, Never>() // Never has errors.

    // MARK: - Properties
    fileprivate let fetchedResultsController: NSFetchedResultsController<Movie>
    
    var numberOfSections: Int {
        return fetchedResultsController.sections?.count ?? 0
    }


    // MARK: - Lifecycle
    init(storageProvider: StorageProvider3) {
        
        let fetchRequest = Movie.createFetchRequest()

        // All movies
        fetchRequest.sortDescriptors = [NSSortDescriptor(keyPath: \Movie.title, ascending: true)]
        self.fetchedResultsController = NSFetchedResultsController(
            fetchRequest: fetchRequest,
            managedObjectContext: storageProvider.mainContext,
            sectionNameKeyPath: nil,
            cacheName: nil
        )
        super.init()
        
        fetchedResultsController.delegate = self
        try! fetchedResultsController.performFetch()
    }
    

    // MARK: - Methods
    func numberOfItemsInSection(_ section: Int) -> Int {
        
        guard let sections = fetchedResultsController.sections,
              sections.endIndex > section else {
            return 0
        }
        
        return sections[section].numberOfObjects
    }
    
    
    func object(at indexPath: IndexPath) -> Movie {
        
        return fetchedResultsController.object(at: indexPath)
    }
}


// MARK: - Fetched Results Controller Delegate
extension MovieProvider: NSFetchedResultsControllerDelegate {
    
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {

    	moviePassthroughSubject.send(self)
    }
}

private class MovieViewModel: ObservableObject {

    // MARK: - Properties
    var movieProvider: MovieProvider

    var cancellables = Set<AnyCancellable>()

    // MARK: - Lifecycle
    init(storageProvider: StorageProvider3) {
        
        movieProvider = MovieProvider(storageProvider: storageProvider)

        bindMovieProvider()
    }


    func bindMovieProvider() {

        movieProvider.moviePassthroughSubject.sink { [weak self] _ in
            print("Changed!")
            self?.objectWillChange.send()
        }.store(in: &cancellables)
    }


    // MARK: - Methods
    func numberOfItemsInSection(_ section: Int) -> Int {

        return movieProvider.numberOfItemsInSection(section)
    }


    func object(at indexPath: IndexPath) -> Movie {

        return movieProvider.object(at: indexPath)
    }


}

// MARK: - Tests

@Suite struct MovieViewModelTests {
  @Test func passesChangesOn() {
    let storage = StorageProvider3()
    let model = MovieViewModel(storageProvider: storage)
    let lines = Console.lines {
      let cancellable = model.objectWillChange.sink { print("view updates") }
      storage.saveMovie(titled: "Metropolis")
      storage.saveMovie(titled: "Alien")
      cancellable.cancel()
    }
    #expect(lines == ["Changed!", "view updates", "Changed!", "view updates"])
    #expect(model.numberOfItemsInSection(0) == 2)
    #expect(model.object(at: [0, 0]).title == "Alien")
  }

  /// It has no `@Published` property, and still one publisher for its whole life.
  @Test func itsPublisherStaysTheSame() {
    let model = MovieViewModel(storageProvider: StorageProvider3())
    #expect(model.objectWillChange === model.objectWillChange)
  }

  @Test func isReleasedWithItsSubscription() {
    let storage = StorageProvider3()
    var model: MovieViewModel? = MovieViewModel(storageProvider: storage)
    weak let released = model
    let provider = model?.movieProvider
    model = nil
    #expect(released == nil)
    #expect(Console.lines { storage.saveMovie(titled: "Alien") } == [])
    #expect(provider?.numberOfItemsInSection(0) == 1)
  }
}
