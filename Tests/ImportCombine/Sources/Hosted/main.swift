import Combine
import Foundation
import MainLoop

// Those who serve `RunLoop.main` in a program whose main function is not asynchronous.

func runLoop(until isDone: () -> Bool) {
  while !isDone() { _ = RunLoop.main.run(mode: .default, before: Date() + 0.01) }
}

switch CommandLine.arguments.last {
case "loop":
  let script = Script { exit(0) }
  withExtendedLifetime(script) { RunLoop.main.run() }
case "rounds":
  let script = Script()
  runLoop { script.isOver }
case "dispatch":
  let script = Script { exit(0) }
  withExtendedLifetime(script) { dispatchMain() }
case "first the loop, then dispatch":
  RunLoop.main.schedule {}
  RunLoop.main.run(until: Date() + 0.02)
  let script = Script { exit(0) }
  RunLoop.main.run(until: Date() + 0.05)
  withExtendedLifetime(script) { dispatchMain() }
case "a job of the main queue runs the loop":
  DispatchQueue.main.async {
    let script = Script()
    runLoop { script.isOver }
    // While it sleeps.
    RunLoop.main.add(Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }, forMode: .default)
    let limit = Date() + 20
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) {
      RunLoop.main.schedule {
        if Date() > limit { print("nobody woke the loop") }
        exit(0)
      }
    }
    RunLoop.main.run(until: limit + 20)
  }
  RunLoop.main.run()
case "an action runs the loop":
  RunLoop.main.schedule {
    // This one finds the loop about to serve the queue.
    RunLoop.main.schedule {
      let script = MainActor.assumeIsolated { Script() }
      // As on Apple's platforms, an action is no job of the queue's, and so does not keep that waiting.
      var isServed = false
      DispatchQueue.main.async { isServed = true }
      runLoop { MainActor.assumeIsolated { script.isOver } }
      if !isServed { print("the main queue waited for an action") }
      exit(0)
    }
  }
  RunLoop.main.run()
default:
  fatalError("no such host")
}
