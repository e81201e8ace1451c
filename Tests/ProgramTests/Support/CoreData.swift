import Foundation

// What the programs use of Core Data, which exists on Apple's platforms only: the same names over an array.

protocol NSFetchRequestResult: AnyObject {}

/// What can be stored: it is found by its type, and sorted by its properties.
final class NSManagedObjectContext {
  private var objects: [any NSFetchRequestResult] = []
  private var observers: [() -> Void] = []

  func insert(_ object: any NSFetchRequestResult) {
    objects.append(object)
    for observer in observers { observer() }
  }

  func fetch<Result>(_ request: NSFetchRequest<Result>) -> [Result] {
    request.sorted(objects.compactMap { $0 as? Result })
  }

  func observe(_ observer: @escaping () -> Void) { observers.append(observer) }
}

final class NSFetchRequest<ResultType> {
  var sortDescriptors: [NSSortDescriptor]?

  func sorted(_ objects: [ResultType]) -> [ResultType] {
    guard let descriptor = sortDescriptors?.first else { return objects }
    let path = descriptor.keyPath
    return objects.sorted { first, second in
      guard let first = first[keyPath: path] as? String, let second = second[keyPath: path] as? String else {
        return false
      }
      return descriptor.ascending ? first < second : second < first
    }
  }
}

protocol NSFetchedResultsSectionInfo {
  var numberOfObjects: Int { get }
}

protocol NSFetchedResultsControllerDelegate: AnyObject {
  func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>)
}

final class NSFetchedResultsController<ResultType> {
  private struct Section: NSFetchedResultsSectionInfo {
    var objects: [ResultType]
    var numberOfObjects: Int { objects.count }
  }

  private let request: NSFetchRequest<ResultType>
  private let context: NSManagedObjectContext
  private var section: Section?
  weak var delegate: (any NSFetchedResultsControllerDelegate)?

  init(
    fetchRequest: NSFetchRequest<ResultType>, managedObjectContext: NSManagedObjectContext,
    sectionNameKeyPath: String?, cacheName: String?
  ) {
    request = fetchRequest
    context = managedObjectContext
  }

  var sections: [any NSFetchedResultsSectionInfo]? { section.map { [$0] } }

  /// Fetches, and from then on tells the delegate about changes.
  func performFetch() throws {
    section = Section(objects: context.fetch(request))
    context.observe { [weak self] in self?.contextDidChange() }
  }

  private func contextDidChange() {
    section = Section(objects: context.fetch(request))
    delegate?.controllerDidChangeContent(
      NSFetchedResultsController<NSFetchRequestResult>(
        fetchRequest: NSFetchRequest(), managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil
      ))
  }

  func object(at indexPath: IndexPath) -> ResultType { section!.objects[indexPath[1]] }
}

// MARK: - The model of the programs

final class Movie: NSFetchRequestResult {
  var title: String

  init(title: String) { self.title = title }

  static func createFetchRequest() -> NSFetchRequest<Movie> { NSFetchRequest() }
}

final class StorageProvider3 {
  let mainContext = NSManagedObjectContext()

  func saveMovie(titled title: String) { mainContext.insert(Movie(title: title)) }
}
