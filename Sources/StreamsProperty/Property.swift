public import Streams

/// A value that can be read now and subscribed to from now on.
///
/// A property is read-only. It follows a subject, or it starts with a value and takes those of a publisher. Other properties can
/// be derived from it, which have a current value too:
///
///     let celsius = CurrentValueSubject<Double, Never>(20)
///     let fahrenheit = Property(celsius).map { $0 * 1.8 + 32 }
///     print(fahrenheit.value)                                // 68.0
///     let cancellable = fahrenheit.allValues.sink { print($0) }   // 68.0
///     celsius.value = 100                                    // 212.0
///
/// A property is a small value, a reference to shared state, and can be stored in structures that are copied.
///
/// **Consistency.** When a source changes, everything derived from it is computed once, each property after those that it is
/// derived from. Only then are subscribers notified, each at most once. So a property that is derived from one source along
/// several paths never combines an old value with a new one. This also holds for properties that are made or followed in a
/// closure while a source changes: the properties that they are derived from are updated first. A source is a property made with
/// `init(_:)` or `init(initial:then:)`: two properties made of one subject are two sources, which change one after the other.
/// Where values leave the properties and come back, as with ``receive(on:options:)`` or with a property made of another's
/// ``allValues``, the guarantee does not extend from one side to the other.
///
/// **Order.** Every subscriber gets a property's values in one order, and a subscriber without demand gets the latest value when
/// it requests again. A change that a closure or a subscriber makes during another change takes effect when that one has been
/// delivered to all; until then `value` is the old one. One that a closure makes while its property is being derived takes effect
/// afterwards too. A change of another source, with no common descendant, takes effect immediately, unless changes are nested so
/// deep that the stack is short: then it waits too.
///
/// **Lifetime.** A property and its subscribers keep the properties that it is derived from; nothing keeps the properties that
/// are derived from it. When the last property and the last subscriber are gone, the subscription to the source is cancelled.
/// Changing and releasing a chain of derived properties takes the same stack, however long the chain is.
///
/// **Threads.** Everything may be used from any thread. Changes of sources that have no common descendant run concurrently;
/// others are serialized, each on the thread that makes it. Reading `value` never waits for a change.
public struct Property<Output> {
  /// The handle of a `ValueNode<Output>`.
  @usableFromInline let handle: Handle

  @inlinable
  init(_ handle: Handle) { self.handle = handle }

  @inlinable
  var node: ValueNode<Output> { unsafeDowncast(handle.node, to: ValueNode<Output>.self) }

  /// Makes a property that never changes. Its subscribers get the value and the completion.
  ///
  ///     let unit = Property("km")
  @_disfavoredOverload
  public init(_ value: Output) {
    handle = Handle(ValueNode(value, isFinished: true, home: DependencyGraph()))
  }

  /// Makes a property that follows a subject, and keeps it.
  ///
  /// Subscribers complete when the subject does.
  ///
  ///     let speed = CurrentValueSubject<Int, Never>(0)
  ///     let property = Property(speed)
  @inlinable
  public init(_ subject: CurrentValueSubject<Output, Never>) {
    handle = ValueNode.following(subject, from: subject.value, keeping: subject)
  }

  /// Makes a property of a first value and a publisher of the later ones.
  ///
  /// The publisher is subscribed to immediately, with unlimited demand. If it sends values immediately, the property starts with
  /// the last of them. Subscribers complete when the publisher does.
  ///
  ///     let clicks = PassthroughSubject<Int, Never>()
  ///     let latest = Property(initial: 0, then: clicks)
  @inlinable
  public init<P: Publisher>(initial: Output, then publisher: P) where P.Output == Output, P.Failure == Never {
    handle = ValueNode.following(publisher, from: initial)
  }

  /// Makes a property that follows a published property.
  ///
  /// `publisher` sends before the value is stored; this property takes the value after it is stored. So a subscriber that sets
  /// the published property finds its value set. If a subscriber of `publisher` sets a value that the outer assignment then
  /// replaces, this property has both, the inner value first. It starts with the stored value, not with `initial`.
  ///
  ///     let charge = Property(initial: 0, then: car.$charge)
  public init(initial: Output, then publisher: Published<Output>.Publisher) {
    let subject = publisher.subject
    let changes = Binding.readings(by: { subject.value }, at: [subject.didChange.eraseToAnyPublisher()])
    self.init(initial: initial, then: changes)
  }

  /// Makes a property of a first value and a publisher. A value that comes in an endless circle of changes is replaced by
  /// `substitute`.
  package init(initial: Output, then publisher: AnyPublisher<Output, Never>, substitute: Output) {
    handle = ValueNode.following(publisher, from: initial, substitute: substitute)
  }

  /// The current value.
  @inlinable
  public var value: Output {
    BatchProgress.deliverGatheredIfAny()
    return node.value
  }

  /// The current value and later ones, one for each change while there is demand.
  ///
  /// The current value is that at the time of the subscription. A subscriber that is behind on demand gets the latest value when
  /// it requests again. Completes, after the last value, when all sources have completed. The publisher may outlive the property;
  /// it keeps what the property is derived from.
  @inlinable
  public var allValues: AnyPublisher<Output, Never> {
    Values(of: self, skipsCurrent: false).eraseToAnyPublisher()
  }

  /// The values that come after the subscription. ``allValues`` also sends the current one.
  @inlinable
  public var subsequentValues: AnyPublisher<Output, Never> {
    Values(of: self, skipsCurrent: true).eraseToAnyPublisher()
  }
}

/// Turns and locks guard what a property refers to.
extension Property: @unchecked Sendable where Output: Sendable {}
