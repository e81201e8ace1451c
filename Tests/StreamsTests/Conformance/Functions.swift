import Streams

/// The failure of the streams in the table.
struct CaseFailure: Error, Hashable {
  let message: String
}

/// The functions that the table names. Those of the `try` forms are told apart by `fails`.
enum Functions {
  /// Whether a function can fail, so that the throwing form of the operator is the one to use.
  static func fails(_ name: JSONValue) -> Bool { name == "fail_on_3" || name == "fail_again" }

  static func transform(_ name: JSONValue, _ value: JSONValue) throws -> JSONValue {
    switch name {
    case "add1": return .int(value.int + 1)
    case "double": return .int(value.int * 2)
    case "negate": return .int(-value.int)
    case "half_if_even": return value.int.isMultiple(of: 2) ? .int(value.int / 2) : .null
    case "event", "to_event": return value
    case "to_list": return .list([value])
    case "fail_on_3":
      try failOn3(value)
      return value
    default: fatalError("\(name) is no transform")
    }
  }

  static func predicate(_ name: JSONValue, _ value: JSONValue) throws -> Bool {
    switch name {
    case "is_even": return value.int.isMultiple(of: 2)
    case "is_positive": return value.int > 0
    case "fail_on_3":
      try failOn3(value)
      return true
    default: fatalError("\(name) is no predicate")
    }
  }

  static func compare(_ name: JSONValue, _ previous: JSONValue, _ current: JSONValue) throws -> Bool {
    switch name {
    case "same_parity": return (previous.int - current.int).isMultiple(of: 2)
    case "fail_on_3":
      try failOn3(current)
      return previous == current
    default: fatalError("\(name) is no comparison")
    }
  }

  static func order(_ name: JSONValue, _ first: JSONValue, _ second: JSONValue) throws -> Bool {
    switch name {
    case "is_less": return first < second
    case "less_half": return first.int / 2 < second.int / 2
    case "fail_on_3":
      try failOn3(second)
      return first < second
    default: fatalError("\(name) is no order")
    }
  }

  static func combine(_ name: JSONValue, _ result: JSONValue, _ value: JSONValue) throws -> JSONValue {
    switch name {
    case "sum": return .int(result.int + value.int)
    case "join": return .list(result.list + [value])
    case "fail_on_3":
      try failOn3(value)
      return .int(result.int + value.int)
    default: fatalError("\(name) is no combination")
    }
  }

  /// Of any number of values.
  static func combine(_ name: JSONValue, _ values: [JSONValue]) throws -> JSONValue {
    switch name {
    case "sum": return .int(values.reduce(0) { $0 + $1.int })
    case "join": return .list(values)
    case "fail_on_3":
      try values.last.map(failOn3)
      return .int(values.reduce(0) { $0 + $1.int })
    default: fatalError("\(name) is no combination of values")
    }
  }

  private static func failOn3(_ value: JSONValue) throws {
    if value == .int(3) { throw CaseFailure(message: "three") }
  }
}

/// Makes a function that can fail into one that cannot; for those that do not.
func total<each Argument, Result>(
  _ function: @escaping (repeat each Argument) throws -> Result
) -> (repeat each Argument) -> Result {
  { (argument: repeat each Argument) in
    do {
      return try function(repeat each argument)
    } catch {
      fatalError("\(error)")
    }
  }
}
