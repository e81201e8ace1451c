import Foundation

extension RangeReplaceableCollection where Self: MutableCollection {
  /// Removes the elements at these offsets from the start.
  ///
  ///     items.remove(atOffsets: offsets)
  public mutating func remove(atOffsets offsets: IndexSet) {
    var offset = -1
    removeAll { _ in
      offset += 1
      return offsets.contains(offset)
    }
  }
}

extension MutableCollection {
  /// Moves the elements at these offsets, in their order, to before the one that is at `destination` now.
  ///
  ///     items.move(fromOffsets: [0], toOffset: items.count)  // the first becomes the last
  public mutating func move(fromOffsets source: IndexSet, toOffset destination: Int) {
    var (before, moved, after): ([Element], [Element], [Element]) = ([], [], [])
    for (offset, element) in enumerated() {
      if source.contains(offset) {
        moved.append(element)
      } else if offset < destination {
        before.append(element)
      } else {
        after.append(element)
      }
    }
    for (index, element) in Swift.zip(Array(indices), before + moved + after) { self[index] = element }
  }
}
