extension Binding: Sequence where Value: MutableCollection {
  /// A binding of an element.
  public typealias Element = Binding<Value.Element>
  /// Iterates over the elements by their indices.
  public typealias Iterator = IndexingIterator<Binding<Value>>
  /// A part of the binding's elements.
  public typealias SubSequence = Slice<Binding<Value>>
}

/// A collection that another thread may change while it is gone through.
package protocol SharedCollection<Element> {
  associatedtype Element
  /// The elements that it has now.
  var elements: [Element] { get }
}

extension Binding: SharedCollection where Value: MutableCollection {}

/// A binding of a collection is a collection of bindings.
///
///     $tasks.forEach { $task in task.isUrgent = task.isDue }
extension Binding: Collection where Value: MutableCollection {
  /// An index of the collection.
  public typealias Index = Value.Index
  /// The indices of the collection.
  public typealias Indices = Value.Indices

  /// The collection's first index.
  public var startIndex: Index { wrappedValue.startIndex }
  /// The index after the collection's last.
  public var endIndex: Index { wrappedValue.endIndex }
  /// The collection's indices.
  public var indices: Indices { wrappedValue.indices }
  /// The index after another.
  public func index(after index: Index) -> Index { wrappedValue.index(after: index) }
  /// The index at a distance from another.
  public func index(_ index: Index, offsetBy distance: Int) -> Index {
    wrappedValue.index(index, offsetBy: distance)
  }

  /// A binding of the element at an index, which must exist now.
  ///
  /// If the collection gets too short for the index, the binding keeps the last value and sends nothing, and setting it does
  /// nothing.
  ///
  ///     let first = $names[0]
  public subscript(index: Index) -> Element { element(at: index, wrappedValue[index]) }

  package var elements: [Element] {
    let whole = wrappedValue
    return whole.indices.map { element(at: $0, whole[$0]) }
  }

  private func element(at index: Index, _ current: Value.Element) -> Element {
    part(current, get: { $0.contains(index: index) ? $0[index] : nil }) { whole, element in
      guard whole.contains(index: index) else { return nil }
      var whole = whole
      whole[index] = element
      return whole
    }
  }
}

extension Binding: BidirectionalCollection where Value: BidirectionalCollection & MutableCollection {
  /// The index before another.
  public func index(before index: Index) -> Index { wrappedValue.index(before: index) }
}

extension Binding: RandomAccessCollection where Value: RandomAccessCollection & MutableCollection {
  /// How many steps one index is from another.
  public func distance(from start: Index, to end: Index) -> Int {
    wrappedValue.distance(from: start, to: end)
  }
}

extension Binding {
  /// A binding of the value for a key, nil if there is none. Setting nil removes it.
  ///
  ///     let port = $environment["PORT"]
  public subscript<Key, Element>(key: Key) -> Binding<Element?> where Value == [Key: Element] {
    map(get: { $0[key] }) { whole, element in
      var whole = whole
      whole[key] = element
      return whole
    }
  }

  /// A binding of the value for a key, or of `element` while there is none.
  ///
  ///     let count = $counts["a", default: 0]
  public subscript<Key, Element>(
    key: Key, default element: @autoclosure @escaping () -> Element
  ) -> Binding<Element> where Value == [Key: Element] {
    map(get: { $0[key, default: element()] }) { whole, element in
      var whole = whole
      whole[key] = element
      return whole
    }
  }
}

extension Binding: Identifiable where Value: Identifiable {
  /// The value's identity.
  public var id: Value.ID { wrappedValue.id }
}

extension Collection {
  fileprivate func contains(index: Index) -> Bool { index >= startIndex && index < endIndex }
}
