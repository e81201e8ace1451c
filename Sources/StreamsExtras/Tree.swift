public import Streams

extension Publisher {
  /// The chain of publishers that ends with this one, as an indented tree: each publisher above those that it is made of.
  ///
  /// The text is for people to read. A publisher type of your own takes part by storing its upstream in a property. Publishers in
  /// a closure or in an `AnyPublisher` are not shown. Numbers and texts that a publisher was made with are shown.
  ///
  ///     print(prices.map { $0 + 1 }.merge(with: Just(0)).collect(2).tree())
  ///     // CollectByCount(count: 2)
  ///     //   Merge
  ///     //     Map
  ///     //       PassthroughSubject
  ///     //     Just(output: 0)
  ///
  /// It subscribes to nothing. It cuts off levels deeper than 100 and texts longer than 1000 lines.
  public func tree() -> String {
    indentedTree(self as any Publisher) { (label(of: $0), branches(of: $0)) }
  }
}

/// The name of a publisher's type, and what it was made with.
private func label(of publisher: any Publisher) -> String {
  let name = String(describing: type(of: publisher)).prefix { $0 != "<" }
  let parameters = fields(of: publisher).compactMap { field -> String? in
    guard let text = shortText(of: field.value) else { return nil }
    return field.label.map { "\($0): \(text)" } ?? text
  }
  return parameters.isEmpty ? String(name) : "\(name)(\(parameters.joined(separator: ", ")))"
}

private func fields(of value: Any) -> Mirror.Children { Mirror(reflecting: value).children }

/// The text of a value that fits on a line: a number, a truth value, or a text.
private func shortText(of value: Any) -> String? {
  switch value {
  case let value as any BinaryInteger: "\(value)"
  case let value as any BinaryFloatingPoint: "\(value)"
  case let value as Bool: "\(value)"
  case let value as String:
    value.count <= 20 ? value.debugDescription : "\(value.prefix(17))…".debugDescription
  default: nil
  }
}

/// The publishers that a publisher has in its stored properties.
///
/// If one of them is its upstream, publishers that it uses internally to share that are left out.
private func branches(of publisher: any Publisher) -> [any Publisher] {
  let fields = fields(of: publisher)
  let hasUpstream = fields.contains { $0.label == "upstream" }
  return fields.flatMap { field in
    hasUpstream && field.label == "inner" ? [] : publishers(in: field.value, nested: true)
  }
}

/// The value if it is a publisher, or those in it if it is a collection, an optional or a tuple of some.
private func publishers(in value: Any, nested: Bool) -> [any Publisher] {
  if let publisher = value as? any Publisher { return [publisher] }
  let mirror = Mirror(reflecting: value)
  guard nested, [.collection, .optional, .tuple].contains(mirror.displayStyle) else { return [] }
  return mirror.children.prefix(100).flatMap { publishers(in: $0.value, nested: false) }
}
