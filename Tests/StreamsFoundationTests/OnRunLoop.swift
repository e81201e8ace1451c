import Foundation

/// Runs `body` on a thread of its own, whose run loop then runs until `isDone`.
func onRunLoop(
  _ body: @escaping @Sendable (RunLoop) -> Void, until isDone: @escaping @Sendable () -> Bool
) {
  let finished = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    let loop = RunLoop.current
    let keepAlive = Timer(timeInterval: 60, repeats: true) { _ in }
    loop.add(keepAlive, forMode: .default)
    body(loop)
    while !isDone() { _ = loop.run(mode: .default, before: Date(timeIntervalSinceNow: 0.005)) }
    keepAlive.invalidate()
    finished.signal()
  }
  finished.wait()
}

/// Carries to another thread what is known to be safe there.
struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
