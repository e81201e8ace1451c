/// The state of a switchToLatest. Only for the thread that runs a signal.
@usableFromInline
struct SwitchToLatestState {
  /// The state of the latest publisher.
  @usableFromInline
  enum Latest {
    case awaitingSubscription
    /// An object, so that copies and releases look up no type.
    case running(any Subscription & AnyObject)
    /// It has ended or was cancelled, or there is none yet.
    case over

    @usableFromInline
    var subscription: (any Subscription & AnyObject)? {
      if case .running(let subscription) = self { return subscription }
      return nil
    }
  }

  @usableFromInline
  enum Outer {
    case running
    case finished
    /// It has failed, on this thread.
    case failed(UInt32)
  }

  /// The number of the latest publisher. The first is 1.
  @usableFromInline private(set) var number = 0
  @usableFromInline private(set) var latest = Latest.over
  @usableFromInline private(set) var outer = Outer.running
  /// The downstream's demand that has not been met.
  @usableFromInline var demand = Subscribers.Demand.none
  @usableFromInline private(set) var hasSentCompletion = false
  /// Whether the latest publisher began only after the outer one had failed: its values are not sent.
  @usableFromInline private(set) var isLate = false

  @inlinable
  init() {}

  // MARK: Switching

  /// Makes room for the next publisher. Returns its number and the subscription to cancel, or nil if the outer
  /// publisher has ended.
  @usableFromInline
  mutating func begin() -> (number: Int, previous: (any Subscription & AnyObject)?)? {
    guard case .running = outer else { return nil }
    let previous = take()
    number += 1
    latest = .awaitingSubscription
    return (number, previous)
  }

  /// Begins with a publisher that needs no subscription, because its only value is known: takes the demand for it.
  /// Returns its number, or nil if there is no demand, or something that has to be cancelled first.
  @usableFromInline
  mutating func beginSingle() -> Int? {
    guard case .running = outer, latest.subscription == nil, demand != .none else { return nil }
    demand -= 1
    number += 1
    latest = .awaitingSubscription
    return number
  }

  /// Notes that the only value of that publisher has been sent. Returns whether that ends the stream.
  @usableFromInline
  mutating func completeSingle(_ number: Int) -> Bool {
    guard number == self.number else { return false }
    latest = .over
    return complete(number, failing: false).isSent
  }

  /// Whether to subscribe still to a publisher for which room has been made: cancelling the one before may have made
  /// the outer publisher fail, or send another.
  @usableFromInline
  func expects(_ number: Int) -> Bool { number == self.number && !hasFailed }

  private var hasFailed: Bool {
    if case .failed = outer { return true }
    return false
  }

  /// Notes that a publisher has its subscription. Returns the demand to request from it, or nil to cancel it: with
  /// `isStrict`, also after a failure of the outer one.
  @usableFromInline
  mutating func accept(
    _ subscription: any Subscription, from number: Int, isStrict: Bool = false
  ) -> Subscribers.Demand? {
    guard number == self.number, latest.subscription == nil else { return nil }
    if isStrict, hasFailed {
      latest = .over
      return nil
    }
    latest = .running(subscription._subscriptionObject())
    isLate = hasFailed
    return demand
  }

  /// Takes the latest publisher's subscription.
  @usableFromInline
  mutating func take() -> (any Subscription & AnyObject)? {
    let subscription = latest.subscription
    latest = .over
    return subscription
  }

  // MARK: Values

  /// Whether the publisher's values are sent.
  ///
  /// After a failure of the outer publisher, Combine still passes on what the latest one sends. Values that were on
  /// their way on another thread are dropped.
  @inlinable @inline(__always)
  func passes(_ number: Int) -> Bool {
    guard number == self.number else { return false }
    if case .failed(let thread) = outer { return thread == Gate.currentThread && !isLate }
    return true
  }

  /// Adds demand that the downstream has returned for values of a publisher. Returns whether it is for that publisher:
  /// if another has taken its place, it is for the other.
  @inlinable @inline(__always)
  mutating func add(_ more: Subscribers.Demand, returnedFor number: Int) -> Bool {
    demand += more
    return number == self.number
  }

  // MARK: The end

  /// Notes that a publisher has ended. Returns whether the downstream gets that completion, and the publisher's
  /// subscription.
  @usableFromInline
  mutating func complete(
    _ number: Int, failing: Bool
  ) -> (isSent: Bool, ended: (any Subscription & AnyObject)?) {
    guard number == self.number else { return (false, nil) }
    if case .awaitingSubscription = latest {
      preconditionFailure("a publisher completed before it sent its subscription")
    }
    let ended = take()
    var isOuterRunning = false
    if case .running = outer { isOuterRunning = true }
    guard !hasSentCompletion, failing || !isOuterRunning else { return (false, ended) }
    hasSentCompletion = true
    return (true, ended)
  }

  /// Notes that the outer publisher has finished. Returns whether that ends the stream.
  @usableFromInline
  mutating func finishOuter() -> Bool {
    if case .running = outer { outer = .finished }
    guard case .over = latest else { return false }
    hasSentCompletion = true
    return true
  }

  /// Notes that the outer publisher has failed, which ends the stream. Returns the subscription to cancel.
  @usableFromInline
  mutating func failOuter() -> (any Subscription & AnyObject)? {
    outer = .failed(Gate.currentThread)
    hasSentCompletion = true
    if case .awaitingSubscription = latest { return nil }
    return take()
  }
}
