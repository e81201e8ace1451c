import Streams

/// The value that a function makes of observable objects, now and after each change of what it has read.
package struct ObservedValues<Output>: Publisher {
  package typealias Failure = Never

  private let read: () -> Output

  package init(_ read: @escaping () -> Output) { self.read = read }

  package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    // A subject with a current value: a change without demand for it is sent later. The value means nothing, but is not empty:
    // ThreadSanitizer would take the lock beside it for it.
    nonisolated(unsafe) let moments = CurrentValueSubject<Bool, Never>(true)
    let reads = ObservableReads { moments.send(true) }
    moments.map { [read] _ in reads.track(read) }.subscribe(subscriber)
  }
}
