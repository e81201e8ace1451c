import Synchronization

/// What a combineLatest stores for one of its upstreams: the latest value.
@usableFromInline
final class LatestBranch<Value>: Branch {
  @usableFromInline let latest = Cell<Value?>(nil)

  @inlinable
  override init() {}

  @usableFromInline
  override var isEmpty: Bool { latest.value == nil }

  @usableFromInline
  override func takeAll() -> Any? { latest.value.take() }

  /// The latest value, which there must be.
  @inlinable @inline(__always)
  var current: Value { latest.value! }
}

/// The subscription of a combineLatest that sends tuples. It knows the type of the tuples, not of their
/// elements.
@usableFromInline
final class CombineLatestInner<Output, Failure: Error>: CombineLatestCore<Output, Failure> {
  /// Makes a tuple of the latest values and delivers it with ``pass(_:)``, in specialized code.
  @usableFromInline let deliverTuple: (CombineLatestInner) -> Subscribers.Demand

  /// Sends what `makeTuple` makes. An error that it throws fails the stream.
  @inlinable
  init<S: Subscriber>(
    subscriber: S, branches: ContiguousArray<Branch>, makeTuple: @escaping () throws(Failure) -> Output
  ) where S.Input == Output, S.Failure == Failure {
    deliverTuple = { inner in
      do throws(Failure) {
        var tuple = try makeTuple()
        _ = inner.state.value.begin()
        return _withUnprotectedUnsafeMutablePointer(to: &tuple) { inner.pass($0) }
      } catch {
        return inner.failing(with: error)
      }
    }
    super.init(downstream: Downstream(subscriber), branches: branches)
  }

  /// A method of the object that has the closure, so that calling the closure does not retain it.
  @inlinable @inline(__always)
  func deliverLatest() -> Subscribers.Demand { deliverTuple(self) }

  /// Subscribes to one of the upstreams.
  @inlinable
  func attach<P: Publisher>(_ publisher: P, _ branch: LatestBranch<P.Output>) where P.Failure == Failure {
    publisher.subscribe(CombineLatestChild(self, branch))
  }
}

/// Subscribes to one of a combineLatest's upstreams.
@usableFromInline
final class CombineLatestChild<Input, Output, Failure: Error>: CombineLatestReceiver {
  @usableFromInline let parent: CombineLatestInner<Output, Failure>
  @usableFromInline let branch: LatestBranch<Input>

  @inlinable
  init(_ parent: CombineLatestInner<Output, Failure>, _ branch: LatestBranch<Input>) {
    self.parent = parent
    self.branch = branch
  }

  @inlinable @inline(__always)
  func keep(_ value: UnsafePointer<Input>, _ replaced: inout Input?) -> Bool {
    replaced = value.pointee
    swap(&replaced, &branch.latest.value)
    return parent.state.value.keep(isFirst: replaced == nil)
  }

  @inlinable @inline(__always)
  func deliverTuple() -> Subscribers.Demand { parent.deliverLatest() }

  @inlinable @inline(__always)
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand { accept(batch) }
}
