import Combine

/// Publishers that many programs add, under the names that suggest themselves.
extension Publishers {
  public struct ZipMany<Element, Failure: Error>: Publisher {
    public typealias Output = [Element]

    private let zipped: AnyPublisher<[Element], Failure>

    public init<P: Publisher>(_ publishers: [P]) where P.Output == Element, P.Failure == Failure {
      let none = Just<[Element]>([]).setFailureType(to: Failure.self).eraseToAnyPublisher()
      zipped = publishers.reduce(none) { $0.zip($1) { $0 + [$1] }.eraseToAnyPublisher() }
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      zipped.receive(subscriber: subscriber)
    }
  }

  public struct CombineLatestMany<Element, Failure: Error>: Publisher {
    public typealias Output = [Element]

    private let combined: AnyPublisher<[Element], Failure>

    public init<P: Publisher>(_ publishers: [P]) where P.Output == Element, P.Failure == Failure {
      let none = Just<[Element]>([]).setFailureType(to: Failure.self).eraseToAnyPublisher()
      combined = publishers.reduce(none) { $0.combineLatest($1) { $0 + [$1] }.eraseToAnyPublisher() }
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      combined.receive(subscriber: subscriber)
    }
  }
}

/// Names at top level, which must not meet others that come with the import.
public typealias ZipMany = Publishers.ZipMany
public typealias CombineLatestMany = Publishers.CombineLatestMany

extension Array where Element: Publisher {
  public func zip() -> Publishers.ZipMany<Element.Output, Element.Failure> { .init(self) }

  public func combineLatest() -> Publishers.CombineLatestMany<Element.Output, Element.Failure> { .init(self) }
}
