extension Publishers {
  /// A publisher that sends its upstream's values to all its subscribers through a subject.
  ///
  /// Made by ``Publisher/multicast(_:)``, which describes it.
  public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
  where Upstream.Failure == SubjectType.Failure, Upstream.Output == SubjectType.Output {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The closure that makes the subject, called once.
    public let createSubject: () -> SubjectType

    private let subject = Lock<SubjectType?>(nil)

    /// Makes the publisher that `multicast(_:)` returns.
    public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
      self.upstream = upstream
      self.createSubject = createSubject
    }

    /// The subject, made at the first look. This is the one closure that runs under a lock: it must run once.
    @usableFromInline
    var currentSubject: SubjectType {
      subject.withLock { subject in
        if let subject { return subject }
        let new = createSubject()
        subject = new
        return new
      }
    }

    /// Attaches `subscriber` to the subject.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      currentSubject.subscribe(MulticastInner(Downstream(subscriber)))
    }

    /// Attaches the subject to the upstream. A second connection sends everything a second time.
    @inlinable
    public func connect() -> any Cancellable { upstream.subscribe(currentSubject) }
  }
}

@usableFromInline
final class MulticastInner<Input, Failure: Error>: Subscriber, Subscription, Inner {
  @usableFromInline static var name: String { "Multicast" }

  @usableFromInline let downstream: Downstream<Input, Failure>
  @usableFromInline let upstream = SubscriptionSlot()

  @inlinable
  init(_ downstream: Downstream<Input, Failure>) { self.downstream = downstream }

  @usableFromInline
  func receive(subscription: any Subscription) {
    if upstream.accept(subscription) { downstream.receive(subscription: self) }
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    withUnsafePointer(to: input) { receive(contentsOf: one($0)) }
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard upstream.phase == .subscribed else { return .none }
    let demand = downstream.deliver(batch)
    if demand != .none { request(demand) }
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    if upstream.cancel() != nil { downstream.receive(completion: completion) }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) { upstream.current?.request(demand) }

  @usableFromInline
  func cancel() { upstream.cancel()?.cancel() }
}

extension Publisher {
  /// Sends this publisher's values to several subscribers through a subject that `createSubject` makes.
  ///
  /// Nothing is sent before ``ConnectablePublisher/connect()`` is called. The subject decides on the demand,
  /// and on what a subscriber that comes late gets; values stay on the thread on which this publisher sends
  /// them. The closure is called once, for the first subscriber or the connection. Cancelling the connection
  /// cancels this publisher.
  ///
  ///     let shared = numbers.multicast { PassthroughSubject<Int, Never>() }
  ///     let tickets = [shared.sink { print("a", $0) }, shared.sink { print("b", $0) }]
  ///     let connection = shared.connect()
  @inlinable
  public func multicast<S: Subject>(_ createSubject: @escaping () -> S) -> Publishers.Multicast<Self, S>
  where Failure == S.Failure, Output == S.Output {
    Publishers.Multicast(upstream: self, createSubject: createSubject)
  }

  /// Sends this publisher's values to several subscribers through `subject`, once it is connected.
  ///
  /// Everything is as with ``multicast(_:)``, but for the subject, which is there already and may have other
  /// subscribers and other sources.
  ///
  ///     let latest = CurrentValueSubject<Int, Never>(0)
  ///     let connection = numbers.multicast(subject: latest).connect()
  @inlinable
  public func multicast<S: Subject>(subject: S) -> Publishers.Multicast<Self, S>
  where Failure == S.Failure, Output == S.Output {
    multicast { subject }
  }
}
