public import Streams

/// Wraps a publisher or a subject, and writes a line for each call between it and its subscribers.
///
/// What a call leads to is indented, on the thread that makes it: `>` begins a call, `<` ends it, and `-` is one in which
/// nothing else has happened. Made by `Publisher/tracked(_:to:)`, which describes it.
///
///     let taps = Tracker(PassthroughSubject<String, Never>())
///     let cancellable = taps.sink { print($0) }
///     taps.send("tap")
///
/// A tracker of a subject is a subject.
public final class Tracker<Output, Failure, Target: Publisher>: Publisher
where Output == Target.Output, Failure == Target.Failure {
  /// What is tracked.
  public let target: Target
  private let tracking: Tracking
  private let role: Tracking.Role

  /// Makes a tracker, which begins each line with the name and a colon, if there is one, and writes to the standard error
  /// output if `write` is left out.
  public convenience init(_ target: Target, _ name: String = "", to write: ((String) -> Void)? = nil) {
    self.init(target, Tracking(name, .swift, to: write ?? Tracking.writeToStandardError))
  }

  package init(_ target: Target, _ tracking: Tracking, isSubject: Bool = false) {
    self.target = target
    self.tracking = tracking
    role = isSubject || target is any Subject ? .subject : .publisher
  }

  /// Subscribes to what is tracked on behalf of `subscriber`.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    tracking.call(role, .subscribe) {
      TrackedDrops(role, tracking).counting {
        target.subscribe(TrackedSubscriber(Downstream(subscriber), tracking))
      }
    }
  }
}

extension Tracker: Subject where Target: Subject {
  /// Sends a value through what is tracked.
  public func send(_ value: Output) {
    tracking.send(value) { target.send(value) }
  }

  /// Completes what is tracked.
  public func send(completion: Subscribers.Completion<Failure>) {
    tracking.call(.subject, .sendCompletion, tracking.words.completion(completion)) {
      target.send(completion: completion)
    }
  }

  /// Gives what is tracked the subscription to an upstream.
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
  /// That a call begins is written when the first call within it does. Values that this publisher drops, for want of demand
  /// or of room, have a line too, which tells how many. ``Tracker`` wraps a subject, which one can send to.
  ///
  /// - Parameters:
  ///   - name: What each line begins with, followed by a colon if it is not empty.
  ///   - write: What a line is given to, without a line end; the standard error output if `nil`.
  public func tracked(
    _ name: String = "", to write: ((String) -> Void)? = nil
  ) -> Tracker<Output, Failure, Self> {
    Tracker(self, name, to: write)
  }
}
