/// A chain of maps after an erased publisher, each erased again; none changes the type of the values.
///
/// The chain runs as one operator, as a chain of maps without erasers does.
@usableFromInline
final class ErasedMaps<Output, Failure: Error>: PublisherBox<Output, Failure> {
  @usableFromInline typealias Attach = (Downstream<Output, Failure>, @escaping (Output) -> Output) -> Void

  @usableFromInline let transform: (Output) -> Output
  @usableFromInline let previous: ErasedMaps?
  /// Attaches a map to the upstream. Only the first map of the chain has this closure, made where the upstream's
  /// type is known.
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

  /// One closure that applies all transforms in order.
  ///
  /// Each transform has its own call site: processors mispredict a single indirect call whose target changes every
  /// time.
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
