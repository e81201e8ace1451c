import Streams
import StreamsScopes

extension View {
  /// Calls an action with each value of a publisher while the view is in the tree.
  ///
  /// The publisher is asked for all its values. A value is kept until the host's next update, which calls the action: it is never
  /// called within the publisher's call. When the view is evaluated with another publisher, that one replaces the one before.
  /// Publishers are compared field by field, as views are, and queues by identity: a publisher that receives on
  /// `DispatchQueue.main` stays the same. An `AnyPublisher` or an object that the body makes is different each time; if its
  /// values cause an evaluation, that repeats itself. 100 repetitions within 100 milliseconds, also by way of a scheduler, are an
  /// ``ViewHost/EndlessUpdate``: the view is then not subscribed until it is evaluated again.
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

/// Connects a view to a publisher.
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

/// Counts how often in a row a publisher's values have led to another publisher in its place.
private struct Rounds {
  /// The update that ran the action for the last value.
  var lastAction = 0
  private(set) var isEndless = false
  private var count = 0
  private var isWithin: ((_ milliseconds: Int) -> Bool)?

  /// An action's changes are evaluated in the update that runs it.
  mutating func connect(in update: Int, _ measure: () -> ((Int) -> Bool)?) {
    let goesOn = update == lastAction && !isEndless
    count = goesOn ? count + 1 : 0
    isEndless = count >= UpdateState.roundLimit && isWithin?(100) == true
    if count % UpdateState.roundLimit == 0 { (count, isWithin) = (0, measure()) }
  }
}

/// A view's side of a subscription. It does not keep the subscriber, which is released when the subscription is cancelled.
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
    // Twice, as SwiftUI does: a program that counts requests sees the same number.
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
