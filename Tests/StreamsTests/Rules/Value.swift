import StreamsTesting

/// The values of all entries: numbers whose release a rule may notice.
struct Value: Hashable, Comparable, Encodable, ExpressibleByIntegerLiteral, CustomStringConvertible,
  @unchecked Sendable
{
  let number: Int
  /// Lives as long as the value, its copies and what was calculated from it.
  private let token: LifetimeToken?

  init(_ number: Int, _ token: LifetimeToken? = nil) {
    self.number = number
    self.token = token
  }

  init(integerLiteral number: Int) { self.init(number) }

  var description: String { "\(number)" }
  var magnitude: UInt { number.magnitude }
  func encode(to encoder: any Encoder) throws { try number.encode(to: encoder) }
  func hash(into hasher: inout Hasher) { number.hash(into: &hasher) }
  static func == (first: Value, second: Value) -> Bool { first.number == second.number }
  static func < (first: Value, second: Value) -> Bool { first.number < second.number }
  static func % (first: Value, second: Int) -> Int { first.number % second }
  static func + (first: Value, second: Value) -> Value {
    Value(first.number + second.number, second.token ?? first.token)
  }
  static func - (first: Value, second: Value) -> Value {
    Value(first.number - second.number, second.token ?? first.token)
  }
  static func / (first: Value, second: Int) -> Value { Value(first.number / second, first.token) }
}
