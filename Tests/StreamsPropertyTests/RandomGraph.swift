import Streams
import StreamsProperty

/// What the properties of a graph ought to be, computed one after the other.
final class Model {
  struct Node {
    /// The new value, from the values and from which of them changed, if it is to change.
    let step: (_ values: [Int], _ changed: [Bool], _ own: Int) -> Int?
    var value: Int
    var history: [Int]
  }

  private(set) var nodes: [Node] = []

  func add(_ value: Int, _ step: @escaping ([Int], [Bool], Int) -> Int? = { _, _, _ in nil }) {
    nodes.append(Node(step: step, value: value, history: [value]))
  }

  func change(_ source: Int, to value: Int) {
    var changed: [Bool] = []
    for index in nodes.indices {
      let new = index == source ? value : nodes[index].step(nodes.map(\.value), changed, nodes[index].value)
      changed.append(new != nil)
      guard let new else { continue }
      nodes[index].value = new
      nodes[index].history.append(new)
    }
  }
}

/// What functions were called with that was not what the model has, or old beside new.
final class Calls {
  private(set) var wrong: [String] = []

  @discardableResult
  func note<Value: Equatable>(_ found: Value, is expected: Value, if isCurrent: Bool = true) -> Value {
    if isCurrent, found != expected { wrong.append("\(found), not \(expected)") }
    return found
  }
}

/// Properties that are derived from each other at random, and their model.
struct RandomGraph {
  let model = Model()
  private(set) var properties: [Property<Int>] = []
  let calls = Calls()

  init(_ subjects: [CurrentValueSubject<Int, Never>], joined: Bool, size: Int, random: inout SplitMix) {
    for subject in subjects {
      properties.append(Property(subject))
      model.add(subject.value)
    }
    if joined {
      add(properties.combineLatest(emptySentinel: 0).map { $0.reduce(0, &+) }) { values, changed, _ in
        changed.contains(true) ? values[..<subjects.count].reduce(0, &+) : nil
      }
    }
    for _ in 0..<size { grow(&random) }
  }

  private mutating func grow(_ random: inout SplitMix) {
    let (a, b, c) = (pick(&random), pick(&random), pick(&random))
    let all = properties
    switch Int.random(in: 0..<13, using: &random) {
    case 0:
      add(all[a].map { $0 &* 3 }) { values, changed, _ in changed[a] ? values[a] &* 3 : nil }
    case 1:
      add(all[a].combineLatest(all[b], &-)) { values, changed, _ in
        changed[a] || changed[b] ? values[a] &- values[b] : nil
      }
    case 2:
      add(all[a].combineLatest(all[b], all[c]) { $0 ^ $1 &+ $2 }) { values, changed, _ in
        changed[a] || changed[b] || changed[c] ? values[a] ^ values[b] &+ values[c] : nil
      }
    case 3:
      add(all[a].filter(initialFallback: 1) { $0.isMultiple(of: 2) }) { values, changed, _ in
        changed[a] && values[a].isMultiple(of: 2) ? values[a] : nil
      }
    case 4:
      add(all[a].removeDuplicates()) { values, changed, own in
        changed[a] && values[a] != own ? values[a] : nil
      }
    case 5:
      add(all[a].scan(7) { $0 &+ $1 }) { values, changed, own in changed[a] ? own &+ values[a] : nil }
    case 6:
      add(all[a].map { all[Int($0.magnitude) % all.count] }.switchToLatest()) { values, changed, _ in
        let followed = Int(values[a].magnitude) % all.count
        return changed[a] || changed[followed] ? values[followed] : nil
      }
    case 7:
      addFollowing(a, atMost: .unlimited, all)
    case 8:
      addFollowing(a, atMost: .max(Int.random(in: 1...3, using: &random)), all)
    case 9:
      addSwitching(a, b, c)
    case 10:
      addNested(a, b, c)
    case 11:
      addKept(a, b)
    default:
      add(all[a].combineLatest(with: [all[b], all[c]]).map { $0.reduce(0, &+) }) { values, changed, _ in
        changed[a] || changed[b] || changed[c] ? values[a] &+ values[b] &+ values[c] : nil
      }
    }
  }

  /// Follows what each value chooses: what is constant, which completes at once, or one of the others, or made of it.
  private mutating func addFollowing(_ a: Int, atMost limit: Subscribers.Demand, _ all: [Property<Int>]) {
    let calls = calls
    let property = all[a].flatMap(maxPublishers: limit) { [model] value in
      calls.note(value, is: model.nodes[a].value, if: limit == .unlimited)
      let chosen = Int(value.magnitude) % all.count
      if value.isMultiple(of: 3) { return Property(value) }
      return value.isMultiple(of: 2)
        ? all[chosen] : all[chosen].map { calls.note($0, is: model.nodes[chosen].value) }
    }
    var (followed, waiting): ([Int], [Int]) = ([], [])
    let start = { (values: [Int]) -> Int? in
      var started: Int?
      while followed.count < limit.max ?? .max, !waiting.isEmpty {
        let value = waiting.removeFirst()
        let chosen = Int(value.magnitude) % all.count
        if !value.isMultiple(of: 3) { followed.append(chosen) }
        started = value.isMultiple(of: 3) ? value : values[chosen]
      }
      return started
    }
    waiting = [model.nodes[a].value]
    _ = start(model.nodes.map(\.value))
    add(property) { values, changed, _ in
      let moved = followed.last { changed[$0] }.map { values[$0] }
      if changed[a] { waiting.append(values[a]) }
      return start(values) ?? moved
    }
  }

  /// Makes, in its function, what it follows; by way of a property that may be behind another one.
  private mutating func addSwitching(_ a: Int, _ b: Int, _ c: Int) {
    let (all, calls, model) = (properties, calls, model)
    let made = all[a].map { value in
      all[b].map { $0 }.combineLatest(all[c]) { second, third in
        calls.note([value, second, third], is: [a, b, c].map { model.nodes[$0].value })
        return value &* 5 &+ second &- third
      }
    }
    add(made.map { $0 }.switchToLatest()) { values, changed, _ in
      changed[a] || changed[b] || changed[c] ? values[a] &* 5 &+ values[b] &- values[c] : nil
    }
  }

  private mutating func addNested(_ a: Int, _ b: Int, _ c: Int) {
    let (all, calls, model) = (properties, calls, model)
    let outer = all[a].map { first in
      all[b].map { second in
        all[c].map { third in
          calls.note([first, second, third], is: [a, b, c].map { model.nodes[$0].value })
          return first ^ second &+ third
        }
      }.switchToLatest()
    }
    add(outer.switchToLatest()) { values, changed, _ in
      changed[a] || changed[b] || changed[c] ? values[a] ^ values[b] &+ values[c] : nil
    }
  }

  /// What is made is kept, and followed again.
  private mutating func addKept(_ a: Int, _ b: Int) {
    let (all, calls, model) = (properties, calls, model)
    var kept: [Int: Property<Int>] = [:]
    let property = all[a].map { value in
      let property = kept[value] ?? all[b].map { calls.note($0, is: model.nodes[b].value) &+ value }
      kept[value] = property
      return property
    }.switchToLatest()
    add(property) { values, changed, _ in changed[a] || changed[b] ? values[a] &+ values[b] : nil }
  }

  private func pick(_ random: inout SplitMix) -> Int { Int.random(in: properties.indices, using: &random) }

  private mutating func add(_ property: Property<Int>, _ step: @escaping ([Int], [Bool], Int) -> Int?) {
    properties.append(property)
    model.add(property.value, step)
  }
}
