// The program stands as it was written.
// swift-format-ignore-file
import Foundation
import StreamsFoundation
import XCTest

// The program leaves out `@escaping`, without which no compiler takes it.
struct Debouncer {
  private var delayedDebounce: (
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

  func execute(_ action: @escaping () -> Void) {
    delayedDebounce.publisher.send(action)
  }
}

final class DebouncerTests: XCTestCase {
  /// Two debouncers do not know of each other; each executes its last action.
  func testExecutesTheLastAction() {
    let (first, second) = (Debouncer(), Debouncer())
    var count = 0
    let lines = Console.lines {
      for number in 1...3 {
        first.execute {
          print("first \(number)")
          count += 1
        }
      }
      second.execute {
        print("second")
        count += 1
      }
      runMainLoop { count == 2 }
    }
    XCTAssertEqual(lines, ["first 3", "second"])
  }
}
