import StreamsScopes
import StreamsUI
import Testing

/// What many views cost grows with their number, and not faster.
@MainActor @Suite(.serialized) struct CostTests {
  private final class Model: ObservableObject {
    @Published var ids: [Int] = []
  }

  private struct Screen: View {
    @ObservedObject var model: Model
    var body: some View { ForEach(model.ids, id: \.self) { Row(number: $0) } }
  }

  private struct Row: View {
    let number: Int
    @State private var taps = 0
    var body: some View { Button("button \(number)") { taps += 1 } }
  }

  /// Eight times as many take less than thirty-two times as long; the best of three counts.
  private func expectLinear(_ count: Int, _ run: (Int) throws -> Void) throws {
    let clock = ContinuousClock()
    try run(count)
    func best(_ count: Int) throws -> Duration {
      try (0..<3).map { _ in try clock.measure { try run(count) } }.min() ?? .zero
    }
    let (small, large) = (try best(count), try best(8 * count))
    #expect(large < small * 32, "\(count): \(small), \(8 * count): \(large)")
  }

  /// Each of two identities is there many times, and found again in another order.
  @Test func duplicateIdentities() throws {
    try expectLinear(4000) { count in
      let tree = ScopeTree()
      let root = tree.root
      func walk(_ identities: [Int]) -> [Bool] {
        root.walk { identities.map { root.child([.key($0)]).isNew } }
      }
      #expect(walk((0..<count).map { $0 % 2 }).allSatisfy { $0 })
      #expect(!walk((0..<count).map { $0 < count / 2 ? 1 : 0 }).contains(true))
      #expect(walk(Array(repeating: 0, count: count)).count { $0 } == count / 2)
      tree.unmount()
    }
  }

  @Test func tapsBetweenUpdates() throws {
    let model = Model()
    let host = ViewHost(Screen(model: model))
    try expectLinear(200) { count in
      model.ids = Array(0..<count)
      try host.update()
      for number in 0..<count { try host.tap("button \(number % 7)") }
    }
  }
}
