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

/// Properties that are derived from each other at random, and their model.
struct RandomGraph {
  let model = Model()
  private(set) var properties: [Property<Int>] = []

  init(_ subjects: [CurrentValueSubject<Int, Never>], size: Int, random: inout SplitMix) {
    for subject in subjects {
      properties.append(Property(subject))
      model.add(subject.value)
    }
    for _ in 0..<size { grow(&random) }
  }

  private mutating func grow(_ random: inout SplitMix) {
    let (a, b, c) = (pick(&random), pick(&random), pick(&random))
    let all = properties
    switch Int.random(in: 0..<8, using: &random) {
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
    default:
      add(all[a].combineLatest(with: [all[b], all[c]]).map { $0.reduce(0, &+) }) { values, changed, _ in
        changed[a] || changed[b] || changed[c] ? values[a] &+ values[b] &+ values[c] : nil
      }
    }
  }

  private func pick(_ random: inout SplitMix) -> Int { Int.random(in: properties.indices, using: &random) }

  private mutating func add(_ property: Property<Int>, _ step: @escaping ([Int], [Bool], Int) -> Int?) {
    properties.append(property)
    model.add(property.value, step)
  }
}
