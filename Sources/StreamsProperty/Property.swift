public import Streams

/// A value that can be read now and watched from now on.
///
/// A property is read-only. It follows a subject, or starts with a value and goes on with those of a publisher, and from
/// properties other properties are derived, which have a current value too:
///
///     let celsius = CurrentValueSubject<Double, Never>(20)
///     let fahrenheit = Property(celsius).map { $0 * 1.8 + 32 }
///     print(fahrenheit.value)                                // 68.0
///     let cancellable = fahrenheit.allValues.sink { print($0) }   // 68.0
///     celsius.value = 100                                    // 212.0
///
/// It is a small value, a reference to what it stands for, and can be stored in structures that are copied.
///
/// **Consistency.** When a source changes, everything derived from it is computed once, each property after all it is
/// derived from, and only then are watchers told, each at most once. So a property that is derived from one source along
/// several paths never combines an old value with a new one. That holds also for properties that are made or followed in a
/// closure while a source changes: what they are derived from is brought up to date first. A source is what was made with `init(_:)` or
/// `init(initial:then:)`: two properties made of one subject are two sources, which change one after the other. Where
/// values leave the properties and come back, as with ``receive(on:options:)`` or with a property made of
/// another's ``allValues``, the way ends and another begins.
///
/// **Order.** Every watcher gets a property's values in one order, and a watcher without demand gets the latest value when
/// it asks again. A change that is made by a closure or a watcher, while a change is under way, takes effect when that
/// one has been shown to everyone; until then `value` is not the new one. A change of another source, with no common
/// descendant, takes effect at once, unless changes are nested so deep that the stack would not do: then it waits too.
///
/// **Lifetime.** A property keeps what it is derived from, and so does whoever watches it; nothing keeps what is derived
/// from it. When the last property and the last watcher are gone, the subscription to the source is cancelled. However many
/// properties are derived one from the other, to change and to release them takes no more stack.
///
/// **Threads.** Everything may be used from any thread. Changes of sources that have no common descendant run at the same
/// time; others take turns, each on the thread that makes it. `value` waits for nobody.
public struct Property<Output> {
  /// Of a `ValueNode<Output>`.
  @usableFromInline let handle: Handle

  @inlinable
  init(_ handle: Handle) { self.handle = handle }

  @inlinable
  var node: ValueNode<Output> { unsafeDowncast(handle.node, to: ValueNode<Output>.self) }

  /// Makes a property that never changes. Its watchers get the value and the completion.
  ///
  ///     let unit = Property("km")
  @_disfavoredOverload
  public init(_ value: Output) { handle = Handle(ValueNode(value, isFinished: true, home: Domain())) }

  /// Makes a property that follows a subject, and keeps it.
  ///
  /// Watchers complete when the subject does.
  ///
  ///     let speed = CurrentValueSubject<Int, Never>(0)
  ///     let property = Property(speed)
  @inlinable
  public init(_ subject: CurrentValueSubject<Output, Never>) {
    handle = ValueNode.following(subject, from: subject.value, keeping: subject)
  }

  /// Makes a property with its first value and a publisher of the further ones.
  ///
  /// The publisher is subscribed to at once, with unlimited demand. If it sends values at once, the property starts with
  /// the last of them. Watchers complete when it does.
  ///
  ///     let clicks = PassthroughSubject<Int, Never>()
  ///     let latest = Property(initial: 0, then: clicks)
  @inlinable
  public init<P: Publisher>(initial: Output, then publisher: P) where P.Output == Output, P.Failure == Never {
    handle = ValueNode.following(publisher, from: initial)
  }

  /// Makes a property of a published property, which it is equal to after each change.
  ///
  /// `publisher` sends before the value is stored. This property takes the value when it is stored: whoever watches it and sets
  /// the published property has set it, and a value that a subscriber of `publisher` sets meanwhile, and the outer
  /// one replaces, is shown before the outer one. It is not `initial` but what is stored that it starts with.
  ///
  ///     let charge = Property(initial: 0, then: car.$charge)
  public init(initial: Output, then publisher: Published<Output>.Publisher) {
    let subject = publisher.subject
    let changes = Binding.readings(by: { subject.value }, at: [subject.didChange.eraseToAnyPublisher()])
    self.init(initial: initial, then: changes)
  }

  /// The same, with `substitute` in the place of a value that comes in an endless circle of changes.
  package init(initial: Output, then publisher: AnyPublisher<Output, Never>, substitute: Output) {
    handle = ValueNode.following(publisher, from: initial, substitute: substitute)
  }

  /// The current value.
  @inlinable
  public var value: Output {
    BatchProgress.deliverGatheredIfAny()
    return node.value
  }

  /// The current value and those that come, one for each change while there is demand.
  ///
  /// The current value is that at the time of the subscription. A subscriber that is behind on demand gets the
  /// latest value when it requests again. Completes, after the last value, when all sources have completed. The publisher
  /// may outlive the property; it keeps what the property is derived from.
  @inlinable
  public var allValues: AnyPublisher<Output, Never> {
    Values(of: self, skipsCurrent: false).eraseToAnyPublisher()
  }

  /// The values that come after the subscription, otherwise as ``allValues``.
  @inlinable
  public var subsequentValues: AnyPublisher<Output, Never> {
    Values(of: self, skipsCurrent: true).eraseToAnyPublisher()
  }
}

/// What a property refers to is used in turns and under locks.
extension Property: @unchecked Sendable where Output: Sendable {}
