// The program stands as it was written.
// swift-format-ignore-file
import Foundation
import Streams
import Testing

// Private, because the second step's class has the same name.
private class MovieProvider: NSObject, ObservableObject {

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

    	objectWillChange.send()
    }
}

// MARK: - Tests

@Suite struct MovieProviderTests {
  @Test func tellsOfChanges() {
    let storage = StorageProvider3()
    storage.saveMovie(titled: "Metropolis")
    let provider = MovieProvider(storageProvider: storage)
    #expect(provider.numberOfSections == 1)
    #expect(provider.numberOfItemsInSection(0) == 1)
    #expect(provider.numberOfItemsInSection(1) == 0)

    var changes = 0
    let cancellable = provider.objectWillChange.sink { changes += 1 }
    storage.saveMovie(titled: "Alien")
    #expect(changes == 1)
    #expect(provider.numberOfItemsInSection(0) == 2)
    #expect([0, 1].map { provider.object(at: [0, $0]).title } == ["Alien", "Metropolis"])
    cancellable.cancel()
    storage.saveMovie(titled: "Brazil")
    #expect(changes == 1)
  }

  /// It has no `@Published` property, and still one publisher for its whole life.
  @Test func itsPublisherStaysTheSame() {
    let provider = MovieProvider(storageProvider: StorageProvider3())
    #expect(provider.objectWillChange === provider.objectWillChange)
  }
}
