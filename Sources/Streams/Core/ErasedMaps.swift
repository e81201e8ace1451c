/// Maps in a row after an erased publisher that keep the type of its values, each of which was erased.
///
/// They are one operator, as maps in a row are that are not erased.
@usableFromInline
final class ErasedMaps<Output, Failure: Error>: PublisherBox<Output, Failure> {
  @usableFromInline typealias Attach = (Downstream<Output, Failure>, @escaping (Output) -> Output) -> Void

  @usableFromInline let transform: (Output) -> Output
  @usableFromInline let previous: ErasedMaps?
  /// Attaches a map to the upstream of the first one, which alone has this. It was formed where its type was known.
  @usableFromInline let attachFirst: Attach?

  @inlinable
  init(_ map: Publishers.Map<AnyPublisher<Output, Failure>, Output>) {
    let upstream = map.upstream
    transform = map.transform
    previous = upstream.box.maps
    attachFirst =
      previous == nil ? { upstream.receive(subscriber: MapInner(downstream: $0, transform: $1)) } : nil
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
