import Streams
import StreamsExtras
import Testing

@Suite struct TreeTests {
  private let prices = PassthroughSubject<Int, Never>()

  @Test func aChainIsATreeWithoutBranches() {
    #expect(
      prices.map(\.description).filter { !$0.isEmpty }.tree()
        == "Filter\n  MapKeyPath\n    PassthroughSubject")
  }

  @Test func aJoinHasBranches() {
    let tree = prices.map { $0 + 1 }.merge(with: Just(0), prices).collect(2).tree()
    #expect(
      tree == """
        CollectByCount(count: 2)
          Merge3
            Map
              PassthroughSubject
            Just(output: 0)
            PassthroughSubject
        """)
  }

  @Test func publishersInACollectionAreBranches() {
    #expect(
      Publishers.MergeMany([prices, prices]).tree() == "MergeMany\n  PassthroughSubject\n  PassthroughSubject"
    )
  }

  @Test func whatIsErasedIsHidden() {
    #expect(prices.eraseToAnyPublisher().first().tree() == "First\n  AnyPublisher")
  }

  @Test func textsAreCutShort() {
    #expect(Just(String(repeating: "x", count: 21)).tree() == "Just(output: \"xxxxxxxxxxxxxxxxx…\")")
  }

  @Test func aPublisherOfOnesOwnTakesPart() {
    struct Halves: Publisher {
      typealias Output = Int
      typealias Failure = Never
      let source: PassthroughSubject<Int, Never>
      let isExact: Bool

      func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
        source.map { $0 / 2 }.subscribe(subscriber)
      }
    }
    #expect(
      Halves(source: prices, isExact: true).share().tree()
        == "Share\n  Halves(isExact: true)\n    PassthroughSubject")
  }

  @Test func depthIsLimited() {
    var tree = indentedTree(0) { ("\($0)", [$0 + 1]) }.split(separator: "\n")
    #expect(tree.count == 101 && tree.removeLast() == String(repeating: "  ", count: 100) + "…")
    tree = indentedTree(0) {
      ("\($0)", $0 < 2000 ? [0, 1].map { _ in 3000 } + Array(repeating: 4000, count: 2000) : [])
    }
    .split(separator: "\n")
    #expect(tree.count == 1001 && tree.last == "…")
  }
}
