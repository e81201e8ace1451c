import Foundation
import XCTest

/// Lets the main run loop run until `isDone`; fails the test if that takes longer than `limit` seconds.
///
/// The programs that use `RunLoop.main` are tests of XCTest because it runs them on the main thread.
func runMainLoop(
  limit: TimeInterval = 10, file: StaticString = #filePath, line: UInt = #line, until isDone: () -> Bool
) {
  XCTAssert(Thread.isMainThread, "the main run loop runs on the main thread only", file: file, line: line)
  let deadline = Date(timeIntervalSinceNow: limit)
  while !isDone() {
    guard Date() < deadline else { return XCTFail("it took too long", file: file, line: line) }
    _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
  }
}
