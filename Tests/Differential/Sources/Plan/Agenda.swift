/// Virtual time: what is to happen, and when.
public final class Agenda {
  private struct Entry {
    var time: Int
    var number: Int
    var action: () -> Void
  }

  public private(set) var now = 0
  private var count = 0
  private var entries: [Entry] = []

  public init() {}

  /// Plans an action and returns its number. A time in the past is now.
  @discardableResult
  public func plan(at time: Int, _ action: @escaping () -> Void) -> Int {
    count += 1
    entries.append(Entry(time: Swift.max(now, time), number: count, action: action))
    return count
  }

  /// Plans an action again and again. The result takes it from the agenda.
  public func plan(at time: Int, every interval: Int, _ action: @escaping () -> Void) -> () -> Void {
    var current = 0
    var isCancelled = false
    func again(at time: Int) {
      current = plan(at: time) {
        action()
        if !isCancelled { again(at: time + Swift.max(interval, 1)) }
      }
    }
    again(at: time)
    return {
      isCancelled = true
      self.remove(current)
    }
  }

  /// Lets time pass and runs what is due, a limited number of actions.
  public func advance(by length: Int) {
    let end = now + length
    for _ in 0..<100 {
      let due = entries.filter { $0.time <= end }.min { ($0.time, $0.number) < ($1.time, $1.number) }
      guard let due else { break }
      remove(due.number)
      now = Swift.max(now, due.time)
      due.action()
    }
    now = Swift.max(now, end)
  }

  /// Forgets everything, and with it what the actions hold on to.
  public func clear() {
    // What is released may come back, to take something from the agenda or to plan more.
    for _ in 0..<100 where !entries.isEmpty {
      let forgotten = entries
      entries = []
      withExtendedLifetime(forgotten) {}
    }
  }

  private func remove(_ number: Int) {
    guard let index = entries.firstIndex(where: { $0.number == number }) else { return }
    let removed = entries.remove(at: index)
    withExtendedLifetime(removed) {}
  }
}
