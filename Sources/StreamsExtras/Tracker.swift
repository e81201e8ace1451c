public import Streams

/// Wraps a publisher or a subject, and writes a line for each call between it and its subscribers.
///
/// Calls that a call makes on its thread are indented: `>` begins a call, `<` ends it, and `-` is a call in which nothing else
/// has happened. Made by `Publisher/tracked(_:to:)`, which describes it.
///
///     let taps = Tracker(PassthroughSubject<String, Never>())
///     let cancellable = taps.sink { print($0) }
///     taps.send("tap")
///
/// A tracker of a subject is a subject.
public final class Tracker<Output, Failure, Target: Publisher>: Publisher
where Output == Target.Output, Failure == Target.Failure {
  /// The tracked publisher or subject.
  public let target: Target
  private let tracking: Tracking
  private let role: Tracking.Role

  /// Makes a tracker. Each of its lines begins with the name and a colon, if there is a name. By default it writes to the
  /// standard error output.
  public convenience init(_ target: Target, _ name: String = "", to write: ((String) -> Void)? = nil) {
    self.init(target, Tracking(name, .swift, to: write ?? Tracking.writeToStandardError))
  }

  package init(_ target: Target, _ tracking: Tracking, isSubject: Bool = false) {
    self.target = target
    self.tracking = tracking
    role = isSubject || target is any Subject ? .subject : .publisher
  }

  /// Subscribes to the target on behalf of `subscriber`.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let stream = TrackedDrops(role, tracking)
    guard !tracking.isForDrops else { return stream.counting { target.subscribe(subscriber) } }
    tracking.call(role, .subscribe, of: stream) {
      stream.counting {
        target.subscribe(TrackedSubscriber(Downstream(subscriber), tracking, stream))
      }
    }
  }
}

extension Tracker: Subject where Target: Subject {
  /// Sends a value through the target.
  public func send(_ value: Output) {
    tracking.send(value) { target.send(value) }
  }

  /// Completes the target.
  public func send(completion: Subscribers.Completion<Failure>) {
    tracking.call(.subject, .sendCompletion, tracking.words.completion(completion)) {
      target.send(completion: completion)
    }
  }

  /// Gives the target the subscription to an upstream.
  public func send(subscription: any Subscription) {
    tracking.call(.subject, .sendSubscription) { target.send(subscription: subscription) }
  }
}

extension Tracker where Target == CurrentValueSubject<Output, Failure> {
  /// The subject's latest value. Setting it sends it.
  public var value: Output {
    get { target.value }
    set { tracking.send(newValue) { target.value = newValue } }
  }
}

extension Publisher {
  /// Writes a line for each call between this publisher and its subscribers, indented as the calls are nested.
  ///
  /// Everything passes through unchanged, one value at a time: demand, completion and cancellation are this publisher's.
  /// A line is written on the thread on which its call is made. With several trackers in a chain, the lines of one nest
  /// in those of the other. What `write` does itself is not tracked.
  ///
  ///     let cancellable = [7].publisher.tracked("numbers").sink { _ in }
  ///     // > numbers: Publisher receive(subscriber:)
  ///     //     > numbers: Subscriber receive(subscription:)
  ///     //         > numbers: Subscription request(_:) demand: unlimited
  ///     //             - numbers: Subscriber receive(_:) input: 7
  ///     //             - numbers: Subscriber receive(completion:) completion: finished
  ///     //         < numbers: Subscription request(_:)
  ///     //         …
  ///
  /// The beginning of a call is written when the first call within it begins. Values that this publisher drops, for lack of
  /// demand or room, get a line with their number. ``Tracker`` also wraps a subject, and can send to it.
  ///
  /// - Parameters:
  ///   - name: The beginning of each line, followed by a colon if it is not empty.
  ///   - write: Receives each line, without a line end; if `nil`, lines go to the standard error output.
  public func tracked(
    _ name: String = "", to write: ((String) -> Void)? = nil
  ) -> Tracker<Output, Failure, Self> {
    Tracker(self, name, to: write)
  }
}
