import Streams
import StreamsScopes

extension View {
  /// Does something with each value of a publisher, from when the view comes into the tree until it leaves.
  ///
  /// The publisher is asked for all its values. One that comes is kept until the host's next update, and the action is
  /// called there: never within the publisher's call. When the view is evaluated with another publisher, that takes the
  /// place of the one before. Publishers are compared field by field, as views are, and queues by what they stand for: what
  /// receives on `DispatchQueue.main` is the same each time. An `AnyPublisher` or an object that the body makes is another
  /// each time; if its values make the view be evaluated, that goes round. Going round 100 times within 100 milliseconds, also by
  /// way of a scheduler, is an ``ViewHost/EndlessUpdate``: the view is no longer subscribed, until it is evaluated again.
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
      if isNew || reception.isEndless || !areEqual(reception.publisher, publisher) {
        reception.publisher = publisher
        let core = inputs.core
        scope.tree.connect { [weak scope] in
          if let scope, !scope.isRemoved { reception.connect(in: scope, core) }
        }
      }
      V._makeView(view.content, inputs)
    }
  }
}

/// What connects a view to a publisher.
private final class Reception<P: Publisher>: RetainedContent where P.Failure == Never {
  var publisher: P
  var action: (P.Output) -> Void = { _ in }
  private var connection: Connection<P.Output>?
  private var rounds = Rounds()
  private weak var core: HostCore?

  init(_ publisher: P) { self.publisher = publisher }

  var isEndless: Bool { rounds.isEndless }

  func connect(in scope: Scope, _ core: HostCore) {
    connection?.cancel()
    connection = nil
    self.core = core
    rounds.connect(in: scope.tree.updateCount, core.measureRounds)
    core.setProblem(isEndless ? ViewHost.EndlessUpdate(paths: [HostCore.path(of: scope)]) : nil, at: scope)
    if isEndless { return }
    let connection = Connection<P.Output> { [weak self, weak scope] value in
      guard let tree = scope?.tree else { return }
      tree.act { self?.act(on: value, in: tree.updateCount) }
    }
    self.connection = connection
    publisher.subscribe(ReceptionSubscriber(connection))
  }

  private func act(on value: P.Output, in update: Int) {
    rounds.lastAction = update
    action(value)
  }

  override func remove(from scope: Scope) {
    core?.setProblem(nil, at: scope)
    connection?.cancel()
    (connection, action) = (nil, { _ in })
  }
}

/// How often in a row the values of a publisher have brought another in its place.
private struct Rounds {
  /// The update in which the last value was acted on.
  var lastAction = 0
  private(set) var isEndless = false
  private var count = 0
  private var isWithin: ((_ milliseconds: Int) -> Bool)?

  /// What the action changes in an update is evaluated in that update.
  mutating func connect(in update: Int, _ measure: () -> ((Int) -> Bool)?) {
    let goesOn = update == lastAction && !isEndless
    count = goesOn ? count + 1 : 0
    isEndless = count >= UpdateState.roundLimit && isWithin?(100) == true
    if count % UpdateState.roundLimit == 0 { (count, isWithin) = (0, measure()) }
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
