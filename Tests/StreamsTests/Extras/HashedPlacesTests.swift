import Testing

@testable import StreamsExtras

@Suite struct HashedPlacesTests {
  /// The numbers of all elements with a hash, in the order in which they are found.
  private func all(_ hash: Int, in places: HashedPlaces) -> [Int] {
    guard let first = places.first(hash) else { return [] }
    return Array(sequence(first: first) { places.follower(of: $0) })
  }

  @Test func nothingIsInAnEmptyTable() {
    #expect(HashedPlaces().first(0) == nil)
  }

  @Test(arguments: [1, 16, Int.min]) func elementsWithTheSameHashAreFoundInOrder(_ step: Int) {
    var places = HashedPlaces()
    // Multiples of 16 begin at the same place of the table.
    for number in 0..<100 { places.append(number % 7 &* step) }
    for hash in 0..<7 {
      let expected = (0..<100).filter { $0 % 7 &* step == hash &* step }
      #expect(all(hash &* step, in: places) == expected)
    }
    #expect(all(7 &* step &+ 3, in: places) == [])
  }

  @Test func anElementThatHasBeenRemovedHasNoFollower() {
    var places = HashedPlaces()
    for _ in 0..<3 { places.append(5) }
    places = HashedPlaces()
    places.append(5)
    #expect(places.follower(of: 0) == nil && places.follower(of: 2) == nil)
  }

  @Test func whatIsAddedDuringASearchIsFoundByIt() {
    var places = HashedPlaces()
    places.append(5)
    let first = places.first(5)
    for _ in 0..<40 { places.append(6) }
    places.append(5)
    #expect(first == 0 && places.follower(of: 0) == 41 && places.follower(of: 41) == nil)
  }
}
