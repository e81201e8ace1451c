import Foundation
import StreamsSchedulers
import StreamsUI
import Synchronization
import Testing

private final class Bindings: Sendable {
  private let known = Mutex<[Int: Binding<Int>]>([:])

  var all: [Int: Binding<Int>] { known.withLock { $0 } }

  func add(_ binding: Binding<Int>, _ number: Int) { known.withLock { $0[number] = binding } }
}

private struct Counter: View {
  let number: Int
  let bindings: Bindings
  @State var count = 0

  var body: some View {
    Text("\(number): \(count)").onAppear { bindings.add($count, number) }
  }
}

private final class Model: ObservableObject {
  @Published var count = 0
}

/// With all that takes closures.
private struct Screen: View {
  let bindings: Bindings
  @StateObject private var model = Model()
  @State private var isPopped = true

  var body: some View {
    VStack {
      Group { ForEach(0..<8) { Counter(number: $0, bindings: bindings) } }
        .onReceive(model.$count) { _ in }
        .onChange(of: model.count, initial: true) { _, _ in }
        .onDisappear {}
        .transformEnvironment(\.lineLimit) { $0 = 1 }
    }
    .popover(isPresented: $isPopped) {
      List([1], id: \.self) { _ in
        Label {
          EmptyView()
        } icon: {
          EmptyView()
        }
      }
    }
    .environmentObject(model)
  }
}

@MainActor @Suite struct ThreadTests {
  private func change(_ bindings: Bindings, meanwhile: () throws -> Void) rethrows {
    let running = Atomic(8)
    let group = DispatchGroup()
    for (_, binding) in bindings.all {
      group.enter()
      Thread {
        for _ in 0..<2000 { binding.wrappedValue += 1 }
        running.subtract(1, ordering: .sequentiallyConsistent)
        group.leave()
      }.start()
    }
    while running.load(ordering: .sequentiallyConsistent) > 0 { try meanwhile() }
    group.wait()
  }

  @Test func eightThreadsSetStatesDuringUpdates() throws {
    let bindings = Bindings()
    let host = ViewHost(Screen(bindings: bindings))
    try host.update()
    try change(bindings) { try host.update() }
    try host.update()
    #expect(host.texts == (0..<8).map { "\($0): 2000" })
  }

  /// Bodies run where the scheduler says, on whatever thread that is.
  @Test func updatesRunOnAnotherThread() throws {
    let bindings = Bindings()
    let queue = try SerialQueue()
    func settle() {
      let done = DispatchSemaphore(value: 0)
      queue.schedule { done.signal() }
      done.wait()
    }
    let host = ViewHost(Screen(bindings: bindings), scheduler: queue)
    settle()
    settle()
    change(bindings) { sched_yield() }
    settle()
    settle()
    #expect(host.texts == (0..<8).map { "\($0): 2000" })
    host.unmount()
  }
}
