import Plan

#if STREAMS
  import Streams
#else
  import OpenCombine
#endif

/// What fails pipelines.
struct Fault: Error, Equatable, CustomStringConvertible {
  var number: Int
  var description: String { "fault \(number)" }

  /// The failure of a `try` operator, as an error of this type.
  static func make(_ error: any Error) -> Fault { error as? Fault ?? Fault(number: -1) }
}

/// The types of the values in a pipeline: each stands for a number.
protocol Element: Comparable, Codable {
  init(number: Int)
  var number: Int { get }
  static func pack(_ publisher: AnyPublisher<Self, Fault>) -> Pipe
}

extension Int: Element {
  init(number: Int) { self = number }
  var number: Int { self }
  static func pack(_ publisher: AnyPublisher<Int, Fault>) -> Pipe { .numbers(publisher) }
}

extension String: Element {
  init(number: Int) { self = "\(number)" }
  var number: Int { Int(self) ?? count }
  static func pack(_ publisher: AnyPublisher<String, Fault>) -> Pipe { .texts(publisher) }
}

struct List: Element, CustomStringConvertible {
  var items: [Int]

  init(items: [Int]) { self.items = items }
  init(number: Int) { items = [number, number] }
  var number: Int { items.reduce(items.count, &+) % 1000 }
  var description: String { "\(items)" }
  static func pack(_ publisher: AnyPublisher<List, Fault>) -> Pipe { .lists(publisher) }
  static func < (lhs: List, rhs: List) -> Bool { lhs.items.lexicographicallyPrecedes(rhs.items) }
}

/// A publisher whose type of values is known at run time only.
enum Pipe {
  case numbers(AnyPublisher<Int, Fault>)
  case texts(AnyPublisher<String, Fault>)
  case lists(AnyPublisher<List, Fault>)

  /// The publisher, with a `map` if the types differ.
  func values<Value: Element>(of type: Value.Type) -> AnyPublisher<Value, Fault> {
    switch self {
    case .numbers(let publisher): Self.convert(publisher)
    case .texts(let publisher): Self.convert(publisher)
    case .lists(let publisher): Self.convert(publisher)
    }
  }

  private static func convert<From: Element, To: Element>(
    _ publisher: AnyPublisher<From, Fault>
  ) -> AnyPublisher<To, Fault> {
    (publisher as? AnyPublisher<To, Fault>)
      ?? publisher.map { To(number: $0.number) }.eraseToAnyPublisher()
  }
}

extension Publisher where Output: Element {
  /// Erases a step's publisher; errors of other types become faults.
  func packed() -> Pipe where Failure == Fault { Output.pack(eraseToAnyPublisher()) }
  func packed() -> Pipe where Failure == any Error { mapError(Fault.make).packed() }
  func packed() -> Pipe where Failure == Never { setFailureType(to: Fault.self).packed() }
}

extension Amount {
  var demand: Subscribers.Demand {
    switch self {
    case .max(let count): .max(count)
    case .unlimited: .unlimited
    }
  }
}

/// A demand as the trace says it: the same in both libraries.
func say(_ demand: Subscribers.Demand) -> String { demand.max.map(String.init) ?? "unlimited" }

func say<Failure>(_ completion: Subscribers.Completion<Failure>) -> String {
  switch completion {
  case .finished: "finished"
  case .failure(let fault): "\(fault)"
  }
}
