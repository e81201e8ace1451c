import Streams

/// A scheduler in virtual time, on which streams can be played from marbles and recorded as marbles.
///
/// Marble notation writes a stream as text. A character is a moment, one second long unless `every` says
/// otherwise:
///
/// - `-`: nothing happens;
/// - `a`: a value, by its name. Any character that means nothing else can be one; a longer name stands in
///   quotes: `'10'`, with the quote itself doubled;
/// - `(abc)`: several things in one moment, and the whole group is *one* moment long;
/// - `|`: the stream finishes;
/// - `#`: the stream fails;
/// - `^`: a hot stream begins here; in the marbles of a subscription, it is subscribed to here;
/// - `!`: in the marbles of a subscription, it is cancelled here;
/// - a space is nothing at all: it lets the marbles of several streams stand below each other.
///
/// A test plays its sources and compares what came out:
///
///     let scheduler = TestScheduler()
///     let a = try scheduler.cold("--a-b---|")
///     let b = try scheduler.cold("----c-|")
///     #expect(scheduler.record(a.merge(with: b)).marbles == "--a-(bc)---|")
///
/// Playing and recording are not written down as uses of a ``TestScheduler``.
public protocol MarbleScheduler: AnyObject {
  /// The scheduler that keeps the time.
  var clock: VirtualTimeScheduler { get }
}

extension VirtualTimeScheduler: MarbleScheduler {
  /// The scheduler itself.
  public var clock: VirtualTimeScheduler { self }
}

// MARK: - Playing

extension MarbleScheduler {
  /// A publisher that plays `marbles` to each subscriber, from the moment of its subscription on.
  ///
  ///     let user = try scheduler.cold("--u|", values: ["u": User(name: "Ann")], error: LoginError.refused)
  ///
  /// - Parameters:
  ///   - marbles: The stream in marble notation. See ``MarbleScheduler``.
  ///   - values: The values by their names.
  ///   - error: What `#` fails with.
  ///   - unit: How long a moment is.
  /// - Throws: ``MarbleError`` if the notation is wrong, or if it names a value that there is not.
  public func cold<Output, Failure: Error>(
    _ marbles: String, values: [String: Output], error: Failure? = Never?.none,
    every unit: VirtualTime.Stride = 1
  ) throws(MarbleError) -> MarblePublisher<Output, Failure> {
    try .init(clock, marbles, isHot: false, every: unit, .init(values, error: error))
  }

  /// A publisher that plays `marbles` to each subscriber, from the moment of its subscription on. Values are
  /// what their names say.
  ///
  ///     try scheduler.cold("--a-b|")                      // the strings "a" and "b"
  ///     try scheduler.cold("--1-'20'|", of: Int.self)     // the numbers 1 and 20
  ///
  /// - Parameters:
  ///   - marbles: The stream in marble notation. See ``MarbleScheduler``.
  ///   - type: What the values are.
  ///   - error: What `#` fails with.
  ///   - unit: How long a moment is.
  /// - Throws: ``MarbleError`` if the notation is wrong, or if a name says no value of the type.
  public func cold<Output: LosslessStringConvertible, Failure: Error>(
    _ marbles: String, of type: Output.Type = String.self, error: Failure? = Never?.none,
    every unit: VirtualTime.Stride = 1
  ) throws(MarbleError) -> MarblePublisher<Output, Failure> {
    try .init(clock, marbles, isHot: false, every: unit, .init(error: error))
  }

  /// A publisher that plays `marbles` once, from now on, to whoever is subscribed at each moment.
  ///
  ///     let taps = try scheduler.hot("-x-^-y--z-|")
  ///
  /// The stream begins at `^`, without one at its first character. What stands before that is over, and is
  /// there to be read only.
  ///
  /// - Parameters:
  ///   - marbles: The stream in marble notation. See ``MarbleScheduler``.
  ///   - values: The values by their names.
  ///   - error: What `#` fails with.
  ///   - unit: How long a moment is.
  /// - Throws: ``MarbleError`` if the notation is wrong, or if it names a value that there is not.
  public func hot<Output, Failure: Error>(
    _ marbles: String, values: [String: Output], error: Failure? = Never?.none,
    every unit: VirtualTime.Stride = 1
  ) throws(MarbleError) -> MarblePublisher<Output, Failure> {
    try .init(clock, marbles, isHot: true, every: unit, .init(values, error: error))
  }

  /// A publisher that plays `marbles` once, from now on, to whoever is subscribed at each moment. Values are
  /// what their names say.
  ///
  ///     let keys = try scheduler.hot("h-e-l-l-o")
  ///
  /// - Parameters:
  ///   - marbles: The stream in marble notation. See ``MarbleScheduler``.
  ///   - type: What the values are.
  ///   - error: What `#` fails with.
  ///   - unit: How long a moment is.
  /// - Throws: ``MarbleError`` if the notation is wrong, or if a name says no value of the type.
  public func hot<Output: LosslessStringConvertible, Failure: Error>(
    _ marbles: String, of type: Output.Type = String.self, error: Failure? = Never?.none,
    every unit: VirtualTime.Stride = 1
  ) throws(MarbleError) -> MarblePublisher<Output, Failure> {
    try .init(clock, marbles, isHot: true, every: unit, .init(error: error))
  }
}

extension MarbleTimeline.Values {
  init(_ values: [String: Output], error: Failure?) {
    named = { values[$0] }
    complaint = { "no value is called '\($0)'" }
    self.error = error
  }
}

extension MarbleTimeline.Values where Output: LosslessStringConvertible {
  init(error: Failure?) {
    named = { Output($0) }
    complaint = { "'\($0)' is no \(Output.self)" }
    self.error = error
  }
}
