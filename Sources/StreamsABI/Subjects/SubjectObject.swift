import CStreams
import Streams

/// The subject behind a handle.
final class SubjectObject {
  enum Kind {
    case passthrough(PassthroughSubject<Value, StreamError>)
  }

  let kind: Kind

  init(_ kind: Kind) { self.kind = kind }

  @inline(__always)
  func send(_ batch: UnsafeBufferPointer<Value>) {
    switch kind {
    case .passthrough(let subject): subject.send(contentsOf: batch)
    }
  }

  func send(completion: Subscribers.Completion<StreamError>) {
    switch kind {
    case .passthrough(let subject): subject.send(completion: completion)
    }
  }

  @inline(__always)
  var isCompleted: Bool {
    switch kind {
    case .passthrough(let subject): subject.isCompleted
    }
  }

  var publisher: ValuePublisher {
    switch kind {
    case .passthrough(let subject): subject.eraseToAnyPublisher()
    }
  }
}
