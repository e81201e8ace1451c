/// A value of the conformance table, and of the streams that it describes.
enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(String)
  case list([JSONValue])
  case object([String: JSONValue])
}

extension JSONValue: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .int(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .list(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
  init(stringLiteral value: String) { self = .string(value) }
  init(arrayLiteral elements: JSONValue...) { self = .list(elements) }
}

extension JSONValue: Comparable {
  static func < (first: JSONValue, second: JSONValue) -> Bool {
    if case (.string(let first), .string(let second)) = (first, second) { return first < second }
    return first.number < second.number
  }

  private var number: Double {
    if case .double(let value) = self { return value }
    return Double(int)
  }
}

/// Accessors that trap: a table that is not as its README says is a mistake in the table.
extension JSONValue {
  var int: Int {
    guard case .int(let value) = self else { fatalError("\(self) is no integer") }
    return value
  }

  var string: String {
    guard case .string(let value) = self else { fatalError("\(self) is no string") }
    return value
  }

  var list: [JSONValue] {
    guard case .list(let value) = self else { fatalError("\(self) is no list") }
    return value
  }

  /// The member of an object; nil if there is none.
  subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { fatalError("\(self) is no object") }
    return members[key]
  }
}

/// As `print` shows values: strings in lists are quoted.
extension JSONValue: CustomStringConvertible {
  var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): String(value)
    case .int(let value): String(value)
    case .double(let value): String(value)
    case .string(let value): value
    case .list(let values): "[" + values.map(\.quoted).joined(separator: ", ") + "]"
    case .object(let members): String(describing: members)
    }
  }

  private var quoted: String {
    if case .string(let value) = self { "\"\(value)\"" } else { description }
  }
}
