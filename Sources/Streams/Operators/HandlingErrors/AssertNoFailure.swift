extension Publishers {
  /// A publisher that ends the process if its upstream fails.
  ///
  /// Made by ``Publisher/assertNoFailure(_:file:line:)``, which describes it.
  public struct AssertNoFailure<Upstream: Publisher>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It cannot fail: a failure ends the process.
    public typealias Failure = Never

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// What the message begins with.
    public let prefix: String
    /// The file to name in the message.
    public let file: StaticString
    /// The line to name in the message.
    public let line: UInt

    /// Makes the publisher that `assertNoFailure(_:file:line:)` returns.
    public init(upstream: Upstream, prefix: String, file: StaticString, line: UInt) {
      self.upstream = upstream
      self.prefix = prefix
      self.file = file
      self.line = line
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
      upstream.subscribe(
        AssertNoFailureInner<Upstream.Output, Upstream.Failure>(
          downstream: Downstream(subscriber), prefix: prefix, file: file, line: line))
    }
  }
}

@usableFromInline
final class AssertNoFailureInner<Input, Failure: Error>: Subscriber, Inner {
  @usableFromInline static var name: String { "AssertNoFailure" }

  @usableFromInline let downstream: Downstream<Input, Never>
  @usableFromInline let prefix: String
  @usableFromInline let file: StaticString
  @usableFromInline let line: UInt

  @inlinable
  init(downstream: Downstream<Input, Never>, prefix: String, file: StaticString, line: UInt) {
    self.downstream = downstream
    self.prefix = prefix
    self.file = file
    self.line = line
  }

  @inlinable
  func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(input) }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    downstream.receive(contentsOf: batch)
  }

  /// Values bypass this subscriber.
  @inlinable
  func _delivery() -> (UnsafeBufferPointer<Input>) -> Subscribers.Demand { downstream.deliver }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: downstream.receive(completion: .finished)
    case .failure(let error):
      fatalError("\(prefix.isEmpty ? "" : prefix + ": ")\(error)", file: file, line: line)
    }
  }

  @usableFromInline var customMirror: Mirror {
    Mirror(self, children: ["file": file, "line": line, "prefix": prefix])
  }
}

extension Publisher {
  /// Ends the process if the upstream fails; for failures that would be programming errors.
  ///
  /// Values, demand, a normal completion and cancellation pass through unchanged. Everything stays on its
  /// thread.
  ///
  ///     let cancellable = bundledSettings.assertNoFailure("settings").sink { print($0) }
  ///
  /// - Parameters:
  ///   - prefix: What the message begins with, followed by a colon if it is not empty.
  ///   - file: The file to name in the message.
  ///   - line: The line to name in the message.
  @inlinable
  public func assertNoFailure(
    _ prefix: String = "", file: StaticString = #file, line: UInt = #line
  ) -> Publishers.AssertNoFailure<Self> {
    Publishers.AssertNoFailure(upstream: self, prefix: prefix, file: file, line: line)
  }
}
