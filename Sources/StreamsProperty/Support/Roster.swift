/// Elements in the order in which they came, each with a ticket by which it is found again.
struct Roster<Element> {
  private var entries: [(ticket: Int, element: Element?)] = []
  private var nextTicket = 0
  private var holes = 0

  mutating func add(_ element: Element) -> Int {
    defer { nextTicket += 1 }
    entries.append((nextTicket, element))
    return nextTicket
  }

  /// Returns what was removed: letting go of it is for the caller, who holds no lock then.
  mutating func remove(_ ticket: Int) -> Element? {
    guard let index = index(of: ticket), let element = entries[index].element else { return nil }
    entries[index].element = nil
    holes += 1
    if holes > entries.count / 2 {
      entries.removeAll { $0.element == nil }
      holes = 0
    }
    return element
  }

  var elements: [Element] { entries.compactMap(\.element) }

  /// Tickets ascend.
  private func index(of ticket: Int) -> Int? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].ticket < ticket { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].ticket == ticket ? low : nil
  }
}
