import Foundation
import Testing

/// Whether the rules are applied to everything there is.
@Suite struct InventoryTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let sources = root.appending(path: "Sources/Streams")
  private static let otherSources = ["StreamsFoundation", "StreamsCallbacks", "StreamsExtras"]
    .map { root.appending(path: "Sources/\($0)") }

  /// What the rules are not applied to.
  private static let exempt = [
    "Timer.TimerPublisher": "its run loop would have to run on the threads of the rules",
    "GroupedPublisher": "it is subscribed to once: the entries of groupBy do",
    "WindowPublisher": "it is subscribed to once: the entries of window do",
    "PublishedSubject": "it is behind Published.Publisher, which has an entry",
    "URLSession.DataTaskPublisher": "it needs a server",
    "Publishers.AsyncSequence": "its task sends when the rules have looked",
  ]

  @Test func everyPublisherHasAnEntry() throws {
    let declared = try Self.otherSources.reduce(into: PublisherDeclarations(below: Self.sources).names) {
      try $0.formUnion(PublisherDeclarations(below: $1).names)
    }.subtracting(Self.exempt.keys)
    let covered = Set(Entry.all.map { PublisherDeclarations.name(of: $0.type) })
    #expect(declared.subtracting(covered).sorted() == [], "without an entry in the rule kit")
    #expect(covered.subtracting(declared).sorted() == [], "in the rule kit, but not found in the sources")
  }

  /// What the reader must find, so that an empty inventory is not taken for a complete one.
  @Test func theSourcesAreRead() throws {
    let declared = try PublisherDeclarations(below: Self.sources).names
    let known: Set = [
      "Just", "Optional.Publisher", "Result.Publisher", "Published.Publisher", "Record", "Future",
      "AnyPublisher", "PassthroughSubject", "CurrentValueSubject", "ObservableObjectPublisher",
      "Publishers.Map",
      "Publishers.Multicast", "Publishers.Merge8", "Publishers.Autoconnect",
    ]
    #expect(known.subtracting(declared).sorted() == [])
  }

  @Test func declarationsAreFound() {
    let text = """
      // public struct Commented: Publisher {}
      extension Publishers {
        public struct A<Upstream: Publisher, Output>: Publisher where Upstream.Failure == Never {
          let text = "} {"
          public func receive() { if true {} }
        }
        struct Internal: Publisher {}
        public enum Strategy<P: Publisher> { case one }
      }
      public final class B<Output>: ConnectablePublisher { public class func make() -> B { B() } }
      package struct Shared: Publisher {}
      public protocol Other: Publisher {}
      extension C where Output: Publisher {}
      extension D: Streams.Publisher {}
      public class E<A,
        B: Publisher>: CustomStringConvertible {}
      """
    #expect(PublisherDeclarations(in: text).names.sorted() == ["B", "D", "Publishers.A", "Shared"])
  }

  @Test func namesOfTypesAreThoseOfTheirDeclarations() {
    #expect(PublisherDeclarations.name(of: [Int: (Int) -> [Int?]].self) == "Dictionary")
    #expect(PublisherDeclarations.name(of: Set<Int>.Index.self) == "Set.Index")
  }

  /// Each file with public operators or publishers has tests of the same name; `A+B.swift` has `A`'s, `B`'s
  /// or both, and `A.generated.swift` has `A`'s.
  @Test(arguments: [
    "Observation", "Operators", "Publishers", "Schedulers", "Subjects", "Subscribers", "../StreamsSchedulers",
    "../StreamsCallbacks", "../StreamsExtras", "../StreamsTesting",
  ])
  func everyFileHasItsTests(_ folder: String) throws {
    let tests = Set(swiftFiles(below: Self.root.appending(path: "Tests")).map { $0.lastPathComponent })
    let missing = try swiftFiles(below: Self.sources.appending(path: folder)).filter { file in
      let text = try String(contentsOf: file, encoding: .utf8)
      guard text.contains(#/^\s*(public|package)\b/#.anchorsMatchLineEndings()) else { return false }
      let parts = file.lastPathComponent.prefix { $0 != "." }.split(separator: "+")
      return ([parts.joined()] + parts.map(String.init)).allSatisfy { !tests.contains("\($0)Tests.swift") }
    }
    #expect(missing.map(\.lastPathComponent).sorted() == [], "without a test file")
  }
}
