import Streams
import StreamsTesting
import Testing

@Suite struct PublishedReadingsTests {
  private final class Model {
    @Published var first = 1
    @Published var second = 2
    var sum: Int { first + second + first }
  }

  @Test func tellsWhatWasReadAndAfterItHasChanged() {
    let model = Model()
    let (sum, changes) = PublishedReadings.noted { model.sum }
    #expect(sum == 4)
    #expect(changes.count == 2)
    var seen: [Int] = []
    let cancellables = changes.map { $0.sink { seen.append(model.sum) } }
    model.first = 10
    model.second = 20
    #expect(seen == [22, 40])
    withExtendedLifetime(cancellables) {}
  }

  @Test func whatIsReadElsewhereIsNotNoted() {
    let (model, other) = (Model(), Model())
    _ = other.first
    let (_, outer) = PublishedReadings.noted {
      let (_, inner) = PublishedReadings.noted { other.first }
      #expect(inner.count == 1)
      return model.second
    }
    #expect(outer.count == 1)
    #expect(PublishedReadings.noted {}.1.isEmpty)
  }
}
