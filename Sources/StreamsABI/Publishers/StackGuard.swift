import Streams
import StreamsShims

/// A publisher with a stack check, which stands wherever operators or subscriptions can nest without limit.
///
/// Values that would nest too deep fail the stream. All other signals are delivered when the stack has been unwound.
struct StackChecked: Publisher {
  typealias Output = Value
  typealias Failure = StreamError

  /// An object, so that a chain of such publishers is released without recursion.
  private let link: Link

  init(_ upstream: some Publisher<Value, StreamError>) { link = Link(upstream.eraseToAnyPublisher()) }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == StreamError {
    let inner = StackGuard(downstream: Downstream(subscriber))
    if streams_stack_is_low() {
      inner.refuse()
    } else {
      Trampoline.through { link.upstream.subscribe(inner) }
    }
  }

  private final class Link {
    let upstream: ValuePublisher

    init(_ upstream: ValuePublisher) { self.upstream = upstream }

    deinit { Trampoline.run(upstream) { withExtendedLifetime($0) {} } }
  }
}

/// Forwards everything while there is stack for it.
final class StackGuard: StageEnds, Subscriber {
  func receive(_ input: Value) -> Subscribers.Demand {
    withUnsafePointer(to: input) { receive(contentsOf: UnsafeBufferPointer(start: $0, count: 1)) }
  }

  func receive(contentsOf batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    guard !isEnded.load(ordering: .relaxed) else { return .refused() }
    guard !streams_stack_is_low() else {
      fail(.tooDeep)
      return .none
    }
    return Trampoline.through { downstream.receive(contentsOf: batch) }
  }
}
