/// The state of a concatMap's upstream: what has been requested from it, and which of its values wait.
///
/// An upstream that answers a request before that returns, as a sequence does, can wait: one value at a time is
/// requested from it, because it may have no end. An upstream that does not, or that passes the request on to a
/// subject, sends at any time and may not be able to wait: unlimited values are requested from it if demand is
/// unlimited. If another publisher follows one that can wait, in a concatenation, it may be a subject, whose values are
/// lost before it is subscribed to: a limited number of values is requested, to get there soon.
struct ConcatMapState<Input> {
  /// The state of the one place for a publisher.
  private enum Place {
    case free
    /// A publisher is being made of a value and subscribed to.
    case beginning
    /// That publisher has finished while it was subscribed to.
    case over
    case taken
  }

  enum Step {
    /// Make a publisher from the value, and subscribe to it. Call `hasBegun()` when that is done.
    case begin(Input, isKept: Bool)
    /// Request from the upstream.
    case ask
    case rest
  }

  private var place = Place.free
  private var waiting = Queue<Input>()
  /// A thread that is requesting from the upstream.
  private struct Asker {
    let thread: UInt32
    /// What the thread had requested of sources before, and what it does since that is not the upstream's.
    var otherRequests: UInt64
    /// Whether another thread has requested everything meanwhile, which the upstream may leave until that is through.
    var mayBeLeft = false

    /// Whether the upstream has passed the request on to a subject.
    func hasReachedSubject(by requests: UInt64) -> Bool {
      UInt32(truncatingIfNeeded: requests &- otherRequests) > 0
    }
    /// Whether the upstream has kept another publisher waiting.
    func hasMetConcatenation(by requests: UInt64) -> Bool { (requests &- otherRequests) >> 32 > 0 }
  }
  private var askers: [Asker] = []
  /// How many values have been requested and have not come.
  private var awaitedCount = 0
  /// Whether the upstream sends at any time.
  private var sendsByItself = false
  /// Whether the upstream may be a subject once it has sent what it has.
  private var mayFollowSubject = false
  private var isEverythingDemanded = false
  private var isEverythingAsked = false
  /// The thread that is requesting everything.
  private var everythingAsker: UInt32?
  private var isEnded = false

  // MARK: Demand

  /// Notes the kind of the upstream. A subject is known to send at any time.
  mutating func subscribe(toSubject isSubject: Bool) { sendsByItself = isSubject }

  /// What to request.
  enum Following {
    case nothing
    case everything
    /// As much as ``beginAsking(on:requests:)`` says.
    case more
  }

  /// Notes that demand is unlimited. Returns what to request from the upstream.
  /// If `again` is true, also what has been requested, since another thread may not be through with that.
  mutating func demandEverything(on thread: UInt32, again: Bool) -> Following {
    isEverythingDemanded = true
    return again && isEverythingAsked && !isEnded ? .everything : following(on: thread)
  }

  private mutating func following(on thread: UInt32) -> Following {
    if asksForEverything(on: thread) { return .everything }
    return mayFollowSubject && isEverythingDemanded && !isEverythingAsked && !isEnded ? .more : .nothing
  }

  private mutating func asksForEverything(on thread: UInt32) -> Bool {
    guard sendsByItself, isEverythingDemanded, !isEverythingAsked, !isEnded else { return false }
    isEverythingAsked = true
    everythingAsker = thread
    for index in askers.indices where askers[index].thread != thread { askers[index].mayBeLeft = true }
    return true
  }

  /// Notes that a request of everything has returned.
  mutating func hasAskedForEverything() { everythingAsker = nil }

  /// Begins a request to the upstream. Returns its demand, nil if unlimited values have been requested: another thread that
  /// is doing that may be slow. `requests`, here and below, is what the thread has requested of sources.
  mutating func beginAsking(on thread: UInt32, requests: UInt64) -> Subscribers.Demand? {
    if isEverythingAsked, (everythingAsker ?? thread) == thread { return nil }
    askers.append(Asker(thread: thread, otherRequests: requests))
    let count = mayFollowSubject && isEverythingDemanded ? max(1, 256 - waiting.count - awaitedCount) : 1
    awaitedCount += count
    return asksForEverything(on: thread) ? .unlimited : .max(count)
  }

  /// Notes what the publishers that are made of values have requested of sources.
  mutating func disregard(_ requests: UInt64, on thread: UInt32) {
    if let place = askers.lastIndex(where: { $0.thread == thread }) {
      askers[place].otherRequests &+= requests
    }
  }

  /// Notes that the request has returned. Returns what to request next. While other threads are requesting, one of them may have
  /// left its value to another.
  mutating func endAsking(on thread: UInt32, requests: UInt64) -> Following {
    guard let place = askers.lastIndex(where: { $0.thread == thread }) else { return .nothing }
    let asker = askers.remove(at: place)
    if asker.hasReachedSubject(by: requests) || (askers.isEmpty && awaitedCount > 0) { sendsByItself = true }
    let isFirst = !mayFollowSubject && asker.hasMetConcatenation(by: requests)
    if isFirst { mayFollowSubject = true }
    if asker.mayBeLeft, !isEnded { return .everything }
    if isFirst { return following(on: thread) }
    return asksForEverything(on: thread) ? .everything : .nothing
  }

  // MARK: Values

  /// Notes that a value has come. Returns what to do, and the demand: unlimited values are to be requested first, since a
  /// subject may send the next one while it delivers this. Another one is demanded in answer while another thread is
  /// requesting everything, which may not be through before the next one is sent.
  mutating func receive(
    _ value: Input, on thread: UInt32, requests: UInt64
  ) -> (Step, demand: Subscribers.Demand) {
    if isEnded { return (.rest, .none) }
    awaitedCount -= 1
    let asker = askers.last { $0.thread == thread }
    if asker?.hasReachedSubject(by: requests) ?? true { sendsByItself = true }
    let demand = demandInAnswer(on: thread)
    guard place == .free else {
      waiting.append(value)
      return (.rest, demand)
    }
    place = .beginning
    return (.begin(value, isKept: false), demand)
  }

  private mutating func demandInAnswer(on thread: UInt32) -> Subscribers.Demand {
    if asksForEverything(on: thread) { return .unlimited }
    guard let everythingAsker, everythingAsker != thread else { return .none }
    awaitedCount += 1
    return .max(1)
  }

  var waitingCount: Int { waiting.count }

  /// Notes that a publisher has been subscribed to.
  mutating func hasBegun() -> Step {
    guard place == .over else {
      place = .taken
      return .rest
    }
    return next()
  }

  /// Notes that a publisher has finished, or that there was none before. A thread that is subscribing goes on
  /// afterwards, so that nothing recurses.
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

  /// Ends the concatMap. Returns the values that wait.
  mutating func end() -> [Input] {
    isEnded = true
    return waiting.removeAll()
  }
}
