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
  let hasAppeared = DispatchSemaphore(value: 0)
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

/// With what has a body in the library.
private struct Controls: View {
  let hasAppeared: DispatchSemaphore
  @State private var isAsking = true
  @State private var number = 1
  @State private var choice = 1
  @State private var row: Int?
  @State private var name = ""
  @State private var path = [1]

  var body: some View {
    TabView(selection: $choice) { Text("tab").tag(1) }
    NavigationStack(path: $path) {
      Text("root").navigationDestination(for: Int.self) { Text("page \($0)") }
    }
    List(selection: $row) { Text("row").tag(1) }
    Picker("option", selection: $choice) { Text("one").tag(1) }
    Slider(value: .constant(1.0), in: 0...2)
    Stepper("number", value: $number, in: 0...2)
    TextField("value", value: $number, format: .number)
    SecureField("secret", text: $name)
    DisclosureGroup("more") { Text("inside") }
    Text("last").onAppear { hasAppeared.signal() }
      .alert("question", isPresented: $isAsking) {}
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

  private final class Looks: Sendable {
    private let list = Mutex<[String]>([])
    var all: [String] { list.withLock { $0 } }
    func note(_ what: String) { list.withLock { $0.append(what) } }
  }

  /// Looks at its own host, for what is there and what is not.
  private struct Watcher: View {
    let looks: Looks
    let host: () -> ViewHost?
    var body: some View {
      Button("go") { looks.note("gone") }.id(7).onAppear { if let host = host() { look(at: host) } }
    }

    private func look(at host: ViewHost) {
      looks.note("main: \(Thread.isMainThread)")
      looks.note("\(host)")
      looks.note(host.find(id: 7)?.kind ?? "none")
      looks.note(host.find("absent")?.kind ?? "none")
      for act in [host.tap, host.toggle, { try host.type("x", into: $0) }] as [(String) throws -> Void] {
        for label in ["go", "absent"] {
          do { try act(label) } catch { looks.note("\(error)") }
        }
      }
    }
  }

  @Test func controlsAreEvaluatedOnAnotherThread() throws {
    let hasAppeared = DispatchSemaphore(value: 0)
    let host = ViewHost(Controls(hasAppeared: hasAppeared), scheduler: try SerialQueue())
    hasAppeared.wait()
    #expect(host.texts.contains("tab") && host.texts.contains("page 1") && host.texts.contains("question"))
    host.unmount()
  }

  @Test func aSchedulersThreadMayLookForWhatIsNotThere() throws {
    let looks = Looks()
    let queue = try SerialQueue()
    // The first update waits until all is in place for it.
    let (ready, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    queue.schedule { ready.wait() }
    weak var known: ViewHost?
    let host = ViewHost(Watcher(looks: looks) { known }, scheduler: queue)
    known = host
    host.onUpdate = { done.signal() }
    ready.signal()
    done.wait()
    #expect(
      looks.all == [
        "main: false", "Button\n  Text \"go\"", "Button", "none", "gone", "there is no Button \"absent\"",
        "\"go\" is a Button, not a Toggle", "there is no Toggle \"absent\"",
        "\"go\" is a Button, not a TextField", "there is no TextField \"absent\"",
      ])
    host.unmount()
  }

  /// Connects focus states with what is in it, again with each count.
  private struct Focusable: View {
    @ObservedObject var model: Model
    let depth: Int
    @FocusState private var isFocused: Bool
    var body: some View {
      let _ = model.count
      if depth == 0 {
        ForEach(0..<2) { Button("\($0)") {} }.onAppear { model.hasAppeared.signal() }
      } else {
        AnyView(Focusable(model: model, depth: depth - 1)).focused($isFocused)
      }
    }
  }

  @Test func theFocusMovesDuringUpdatesOnAnotherThread() throws {
    nonisolated(unsafe) let model = Model()
    let queue = try SerialQueue()
    let host = ViewHost(Focusable(model: model, depth: 40), scheduler: queue)
    model.hasAppeared.wait()
    let nodes = host.tree.all.filter { $0.kind == "Button" }
    let isOver = Atomic(false)
    let done = DispatchSemaphore(value: 0)
    Thread {
      while !isOver.load(ordering: .relaxed) { model.count += 1 }
      done.signal()
    }.start()
    for number in 0..<500 { host.focused = nodes[number % 2] }
    isOver.store(true, ordering: .relaxed)
    done.wait()
    for _ in 0..<2 { queue.schedule { done.signal() } }
    for _ in 0..<2 { done.wait() }
    #expect(host.focused?.label == "1")
    host.unmount()
  }
}
