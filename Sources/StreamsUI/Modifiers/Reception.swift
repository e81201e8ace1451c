import Streams
import StreamsScopes

extension View {
  /// Does something with each value of a publisher, from when the view comes into the tree until it leaves.
  ///
  /// The publisher is asked for all its values. One that comes is kept until the host's next update, and the action is
  /// called there: never within the publisher's call. When the view is evaluated with another publisher, that takes the
  /// place of the one before.
  ///
  ///     Text("\(seconds)").onReceive(ticks) { _ in seconds += 1 }
  nonisolated public func onReceive<P: Publisher>(
    _ publisher: P, perform action: @escaping (P.Output) -> Void
  ) -> some View where P.Failure == Never {
    modifier(ReceptionModifier(publisher: publisher, action: action))
  }
}

nonisolated private struct ReceptionModifier<P: Publisher>: ViewModifier where P.Failure == Never {
  typealias Body = Never
  let publisher: P
  let action: (P.Output) -> Void

  static func _makeView<V: View>(_ view: ModifiedContent<V, Self>, _ inputs: _ViewInputs) {
    let (publisher, action) = (view.modifier.publisher, view.modifier.action)
    inputs.within({ Reception(publisher) }) { scope, reception, isNew in
      reception.action = action
      if isNew || !areEqual(reception.publisher, publisher) {
        reception.publisher = publisher
        scope.tree.connect { [weak scope] in
          if let scope, !scope.isRemoved { reception.connect(in: scope) }
        }
      }
      V._makeView(view.content, inputs)
    }
  }
}

/// What connects a view to a publisher.
private final class Reception<P: Publisher>: Kept where P.Failure == Never {
  var publisher: P
  var action: (P.Output) -> Void = { _ in }
  private var connection: Connection<P.Output>?

  init(_ publisher: P) { self.publisher = publisher }

  func connect(in scope: Scope) {
    connection?.cancel()
    let connection = Connection<P.Output> { [weak self, weak scope] value in
      scope?.tree.act { self?.action(value) }
    }
    self.connection = connection
    publisher.subscribe(ReceptionSubscriber(connection))
  }

  override func remove(from scope: Scope) {
    connection?.cancel()
    (connection, action) = (nil, { _ in })
  }
}

/// A view's end of a subscription. It does not keep the subscriber: that goes when the subscription is cancelled.
private final class Connection<Input>: @unchecked Sendable {
  private struct State {
    var subscription: (any Subscription)?
    var isCancelled = false
  }

  private let state = Lock(State())
  let receive: (Input) -> Void

  init(_ receive: @escaping (Input) -> Void) { self.receive = receive }

  func begin(_ subscription: any Subscription) {
    let isFirst = state.withLock { state in
      if state.isCancelled || state.subscription != nil { return false }
      state.subscription = subscription
      return true
    }
    guard isFirst else { return subscription.cancel() }
    // Twice, as SwiftUI does: a program that counts what is asked for sees the same.
    subscription.request(.unlimited)
    subscription.request(.unlimited)
  }

  func end() { _ = state.withLock { $0.subscription.take() } }

  func cancel() {
    let subscription = state.withLock { state in
      state.isCancelled = true
      return state.subscription.take()
    }
    subscription?.cancel()
  }
}

private final class ReceptionSubscriber<Input>: Subscriber {
  typealias Failure = Never
  private let connection: Connection<Input>

  init(_ connection: Connection<Input>) { self.connection = connection }

  func receive(subscription: any Subscription) { connection.begin(subscription) }

  func receive(_ input: Input) -> Subscribers.Demand {
    connection.receive(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) { connection.end() }
}
