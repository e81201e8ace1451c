// The program stands as it was written.
// swift-format-ignore-file
import Foundation
import StreamsFoundation
import XCTest

/// The controller to which the program belongs.
private final class Controller {
var delayedDebounce: (
   publisher: PassthroughSubject<() -> Void, Never>,
   cancellable: AnyCancellable?
   ) = {
       let publisher: PassthroughSubject<() -> Void, Never> = PassthroughSubject()
       let sink = publisher
         .debounce(for: .milliseconds(400), scheduler: RunLoop.main)
         .throttle(for: .milliseconds(20), scheduler: RunLoop.main, latest: true)
         .delay(for: 2, scheduler: RunLoop.main)
         .sink { action in
             action()
   }
   return (publisher, sink)
}()
}

final class DebounceThrottleDelayTests: XCTestCase {
  func testExecutesTheLastActionLater() {
    let controller = Controller()
    var isDone = false
    let start = Date()
    let lines = Console.lines {
      controller.delayedDebounce.publisher.send { print("too early") }
      controller.delayedDebounce.publisher.send {
        print("executed")
        isDone = true
      }
      print("sent")
      runMainLoop { isDone }
    }
    XCTAssertEqual(lines, ["sent", "executed"])
    XCTAssertGreaterThanOrEqual(Date().timeIntervalSince(start), 2.4)
  }
}
