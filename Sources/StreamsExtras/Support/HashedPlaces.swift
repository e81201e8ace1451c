/// The places of elements by their hashes, in a table of its own: to look one up hashes nothing, and runs no user's code.
///
/// Elements are numbered in the order in which they are added. Several may have the same hash: each leads to the next.
@frozen
@usableFromInline
package struct HashedPlaces {
  /// An element, in order.
  @frozen
  @usableFromInline
  struct Element {
    @usableFromInline let hash: Int
    /// The next element with this hash; -1 for the last one.
    @usableFromInline var follower = -1
    /// Of the first element with this hash: the last one.
    @usableFromInline var last: Int

    @inlinable
    init(hash: Int, number: Int) {
      self.hash = hash
      last = number
    }
  }

  @usableFromInline var elements: ContiguousArray<Element> = []
  /// The number of the first element of each hash, at the first free place from the one that the hash gives; -1 where there is
  /// none. The size is a power of two, and at most half of it is used.
  @usableFromInline var table: ContiguousArray<Int> = []

  @inlinable
  package init() {}

  /// The number of the first element with a hash.
  @inlinable
  package func first(_ hash: Int) -> Int? {
    if table.isEmpty { return nil }
    let number = table[place(of: hash)]
    return number < 0 ? nil : number
  }

  /// The number of the next element with the same hash as another one. None if that has been removed meanwhile.
  @inlinable
  package func follower(of number: Int) -> Int? {
    guard number < elements.count, case let follower = elements[number].follower, follower >= 0 else {
      return nil
    }
    return follower
  }

  /// Adds an element.
  @usableFromInline
  package mutating func append(_ hash: Int) {
    let number = elements.count
    elements.append(Element(hash: hash, number: number))
    if 2 * elements.count > table.count { grow() }
    let place = place(of: hash)
    let first = table[place]
    if first < 0 {
      table[place] = number
      return
    }
    elements[elements[first].last].follower = number
    elements[first].last = number
  }

  /// Makes the table larger, and puts in all elements but the last one, which is being added.
  private mutating func grow() {
    table = ContiguousArray(repeating: -1, count: max(16, 2 * table.count))
    for (number, element) in elements.dropLast().enumerated() {
      let place = place(of: element.hash)
      if table[place] < 0 { table[place] = number }
    }
  }

  /// Where the table has the first element with a hash, or has room for it.
  @inlinable
  func place(of hash: Int) -> Int {
    var place = hash & (table.count - 1)
    while case let number = table[place], number >= 0, elements[number].hash != hash {
      place = (place + 1) & (table.count - 1)
    }
    return place
  }
}
