extension Publishers.Map where Upstream.Output == Output {
  /// Hides the publisher's type.
  ///
  /// It does what `eraseToAnyPublisher()` does for every publisher. Maps that keep the type of the value, each of them
  /// erased, are one operator, as maps in a row are that are not erased.
  @inlinable
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
    if let maps = (upstream as? AnyPublisher<Output, Failure>)?.box.maps {
      return AnyPublisher(box: ErasedMaps(transform, after: maps))
    }
    return AnyPublisher(
      box: ErasedMaps(transform) { [upstream] downstream, transform in
        upstream.subscribe(MapInner(downstream: downstream, transform: transform))
      })
  }
}

/// Maps in a row that keep the type of the value, each of which was erased.
@usableFromInline
final class ErasedMaps<Output, Failure: Error>: PublisherBox<Output, Failure> {
  @usableFromInline typealias Attach = (Downstream<Output, Failure>, @escaping (Output) -> Output) -> Void

  @usableFromInline let transform: (Output) -> Output
  @usableFromInline let previous: ErasedMaps?
  /// Attaches a map to the upstream of the first one, which alone has this. It was formed where its type was known.
  @usableFromInline let attachFirst: Attach?

  @inlinable
  init(_ transform: @escaping (Output) -> Output, after previous: ErasedMaps? = nil, attach: Attach? = nil) {
    self.transform = transform
    self.previous = previous
    attachFirst = attach
    super.init(attach: nil, isMaps: true)
  }

  @inlinable
  func attach(_ downstream: Downstream<Output, Failure>) {
    var first = self
    while let previous = first.previous { first = previous }
    first.attachFirst?(downstream, joined())
  }

  /// One closure that does what all do, one after the other.
  ///
  /// Each call stands by itself: one call that leads somewhere else at each turn is what processors do not foresee.
  @inlinable
  func joined() -> (Output) -> Output {
    let d = transform
    guard let third = previous else { return d }
    let c = third.transform
    guard let second = third.previous else { return { d(c($0)) } }
    let b = second.transform
    guard let first = second.previous else { return { d(c(b($0))) } }
    let a = first.transform
    guard let before = first.previous?.joined() else { return { d(c(b(a($0)))) } }
    return { d(c(b(a(before($0))))) }
  }
}
