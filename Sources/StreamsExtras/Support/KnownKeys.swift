import Streams

/// Keys that all differ from each other, each with a number, in the order in which they become known.
@usableFromInline
package final class KnownKeys<Key> {
  @usableFromInline let keys = Cell<ContiguousArray<Key>>([])
  @usableFromInline let places = Cell(HashedPlaces())

  @inlinable
  package init() {}

  /// The key with a number.
  @inlinable
  package subscript(number: Int) -> Key { keys.value[number] }

  /// The number of the key that equals `key`; if there is none, `key` becomes known. Keys that are equal have the same hash.
  ///
  /// Comparing may run user's code, which may come back here, and remove all keys.
  @inlinable
  package func find<Failure>(
    _ key: Key, hash: Int, by areEqual: (Key, Key) throws(Failure) -> Bool
  ) throws(Failure) -> (number: Int, isNew: Bool) {
    var place = places.value.first(hash)
    while let number = place, number < keys.value.count {
      if try areEqual(keys.value[number], key) { return (number, false) }
      place = places.value.follower(of: number)
    }
    return (add(key, hash), true)
  }

  @inlinable @inline(never)
  func add(_ key: Key, _ hash: Int) -> Int {
    keys.value.append(key)
    places.value.append(hash)
    return keys.value.count - 1
  }

  /// Removes all keys, and returns them to be released.
  @inlinable
  func removeAll() -> ContiguousArray<Key> {
    places.value = HashedPlaces()
    return exchange(&keys.value, with: [])
  }
}
