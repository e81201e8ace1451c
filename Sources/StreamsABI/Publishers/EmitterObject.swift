import CStreams
import Streams
import StreamsCallbacks

/// The emitter behind a handle.
class EmitterObject {
  let emitter: Emitter<Value, StreamError>

  init(_ emitter: Emitter<Value, StreamError>) { self.emitter = emitter }

  func send(_ values: UnsafeBufferPointer<Value>) -> Emitter<Value, StreamError>.Outcome {
    emitter.send(values)
  }
  func send(completion: Subscribers.Completion<StreamError>) -> Bool { emitter.send(completion: completion) }
}

/// The emitter of an operator, whose values wait for demand.
final class OperatorEmitterObject: EmitterObject {
  private let inner: OperatorInner<Value, Value, StreamError>

  init(_ inner: OperatorInner<Value, Value, StreamError>) {
    self.inner = inner
    super.init(inner.emitter)
  }

  override func send(_ values: UnsafeBufferPointer<Value>) -> Emitter<Value, StreamError>.Outcome {
    inner.send(values)
  }
  override func send(completion: Subscribers.Completion<StreamError>) -> Bool {
    inner.send(completion: completion)
  }
}

extension Kind {
  static let emitter = HandleKind<EmitterObject>(STREAMS_KIND_EMITTER)
}
