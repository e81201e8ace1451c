import Combine
import Foundation

/// What is scheduled on `RunLoop.main`, in every way there is.
@MainActor
public final class Script {
  private var cancellables: Set<AnyCancellable> = []
  private var lines: [String: [String]] = [:]
  private let end: () -> Void
  public private(set) var isOver = false

  /// Schedules everything, and calls `end` when it has run.
  public init(_ end: @escaping () -> Void = {}) {
    self.end = end
    schedule()
    receive()
    time()
  }

  private func note(_ topic: String, _ line: Any) {
    MainActor.assertIsolated()
    lines[topic, default: []].append("\(line)")
  }

  private func schedule() {
    let loop = RunLoop.main
    loop.schedule { MainActor.assumeIsolated { self.note("actions", 1) } }
    loop.schedule {
      MainActor.assumeIsolated {
        self.note("actions", 2)
        loop.schedule { MainActor.assumeIsolated { self.note("actions", 4) } }
      }
    }
    loop.schedule { MainActor.assumeIsolated { self.note("actions", 3) } }
    let soon = loop.now.advanced(by: .milliseconds(50))
    loop.schedule(after: soon.advanced(by: .milliseconds(30))) {
      MainActor.assumeIsolated { self.note("later", 2) }
    }
    loop.schedule(after: soon) { MainActor.assumeIsolated { self.note("later", 1) } }
  }

  private func receive() {
    (1...4).publisher.receive(on: RunLoop.main).sink { self.note("received", $0) }.store(in: &cancellables)
    let keys = PassthroughSubject<String, Never>()
    keys.debounce(for: .milliseconds(20), scheduler: RunLoop.main).sink { self.note("debounced", $0) }
      .store(in: &cancellables)
    for key in ["s", "se", "sea"] { keys.send(key) }
    [5, 6].publisher.subscribe(on: DispatchQueue.global()).receive(on: RunLoop.main)
      .sink { self.note("from elsewhere", $0) }.store(in: &cancellables)
    [7, 8].publisher.delay(for: .milliseconds(20), scheduler: RunLoop.main).sink { self.note("delayed", $0) }
      .store(in: &cancellables)
  }

  private func time() {
    let ticks = Timer.publish(every: 0.02, on: .main, in: .common).autoconnect().scan(0) { count, _ in
      count + 1
    }
    ticks.prefix(3).sink { self.note("ticks", $0) }.store(in: &cancellables)
    // Long enough for anything to come a second time.
    ticks.filter { $0 == 15 }.first().sink { _ in self.finish() }.store(in: &cancellables)
  }

  private func finish() {
    for (topic, lines) in lines.sorted(by: { $0.key < $1.key }) {
      print("\(topic): \(lines.joined(separator: " "))")
    }
    isOver = true
    end()
  }
}
