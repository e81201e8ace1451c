@preconcurrency import Combine
import Foundation

public protocol Validating {
  associatedtype Field
  func isValid(_ field: Field) -> Bool
}

open class Model<Rule: Validating>: ObservableObject {
  @Published public var field: Rule.Field
  @Published public private(set) var isValid = false

  public init(field: Rule.Field, rule: Rule) {
    self.field = field
    $field.map(rule.isValid).assign(to: &$isValid)
  }
}

public struct NotEmpty: Validating {
  public init() {}
  public func isValid(_ field: String) -> Bool { !field.isEmpty }
}

@MainActor
public final class Form: Model<NotEmpty> {
  @Published public var isOpen = true
  private var cancellables: Set<AnyCancellable> = []
  public private(set) var log: [String] = []

  public init() {
    super.init(field: "", rule: NotEmpty())
    objectWillChange.sink { [unowned self] in log.append("will change") }.store(in: &cancellables)
  }

  public var summary: some Publisher<String, Never> {
    $field.combineLatest($isOpen) { "\($0) \($1)" }.removeDuplicates()
  }
}

public struct Reading: Codable, Equatable, Sendable {
  public let celsius: Double
}

public enum Readings {
  public static func decoded(from lines: [String]) -> AnyPublisher<Reading, any Error> {
    lines.publisher
      .map { Data($0.utf8) }
      .decode(type: Reading.self, decoder: JSONDecoder())
      .eraseToAnyPublisher()
  }

  public static func download(_ url: URL, with session: URLSession) -> some Publisher<Data, any Error> {
    session.dataTaskPublisher(for: url).map(\.data).mapError { $0 as any Error }
  }

  /// Runs the main run loop until a timer has fired `count` times.
  @MainActor
  public static func tick(_ count: Int, _ action: @escaping (Int) -> Void) {
    var ticks = 0
    let cancellable = Timer.publish(every: 0.01, on: .main, in: .default).autoconnect()
      .receive(on: RunLoop.main)
      .sink { _ in
        ticks += 1
        action(ticks)
      }
    while ticks < count { _ = RunLoop.main.run(mode: .default, before: Date() + 0.01) }
    cancellable.cancel()
  }

  public static func promised() async throws -> Int {
    try await Future<Int, any Error> { promise in promise(.success(7)) }.value
  }

  public static func first(of publishers: [any Publisher<Int, Never>]) async -> [Int] {
    var firsts: [Int] = []
    for publisher in publishers {
      for await value in publisher.eraseToAnyPublisher().values {
        firsts.append(value)
        break
      }
    }
    return firsts
  }
}
