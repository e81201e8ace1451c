import Combine
import Foundation

/// What the closures of other threads take along in Swift 5: the compiler has nothing to say about Combine's types.
public final class Meter: ObservableObject {
  /// Not Sendable, nor is what sends it.
  public final class Mark {
    public var text = ""
  }

  @Published public var level = 0
  let levels = CurrentValueSubject<Int, Never>(0)
  let marks = PassthroughSubject<Mark, Error>()
  var cancellables = Set<AnyCancellable>()

  public init() {}

  /// Sends from a queue, a thread and a task, one after the other.
  public func measure() -> [Int] {
    let (levels, marks, done) = (self.levels, self.marks, DispatchSemaphore(value: 0))
    let changes = $level
    let change = objectWillChange
    var seen: [Int] = []
    let cancellable = levels.dropFirst().sink { seen.append($0) }
    let relay = AnySubscriber(levels)
    let erased = levels.map { $0 + 1 }.eraseToAnyPublisher()

    DispatchQueue.global().async {
      levels.send(1)
      marks.send(Mark())
      done.signal()
    }
    done.wait()
    Thread {
      levels.value = 2
      _ = relay.receive(3)
      erased.sink { _ in }.cancel()
      done.signal()
    }.start()
    done.wait()
    Task.detached {
      levels.send(4)
      change.send()
      changes.first().sink { _ in }.cancel()
      marks.send(completion: .finished)
      cancellable.cancel()
      done.signal()
    }
    done.wait()
    return seen
  }

  /// A promise that another thread keeps.
  public func reading() -> Future<Int, Never> {
    Future { promise in
      DispatchQueue.global().async { promise(.success(7)) }
    }
  }

  /// A sequence whose task ends the subscription.
  public static func stream<P: Publisher>(of publisher: P) -> AsyncStream<P.Output> where P.Failure == Never {
    AsyncStream { continuation in
      let cancellable = publisher.sink { _ in
        continuation.finish()
      } receiveValue: {
        continuation.yield($0)
      }
      continuation.onTermination = { _ in cancellable.cancel() }
    }
  }
}
