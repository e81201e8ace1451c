import Streams

/// A node with its value and with those who watch it.
class ValueNode<Value>: Node, @unchecked Sendable {
  struct State {
    var value: Value
    /// Counts the changes.
    var version = 0
    var isFinished = false
  }

  private let state: Lock<State>
  private let watches = Lock(Roster<Watch<Value>>())

  init(_ value: Value, isFinished: Bool, home: Domain) {
    state = Lock(State(value: value, isFinished: isFinished))
    super.init(home: home)
  }

  var snapshot: State { state.withLock { $0 } }
  var value: Value { state.withLock { $0.value } }
  override var isFinished: Bool { state.withLock { $0.isFinished } }

  /// In a transaction: takes a new value, if there is one, and possibly the end.
  func settle(_ value: Value?, isFinished: Bool = false, in domain: Domain) {
    if value == nil && !isFinished { return }
    let replaced = state.withLock { state in
      state.isFinished = isFinished || state.isFinished
      guard let value else { return nil as Value? }
      let replaced = state.value
      state.value = value
      state.version += 1
      return replaced
    }
    if value != nil { isChanged = true }
    domain.touch(self)
    withExtendedLifetime(replaced) {}
  }

  override func notify() {
    for watch in watches.withLock({ $0.elements }) { watch.show() }
  }

  func add(_ watch: Watch<Value>) -> Int { watches.withLock { $0.add(watch) } }

  func removeWatch(_ ticket: Int) {
    let removed = watches.withLock { $0.remove(ticket) }
    withExtendedLifetime(removed) {}
  }

  override func bridged() -> Node { bridge() }

  func bridge() -> ValueNode<Value> {
    // The first value may be newer than this one, and then is a change like any other.
    SourceNode(value, then: Values(node: self, skipsCurrent: false))
  }
}

/// A node whose values come from a publisher.
final class SourceNode<Value>: ValueNode<Value>, @unchecked Sendable {
  private let ticket = Lock<AnyCancellable?>(nil)
  /// Kept, where it is an object whose values nobody else may have a reference to.
  private let subject: AnyObject?
  /// Takes the place of a value that comes in an endless circle of changes.
  private let substitute: Value?

  init(_ value: Value) {
    subject = nil
    substitute = nil
    super.init(value, isFinished: true, home: Domain())
  }

  init<P: Publisher>(
    _ initial: Value, then publisher: P, keeping subject: AnyObject? = nil, substitute: Value? = nil
  ) where P.Output == Value, P.Failure == Never {
    self.subject = subject
    self.substitute = substitute
    super.init(initial, isFinished: false, home: Domain())
    let upstream = publisher.sink(
      receiveCompletion: { [weak self] _ in self?.change(nil, isFinished: true) },
      receiveValue: { [weak self] in self?.change($0, isFinished: false) })
    ticket.withLock { $0 = upstream }
  }

  private func change(_ value: Value?, isFinished: Bool) {
    home.transact { [self] domain in
      if self.isFinished { return }
      guard let substitute, value != nil, domain.round > Domain.longestRun else {
        return settle(value, isFinished: isFinished, in: domain)
      }
      // What follows from that is passed over, and the circle ends.
      if domain.round == Domain.longestRun + 1 { settle(substitute, in: domain) }
    }
  }
}
