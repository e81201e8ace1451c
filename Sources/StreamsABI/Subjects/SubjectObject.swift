import CStreams
import Streams
import StreamsExtras

/// The subject behind a handle.
///
/// Calls go through closures that were formed for the kind of subject: a choice between stored subjects would count
/// references at every send.
final class SubjectObject {
  /// Sends values, at least one, that own their storage. Returns false, and sends nothing, if the subject has completed.
  let send: (UnsafeBufferPointer<Value>) -> Bool
  let complete: (Subscribers.Completion<StreamError>) -> Void
  let publisher: ValuePublisher
  /// Makes the subject the downstream of a publisher.
  let subscribe: (ValuePublisher) -> any Cancellable
  /// Makes a connectable that sends what a publisher publishes through the subject.
  let multicast: (Guarded) -> ConnectableObject
  /// The subject itself, if it keeps its latest value.
  let currentValue: CurrentValueSubject<Value, StreamError>?
  private let completed: () -> Bool

  init(_ subject: PassthroughSubject<Value, StreamError>) {
    send = { subject.sendUnlessCompleted($0) }
    complete = { subject.send(completion: $0) }
    completed = { subject.isCompleted }
    subscribe = { $0.connect(to: subject) }
    multicast = { ConnectableObject($0.multicast(subject: subject)) }
    publisher = subject.eraseToAnyPublisher()
    currentValue = nil
  }

  init(_ subject: CurrentValueSubject<Value, StreamError>) {
    send = { subject.sendUnlessCompleted($0) }
    complete = { subject.send(completion: $0) }
    completed = { subject.isCompleted }
    subscribe = { $0.connect(to: subject) }
    multicast = { ConnectableObject($0.multicast(subject: subject)) }
    publisher = subject.eraseToAnyPublisher()
    currentValue = subject
  }

  init(_ subject: ReplaySubject<Value, StreamError>) {
    send = { subject.sendUnlessCompleted($0) }
    complete = { subject.send(completion: $0) }
    completed = { subject.isCompleted }
    subscribe = { $0.connect(to: subject) }
    multicast = { ConnectableObject($0.multicast(subject: subject)) }
    publisher = subject.eraseToAnyPublisher()
    currentValue = nil
  }

  @inline(__always)
  var isCompleted: Bool { completed() }
}
