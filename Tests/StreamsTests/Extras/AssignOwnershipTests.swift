import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite struct AssignOwnershipTests {
  private class Page {
    var title = ""
    var cancellable: AnyCancellable?
  }

  @Test(arguments: [ObjectOwnership.strong, .weak, .unowned])
  func assignsEachValue(ownership: ObjectOwnership) {
    let titles = TestPublisher<String, Never>()
    let page = Page()
    let cancellable = titles.assign(to: \.title, on: page, ownership: ownership)
    #expect(titles.ledger.requests == [.unlimited])
    titles.send("a")
    #expect(page.title == "a")
    cancellable.cancel()
    #expect(titles.ledger.cancelCount == 1)
    titles.send("b")
    #expect(page.title == "a")
  }

  @Test(arguments: [ObjectOwnership.strong, .weak, .unowned])
  func keepsTheObjectOnlyStrongly(ownership: ObjectOwnership) {
    let titles = PassthroughSubject<String, Never>()
    weak var kept: Page?
    var cancellable: AnyCancellable?
    do {
      let page = Page()
      kept = page
      cancellable = titles.assign(to: \.title, on: page, ownership: ownership)
    }
    #expect((kept != nil) == (ownership == .strong))
    cancellable?.cancel()
    #expect(kept == nil)
  }

  @Test(arguments: [ObjectOwnership.weak, .unowned])
  func anObjectThatKeepsTheTicketIsNoCycle(ownership: ObjectOwnership) {
    let titles = TestPublisher<String, Never>()
    weak var kept: Page?
    do {
      let page = Page()
      kept = page
      page.cancellable = titles.assign(to: \.title, on: page, ownership: ownership)
      titles.send("a")
      #expect(page.title == "a")
    }
    #expect(kept == nil)
    #expect(titles.ledger.cancelCount == 1)
  }

  @Test func theFirstValueThatFindsTheObjectGoneEndsIt() {
    let titles = TestPublisher<String, Never>()
    var page: Page? = Page()
    let cancellable = page.map { titles.assign(to: \.title, on: $0, ownership: .weak) }
    titles.send("a")
    page = nil
    #expect(titles.ledger.cancelCount == 0)
    titles.send("b")
    #expect(titles.ledger.cancelCount == 1)
    withExtendedLifetime(cancellable) {}
  }

  @Test func aValueThatReleasesTheObject() {
    let titles = PassthroughSubject<String, Never>()
    var page: Page? = Page()
    weak let kept = page
    let cancellable = page.map {
      titles.handleEvents(receiveOutput: { _ in page = nil })
        .assign(to: \.title, on: $0, ownership: .weak)
    }
    titles.send("a")
    #expect(kept == nil)
    withExtendedLifetime(cancellable) {}
  }
}
