/// The places of elements by their hashes, in a table of its own: to look one up hashes nothing, and runs no user's code.
///
/// Elements are numbered in the order in which they are added. Several may have the same hash.
@frozen
@usableFromInline
package struct HashedPlaces {
  /// The hashes of all elements, in order.
  @usableFromInline var hashes: ContiguousArray<Int> = []
  /// The elements' numbers, each at the first free place from the one that its hash gives; -1 where there is none. The size is a
  /// power of two, and at most half of it is used.
  @usableFromInline var table: ContiguousArray<Int> = []

  @inlinable
  package init() {}

  /// The number of the first element with a hash, or of the first that follows another with the same one.
  @inlinable
  package func first(_ hash: Int, after last: Int = -1) -> Int? {
    if table.isEmpty { return nil }
    var place = start(hash)
    // Elements with the same hash are in order.
    while case let number = table[place], number >= 0 {
      if number > last, hashes[number] == hash { return number }
      place = next(place)
    }
    return nil
  }

  /// Adds an element.
  @usableFromInline
  package mutating func append(_ hash: Int) {
    hashes.append(hash)
    if 2 * hashes.count > table.count { return grow() }
    insert(hashes.count - 1)
  }

  private mutating func grow() {
    table = ContiguousArray(repeating: -1, count: max(16, 2 * table.count))
    for number in hashes.indices { insert(number) }
  }

  private mutating func insert(_ number: Int) {
    var place = start(hashes[number])
    while table[place] >= 0 { place = next(place) }
    table[place] = number
  }

  @inlinable
  func start(_ hash: Int) -> Int { hash & (table.count - 1) }

  @inlinable
  func next(_ place: Int) -> Int { (place + 1) & (table.count - 1) }
}
