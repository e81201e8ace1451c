#if canImport(Combine)
  import Combine

  public func ticks() -> AnyPublisher<Int, Never> { Just(1).eraseToAnyPublisher() }
  public let findsCombine = true
#else
  public let findsCombine = false
#endif
