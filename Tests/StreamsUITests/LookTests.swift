import Foundation
import StreamsSchedulers
import StreamsUI
import Synchronization
import Testing

/// What is shown is looked at while another thread updates.
@MainActor @Suite struct LookTests {
  private final class Model: ObservableObject, @unchecked Sendable {
    @Published var items = [1, 2, 3]
    @Published var count = 0
  }

  private struct Row: View {
    let number: Int
    @State private var taps = 0
    var body: some View {
      HStack {
        Text("row \(number) \(taps)")
        Button("button \(number)") { taps += 1 }
      }
    }
  }

  private struct Screen: View {
    @ObservedObject var model: Model
    var body: some View {
      VStack {
        let count = model.count
        Text("first \(count)")
        ForEach(model.items, id: \.self) { Row(number: $0) }
          .environment(\.lineLimit, count)
        Text("last \(count)")
      }
    }
  }

  @Test func lookingWhileASchedulerUpdates() throws {
    let model = Model()
    let queue = try SerialQueue()
    let host = ViewHost(Screen(model: model), scheduler: queue)
    let isOver = Atomic(false)
    let done = DispatchSemaphore(value: 0)
    Thread {
      var count = 0
      while !isOver.load(ordering: .relaxed) {
        count += 1
        model.items = Array(0..<(count % 7))
        model.count = count
      }
      done.signal()
    }.start()
    var (looks, nodes) = (0, 0)
    while looks < 500 {
      let tree = host.tree
      nodes += tree.all.count
      let texts = tree.all.filter { $0.kind == "Text" }.map(\.text)
      if let first = texts.first, let last = texts.last {
        // All of it is of one evaluation.
        #expect(first.dropFirst(6) == last.dropFirst(5))
      }
      for node in tree.all { nodes += node.path.count + node.label.count }
      try? host.tap("button 1")
      nodes += host.description.count
      host.onUpdate = {}
      host.onEvaluation = looks % 2 == 0 ? nil : { _ in }
      host.environment.lineLimit = looks
      looks += 1
    }
    isOver.store(true, ordering: .relaxed)
    done.wait()
    #expect(nodes > 0)
    host.unmount()
  }

  /// What is shown can be looked at where the host says that it has changed, by a thread that the updating one waits for.
  @Test func lookingFromAnotherThreadInOnUpdate() throws {
    let model = Model()
    let host = ViewHost(Screen(model: model))
    var count = 0
    host.onUpdate = {
      nonisolated(unsafe) var seen = 0
      let done = DispatchSemaphore(value: 0)
      Thread {
        let look: @MainActor () -> Int = { host.tree.all.count }
        seen = unsafeBitCast(look, to: (() -> Int).self)()
        done.signal()
      }.start()
      done.wait()
      count = seen
    }
    try host.update()
    #expect(count == 16)
    host.onUpdate = nil
  }

  /// What is shown is made once for all that look at it until it changes.
  @Test func lookingAgainMakesNothingAnew() throws {
    let model = Model()
    let host = ViewHost(Screen(model: model))
    try host.update()
    model.items = Array(0..<20_000)
    try host.update()
    _ = host.tree
    let clock = ContinuousClock()
    let first = clock.measure {
      model.count += 1
      try? host.update()
      _ = host.tree
    }
    let again = clock.measure { for _ in 0..<10 { _ = host.tree } }
    #expect(again < first)
    host.environment.lineLimit = 7
    try host.update()
    #expect(host.tree.all.last?.attributes["lineLimit"] == "7")
  }
}
