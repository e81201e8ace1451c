// The program stands as it was written.
// swift-format-ignore-file
import Foundation
import StreamsFoundation
import XCTest

private final class View {
  func layoutIfNeeded() { print("layout") }
}

final class DelayedDebounceTests: XCTestCase {
  func testLaysOutOnce() {
    let view = View()
var delayedDebounce: (
   publisher: PassthroughSubject<() -> Void, Never>,
   cancellable: AnyCancellable?
   ) = {
       let publisher: PassthroughSubject<() -> Void, Never> = PassthroughSubject()
       let sink = publisher
         .debounce(for: .milliseconds(400), scheduler: RunLoop.main)
         .sink { action in
             action()
   }
   return (publisher, sink)
}()
    var isDone = false
    let start = Date()
    let lines = Console.lines {
      delayedDebounce.publisher.send { print("too early") }
delayedDebounce.publisher.send {
  view.layoutIfNeeded()
  isDone = true
}
      print("sent")
      runMainLoop { isDone }
    }
    XCTAssertEqual(lines, ["sent", "layout"])
    XCTAssertGreaterThanOrEqual(Date().timeIntervalSince(start), 0.4)
    delayedDebounce.cancellable = nil
  }
}
