/// Elements in the order in which they were added, each with a key that finds it again.
struct SlotMap<Element> {
  /// Nil where an element was removed. Iterating over a copy allocates nothing.
  private(set) var entries: [Element?] = []
  /// One for each entry, ascending. Stored apart, so that a search touches no element.
  private var keys: [Int] = []
  private var nextKey = 0
  private var holes = 0

  var isEmpty: Bool { holes == entries.count }

  @inline(__always)
  func forEach(_ body: (Element) -> Void) {
    for index in entries.indices {
      if let element = entries[index] { body(element) }
    }
  }

  mutating func add(_ element: Element) -> Int {
    defer { nextKey += 1 }
    entries.append(element)
    keys.append(nextKey)
    return nextKey
  }

  /// Returns the removed element, which the caller releases without a lock.
  mutating func remove(_ key: Int) -> Element? {
    guard let index = index(of: key), let element = entries[index] else { return nil }
    entries[index] = nil
    holes += 1
    if holes > entries.count / 2 { close() }
    return element
  }

  private mutating func close() {
    let kept = entries.indices.filter { entries[$0] != nil }
    keys = kept.map { keys[$0] }
    entries = kept.map { entries[$0] }
    holes = 0
  }

  private func index(of key: Int) -> Int? {
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low < keys.count && keys[low] == key ? low : nil
  }
}
