import Streams
import StreamsTesting
import Testing

@testable import StreamsExtras

@Suite struct TrackingTests {
  private final class Lines {
    var all: [String] = []
  }

  private let lines = Lines()

  private func tracking(_ name: String = "", _ words: TrackingWords = .swift) -> Tracking {
    Tracking(name, words) { [lines] in lines.all.append($0) }
  }

  @Test func aCallWithNothingInItIsALine() {
    tracking().send(1) {}
    #expect(lines.all == ["- Subject send(_:) value: 1"])
  }

  @Test func callsAreNested() {
    let one = tracking("one")
    let two = tracking("two", .c)
    one.send(1) { two.send(2) {} }
    #expect(
      lines.all == [
        "> one: Subject send(_:) value: 1", "    - two: Subject send value: 2", "< one: Subject send(_:)",
      ])
  }

  @Test func anEndIsTold() {
    tracking().end(.subscription)
    tracking("s", .c).end(.subscriber)
    #expect(lines.all == ["- Subscription deinit", "- s: Subscriber released"])
  }
}
