extension Publishers {
  /// A publisher that sends its upstream's values to all its subscribers through a subject.
  ///
  /// Made by ``Publisher/multicast(_:)``, which describes it.
  public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher,
    ConnectsOnce
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
    private let making = Serializer()

    /// Makes the publisher that `multicast(_:)` returns.
    public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
      self.upstream = upstream
      self.createSubject = createSubject
    }

    /// The subject, made at the first access.
    @usableFromInline
    var currentSubject: SubjectType {
      if let subject = subject.withLock({ $0 }) { return subject }
      precondition(
        !making.isEntered, "createSubject subscribes to the publisher that it makes the subject for")
      return making.run(makeSubject, busy: makeSubject)
    }

    /// In turn: other threads wait for the subject that is being made.
    private func makeSubject() -> SubjectType {
      if let made = subject.withLock({ $0 }) { return made }
      let new = createSubject()
      return subject.withLock { subject in
        if subject == nil { subject = new }
        return subject ?? new
      }
    }

    /// Attaches `subscriber` to the subject.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let subject = currentSubject
      subject.subscribe(MulticastInner(Downstream(subscriber), isDirect: subject._sender() != nil))
    }

    /// Attaches the subject to the upstream. A second connection sends everything a second time.
    @inlinable
    public func connect() -> any Cancellable { _connect { _ in } }

    /// Attaches the subject to the upstream, after passing the connection to `begun`.
    @inlinable
    public func _connect(_ begun: (any Cancellable) -> Void) -> any Cancellable {
      AnyCancellable(upstream.connect(to: currentSubject, begun))
    }
  }
}

@usableFromInline
final class MulticastInner<Input, Failure: Error>: Subscriber, Subscription, Inner {
  @usableFromInline static var name: String { "Multicast" }

  @usableFromInline let downstream: Downstream<Input, Failure>
  /// Whether the subject is the library's own: it sends nothing after cancellation, and adds the demand that is returned.
  @usableFromInline let isDirect: Bool
  @usableFromInline let upstream = SubscriptionSlot()

  @inlinable
  init(_ downstream: Downstream<Input, Failure>, isDirect: Bool) {
    self.downstream = downstream
    self.isDirect = isDirect
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    if upstream.accept(subscription) { downstream.receive(subscription: self) }
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    guard upstream.phase == .subscribed else { return .refused() }
    let demand = downstream.receive(input)
    if demand != .none { request(demand) }
    return .none
  }

  @inlinable
  func _delivery() -> (UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    isDirect ? downstream.deliver : { self.receive(contentsOf: $0) }
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    if upstream.endIfSubscribed() != nil { downstream.receive(completion: completion) }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) { upstream.current?.request(demand) }

  @usableFromInline
  func cancel() { upstream.endIfSubscribed()?.cancel() }
}

extension Publisher {
  /// Sends this publisher's values to several subscribers through a subject that `createSubject` makes.
  ///
  /// Nothing is sent before ``ConnectablePublisher/connect()`` is called. The subject decides on the demand,
  /// and on what a late subscriber gets; values stay on the thread on which this publisher sends them. The
  /// closure is called once, for the first subscriber or the connection. Cancelling the connection cancels
  /// this publisher.
  ///
  ///     let shared = numbers.multicast { PassthroughSubject<Int, Never>() }
  ///     let cancellables = [shared.sink { print("a", $0) }, shared.sink { print("b", $0) }]
  ///     let connection = shared.connect()
  @inlinable
  public func multicast<S: Subject>(_ createSubject: @escaping () -> S) -> Publishers.Multicast<Self, S>
  where Failure == S.Failure, Output == S.Output {
    Publishers.Multicast(upstream: self, createSubject: createSubject)
  }

  /// Sends this publisher's values to several subscribers through `subject`, once it is connected.
  ///
  /// Everything is as with ``multicast(_:)``, except that the subject exists already and may have other
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
