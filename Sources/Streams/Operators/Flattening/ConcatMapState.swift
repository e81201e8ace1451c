/// What a concatMap knows of its upstream: what it has been asked for, and which of its values wait.
///
/// An upstream that answers a request before that returns, as a sequence does, can wait: it is asked for one value at a
/// time, because it may have no end. One that does not, or that passes the request on to a subject, sends when it likes,
/// and may not be able to wait: it is asked for everything if everything is demanded.
struct ConcatMapState<Input> {
  /// Whose turn it is.
  private enum Place {
    case free
    /// A value is being made a publisher of, and that is subscribed to.
    case beginning
    /// That publisher has finished meanwhile.
    case over
    case taken
  }

  enum Step {
    /// Make a publisher of the value, and subscribe to it. Tell when that is done.
    case begin(Input, isKept: Bool)
    /// Ask the upstream.
    case ask
    case rest
  }

  private var place = Place.free
  private var waiting = Queue<Input>()
  /// The threads that are asking the upstream, and how many requests to subjects meanwhile are not the upstream's.
  private var askers: [(thread: UInt32, ownRequests: UInt32)] = []
  /// How many values have been asked for and have not come.
  private var awaitedCount = 0
  /// Whether the upstream sends when it likes.
  private var sendsByItself = false
  private var isEverythingDemanded = false
  private var isEverythingAsked = false
  private var isEnded = false

  // MARK: Demand

  /// What the upstream is. A subject is known to send when it likes.
  mutating func subscribe(toSubject isSubject: Bool) { sendsByItself = isSubject }

  /// Everything is demanded. Returns whether to ask the upstream for everything.
  mutating func demandEverything() -> Bool {
    isEverythingDemanded = true
    return asksForEverything()
  }

  private mutating func asksForEverything() -> Bool {
    guard sendsByItself, isEverythingDemanded, !isEverythingAsked, !isEnded else { return false }
    isEverythingAsked = true
    return true
  }

  /// Begins to ask the upstream. Returns what for, nil if everything has been asked for.
  mutating func beginAsking(on thread: UInt32) -> Subscribers.Demand? {
    if isEverythingAsked { return nil }
    askers.append((thread, 0))
    awaitedCount += 1
    return asksForEverything() ? .unlimited : .max(1)
  }

  /// The publishers that are made of values have sent so many requests to subjects.
  mutating func disregard(_ requests: UInt32, on thread: UInt32) {
    if let place = askers.lastIndex(where: { $0.thread == thread }) { askers[place].ownRequests &+= requests }
  }

  /// The request has returned, and meanwhile so many have reached subjects. Returns whether to ask for everything: where
  /// others are asking, one of these may have left its value to another.
  mutating func endAsking(on thread: UInt32, subjectRequests: UInt32 = 0) -> Bool {
    guard let place = askers.lastIndex(where: { $0.thread == thread }) else { return false }
    let hasAskedSubject = subjectRequests > askers.remove(at: place).ownRequests
    if hasAskedSubject || (askers.isEmpty && awaitedCount > 0) { sendsByItself = true }
    return asksForEverything()
  }

  // MARK: Values

  /// A value has come. Returns what to do, and whether to ask for everything before that.
  mutating func receive(_ value: Input, on thread: UInt32) -> (Step, asksForEverything: Bool) {
    if isEnded { return (.rest, false) }
    awaitedCount -= 1
    if !askers.contains(where: { $0.thread == thread }) { sendsByItself = true }
    let asks = asksForEverything()
    guard place == .free else {
      waiting.append(value)
      return (.rest, asks)
    }
    place = .beginning
    return (.begin(value, isKept: false), asks)
  }

  var waitingCount: Int { waiting.count }

  /// A publisher has been subscribed to.
  mutating func hasBegun() -> Step {
    guard place == .over else {
      place = .taken
      return .rest
    }
    return next()
  }

  /// A publisher has finished, or there was none before. Who is subscribing goes on afterwards, so that nothing recurses.
  mutating func freePlace() -> Step {
    guard place == .beginning else { return next() }
    place = .over
    return .rest
  }

  private mutating func next() -> Step {
    if let value = waiting.popFirst() {
      place = .beginning
      return .begin(value, isKept: true)
    }
    place = .free
    return isEnded ? .rest : .ask
  }

  /// Ends it. Returns the values that wait.
  mutating func end() -> [Input] {
    isEnded = true
    return waiting.removeAll()
  }
}
