// swift-format-ignore-file: AvoidRetroactiveConformances

import Combine

// What programs in Swift 6 say to take these along; none of them is Sendable of its own.
extension AnyCancellable: @retroactive @unchecked Sendable {}
extension AnyPublisher: @retroactive @unchecked Sendable where Output: Sendable {}
extension AsyncPublisher: @retroactive @unchecked Sendable where P: Sendable, Element: Sendable {}
extension CurrentValueSubject: @retroactive @unchecked Sendable where Output: Sendable {}
extension PassthroughSubject: @retroactive @unchecked Sendable where Output: Sendable {}
extension Future: @retroactive @unchecked Sendable {}
extension Published.Publisher: @retroactive @unchecked Sendable where Value: Sendable {}
extension Publishers.Filter: @retroactive @unchecked Sendable {}

/// Counts what comes, on its own.
public actor Counter {
  private var cancellable: AnyCancellable?
  public private(set) var count = 0

  public init() {}

  public func count(_ values: AnyPublisher<Int, Never>) async {
    for await _ in values.values { count += 1 }
    cancellable = values.sink { _ in }
  }
}

/// Compiles only if they are, as Apple declares them.
public func take(_ downloads: URLSession.DataTaskPublisher) -> [any Sendable] {
  let (queue, loop, operations) = (DispatchQueue.main, RunLoop.main, OperationQueue.main)
  let times: [any Sendable] = [queue.now, loop.now, operations.now, ImmediateScheduler.shared.now]
  let lengths: [any Sendable] = [
    queue.minimumTolerance, loop.minimumTolerance, operations.minimumTolerance,
    ImmediateScheduler.shared.minimumTolerance,
  ]
  let options: [any Sendable.Type] = [
    DispatchQueue.SchedulerOptions.self, RunLoop.SchedulerOptions.self, OperationQueue.SchedulerOptions.self,
  ]
  let coders: [any Sendable] = [JSONEncoder(), JSONDecoder(), PropertyListEncoder(), PropertyListDecoder()]
  let signals: [any Sendable] = [
    Subscribers.Demand.unlimited, Subscribers.Completion<any Error>.finished, CombineIdentifier(),
  ]
  return [downloads] + times + lengths + coders + signals + options.map { $0 as any Sendable }
}
