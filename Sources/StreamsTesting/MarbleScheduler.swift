import Streams

/// A scheduler in virtual time that plays streams from marbles and records them as marbles.
///
/// Marble notation writes a stream as text. Each character is one moment, by default one second long; `every` sets another
/// length:
///
/// - `-`: nothing happens;
/// - `a`: a value, by its name. Any character without another meaning can be a name; a longer name is quoted: `'10'`, with quotes
///   in it doubled;
/// - `(abc)`: several events in one moment; the whole group is *one* moment long;
/// - `|`: the stream finishes;
/// - `#`: the stream fails;
/// - `^`: a hot stream begins here; in the marbles of a subscription, the subscription begins here;
/// - `!`: in the marbles of a subscription, it is cancelled here;
/// - a space is ignored: it aligns the marbles of several streams.
///
/// A test plays its sources and compares the result:
///
///     let scheduler = TestScheduler()
///     let a = try scheduler.cold("--a-b---|")
///     let b = try scheduler.cold("----c-|")
///     #expect(scheduler.record(a.merge(with: b)).marbles == "--a-(bc)---|")
///
/// A ``TestScheduler`` does not record playing and recording as calls.
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
  ///   - error: The error of `#`.
  ///   - unit: The length of a moment.
  /// - Throws: ``MarbleError`` if the notation is wrong, or if `values` lacks a name.
  public func cold<Output, Failure: Error>(
    _ marbles: String, values: [String: Output], error: Failure? = Never?.none,
    every unit: VirtualTime.Stride = 1
  ) throws(MarbleError) -> MarblePublisher<Output, Failure> {
    try .init(clock, marbles, isHot: false, every: unit, .init(values, error: error))
  }

  /// A publisher that plays `marbles` to each subscriber, from the moment of its subscription on. The names are converted to
  /// values.
  ///
  ///     try scheduler.cold("--a-b|")                      // the strings "a" and "b"
  ///     try scheduler.cold("--1-'20'|", of: Int.self)     // the numbers 1 and 20
  ///
  /// - Parameters:
  ///   - marbles: The stream in marble notation. See ``MarbleScheduler``.
  ///   - type: The type of the values.
  ///   - error: The error of `#`.
  ///   - unit: The length of a moment.
  /// - Throws: ``MarbleError`` if the notation is wrong, or if a name is not a value of the type.
  public func cold<Output: LosslessStringConvertible, Failure: Error>(
    _ marbles: String, of type: Output.Type = String.self, error: Failure? = Never?.none,
    every unit: VirtualTime.Stride = 1
  ) throws(MarbleError) -> MarblePublisher<Output, Failure> {
    try .init(clock, marbles, isHot: false, every: unit, .init(error: error))
  }

  /// A publisher that plays `marbles` once, from now on, to its current subscribers.
  ///
  ///     let taps = try scheduler.hot("-x-^-y--z-|")
  ///
  /// The stream begins at `^`, or else at the first character. Marks before `^` are not played; they only document the past.
  ///
  /// - Parameters:
  ///   - marbles: The stream in marble notation. See ``MarbleScheduler``.
  ///   - values: The values by their names.
  ///   - error: The error of `#`.
  ///   - unit: The length of a moment.
  /// - Throws: ``MarbleError`` if the notation is wrong, or if `values` lacks a name.
  public func hot<Output, Failure: Error>(
    _ marbles: String, values: [String: Output], error: Failure? = Never?.none,
    every unit: VirtualTime.Stride = 1
  ) throws(MarbleError) -> MarblePublisher<Output, Failure> {
    try .init(clock, marbles, isHot: true, every: unit, .init(values, error: error))
  }

  /// A publisher that plays `marbles` once, from now on, to its current subscribers. The names are converted to values.
  ///
  ///     let keys = try scheduler.hot("h-e-l-l-o")
  ///
  /// - Parameters:
  ///   - marbles: The stream in marble notation. See ``MarbleScheduler``.
  ///   - type: The type of the values.
  ///   - error: The error of `#`.
  ///   - unit: The length of a moment.
  /// - Throws: ``MarbleError`` if the notation is wrong, or if a name is not a value of the type.
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
    complaint = { "'\($0)' is not a value of type \(Output.self)" }
    self.error = error
  }
}
