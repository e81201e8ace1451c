import CStreams
import Streams
import StreamsCallbacks

/// An operator written in C; `destroy` follows when the publisher is gone and every subscription closed.
private final class OperatorCallbacks {
  let callbacks: streams_operator

  init(_ callbacks: streams_operator) { self.callbacks = callbacks }

  deinit { UserCallback.releasing { callbacks.destroy?(callbacks.context) } }
}

/// A publisher followed by an operator written in C.
private struct Lifted: Publisher {
  typealias Output = Value
  typealias Failure = StreamError

  let upstream: ValuePublisher
  let callbacks: OperatorCallbacks

  func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == StreamError {
    let inner = OperatorInner<Value, Value, StreamError>(subscriber)
    do throws(StreamError) {
      inner.attach(to: upstream, try LiftedSubscription(callbacks, inner).functions)
    } catch {
      inner.refuse(error)
    }
  }
}

/// One subscription to an operator: the state that `open` has returned, and the emitter that is lent until `close`.
private final class LiftedSubscription {
  private let shared: OperatorCallbacks
  private let emitter: Token
  private var state: UnsafeMutableRawPointer?

  init(_ shared: OperatorCallbacks, _ inner: OperatorInner<Value, Value, StreamError>) throws(StreamError) {
    let lent = HandleTable.insert(OperatorEmitterObject(inner), kind: Kind.emitter.code, isLent: true)
    guard let lent else { throw StreamError(status: STREAMS_LIMIT, "there is no room for another handle") }
    (self.shared, emitter) = (shared, lent)
    state = shared.callbacks.context
    guard let open = shared.callbacks.open else { return }
    state = nil
    do throws(StreamError) {
      try UserCallback.call { open(shared.callbacks.context, lent.handle, &state) }
    } catch {
      HandleTable.takeBack(lent)
      throw error
    }
  }

  var functions: OperatorInner<Value, Value, StreamError>.Functions {
    .init(onValue: receive, onCompletion: receive(completion:), close: close)
  }

  private func receive(_ value: Value) -> StreamError? {
    call {
      withUnsafePointer(to: value) { shared.callbacks.on_value(state, emitter.handle, $0.asC) }
    }
  }

  private func receive(completion: Subscribers.Completion<StreamError>) -> StreamError? {
    guard let onCompletion = shared.callbacks.on_completion else { return nil }
    var failure: StreamError?
    Call("streams_lift").lending(completion) { error in
      failure = call { onCompletion(state, emitter.handle, error) }
    }
    return failure
  }

  private func call(_ callback: () -> streams_status) -> StreamError? {
    do throws(StreamError) {
      try UserCallback.call(callback)
      return nil
    } catch {
      return error
    }
  }

  private func close() {
    HandleTable.takeBack(emitter)
    UserCallback.releasing { shared.callbacks.close?(state) }
  }
}

@_cdecl("streams_lift") @implementation
public func streams_lift(
  _ publisher: OpaquePointer!, _ behavior: UnsafePointer<streams_operator>!
) -> OpaquePointer! {
  let call = Call("streams_lift")
  return Trampoline.through {
    let options = call.beside(publisher) {
      call.options(
        behavior, "behavior", minimum: MemoryLayout<streams_operator>.size, empty: streams_operator())
    }
    let callbacks = options.map(OperatorCallbacks.init)
    return call.attach(publisher) { upstream -> StackChecked? in
      guard let callbacks else { return nil }
      guard callbacks.callbacks.on_value != nil else {
        _ = call.fail(STREAMS_NULL_ARGUMENT, "behavior has no on_value")
        return nil
      }
      return StackChecked(Lifted(upstream: upstream, callbacks: callbacks))
    }
  }
}
