@preconcurrency import Combine
import Foundation

/// What the closures of other threads take along in Swift 6, under an import that says not to mind.
public enum Sending {
  public final class Mark {}

  public static func fromQueues() -> Int {
    let numbers = CurrentValueSubject<Int, Never>(0)
    let marks = PassthroughSubject<Mark, any Error>()
    let erased = marks.map { _ in 1 }.eraseToAnyPublisher()
    let cancellable = erased.sink { _ in
    } receiveValue: {
      numbers.value += $0
    }

    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) {
      marks.send(Mark())
      erased.sink { _ in
      } receiveValue: { _ in
      }.cancel()
      cancellable.cancel()
    }
    group.wait()
    DispatchQueue.global().async(group: group) { numbers.send(numbers.value + 1) }
    group.wait()
    return numbers.value
  }

  /// A sequence whose task ends the subscription.
  public static func stream<P: Publisher>(of publisher: P) -> AsyncStream<P.Output>
  where P.Failure == Never, P.Output: Sendable {
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
