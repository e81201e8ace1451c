#if canImport(Combine)
  import Combine
  import Extensions

  public func pairs(in numbers: [Int]) -> AnyPublisher<Int, Never> {
    numbers.publisher.pairwise().map { $0 + $1 }.eraseToAnyPublisher()
  }
  public let indirectlyFindsCombine = true
#else
  public let indirectlyFindsCombine = false
#endif
