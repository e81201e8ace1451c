import Foundation
import Streams
import StreamsNATS
import StreamsProperty
import Synchronization
import Testing

@Suite(.enabled(if: Server.isInstalled, "nats-server is not installed"))
struct BucketTests {
  private func bucket(_ options: Bucket.Options = .init(history: 5)) throws -> (Connection, Bucket) {
    let connection = try Connection(servers: shared.get().url)
    let bucket = connection.bucket("B\(UUID().uuidString.prefix(8))")
    try eventually { try bucket.create(options) }
    return (connection, bucket)
  }

  @Test func readsAndSetsAKey() throws {
    let (_, bucket) = try bucket()
    let key = bucket.key("color")
    #expect(key.name == "color" && key.bucket.name == bucket.name)
    #expect(try key.get() == nil)
    #expect(try key.getWithRevision().revision == 0)
    let first = try key.set("red")
    #expect(try key.get() == Data("red".utf8))
    let second = try key.set("blue", at: first)
    #expect(second > first)
    let late = #expect(throws: NATSError.self) { try key.set("green", at: first) }
    #expect(late?.code == .wrongLastSequence)
    #expect(throws: NATSError.self) { try key.set("green", at: 0) }
    let (value, revision) = try key.getWithRevision()
    #expect(value == Data("blue".utf8) && revision == second)
    try key.delete()
    #expect(try key.get() == nil)
    try key.set("new", at: 0)
    try key.delete(purge: true)
    #expect(try key.get() == nil)
    #expect(throws: NATSError.self) { try bucket.key("a b").get() }
    #expect(throws: NATSError.self) { try bucket.key("a\0b").get() }
    try bucket.delete()
    #expect(throws: NATSError.self) { try key.get() }
  }

  @Test func watchesAndRemembers() throws {
    let (_, bucket) = try bucket()
    let key = bucket.key("a.b")
    try key.set("1")
    let entries = Collector(bucket.watch())
    let some = Collector(bucket.watch("a.*"))
    let one = Collector(key.entries)
    let values = Collector(key.values)
    try wait { values.values.count == 1 && entries.values.count == 1 && some.values.count == 1 }
    try key.set("2")
    try bucket.key("c").set("3")
    try key.delete()
    try wait { entries.values.count == 4 && values.values.count == 3 && one.values.count == 3 }
    #expect(entries.values.map(\.key) == ["a.b", "a.b", "c", "a.b"])
    #expect(entries.values.map(\.operation) == [.set, .set, .set, .delete])
    #expect(entries.values.map(\.text) == ["1", "2", "3", nil])
    #expect(entries.values[1].data == Data("2".utf8) && entries.values[3].data == nil)
    #expect(entries.values.map(\.revision) == [1, 2, 3, 4])
    #expect(abs(entries.values[0].time?.timeIntervalSinceNow ?? 1e9) < 600)
    #expect(entries.values.map(\.description) == ["a.b: 1", "a.b: 2", "c: 3", "a.b: deleted"])
    #expect(values.values == [Data("1".utf8), Data("2".utf8), nil])
    #expect(!some.values.contains { $0.key == "c" })
    let history = Collector(key.history)
    try wait { history.completion != nil }
    #expect(history.values.map(\.text) == ["1", "2", nil])
    try key.delete(purge: true)
    try wait { entries.values.last?.operation == .purge }
    for each in [entries, some, one] { each.cancel() }
    values.cancel()
  }

  @Test func startsWithNilWithoutAValue() throws {
    let (connection, bucket) = try bucket()
    let values = Collector(bucket.key("none").values)
    try wait { values.values.count == 1 }
    #expect(values.values == [nil])
    values.cancel()
    let missing = Collector(connection.bucket("MISSING").key("a").values)
    try wait { missing.failure != nil }
    #expect(Collector(bucket.key("a b").values).failure?.code == .refused)
  }

  @Test func bindsAKey() throws {
    let (connection, bucket) = try bucket()
    let key = bucket.key("color")
    try key.set("red")
    let errors = Mutex<[NATSError]>([])
    let color = try key.binding { error in errors.withLock { $0.append(error) } }
    #expect(color.wrappedValue == Data("red".utf8))
    let values = Collector(color.values)
    try wait { values.values.last == Data("red".utf8) }
    color.wrappedValue = Data("blue".utf8)
    #expect(try key.get() == Data("blue".utf8))
    try wait { values.values.last == Data("blue".utf8) }
    try key.set("green")
    try wait { values.values.last == Data("green".utf8) }
    #expect(color.wrappedValue == Data("green".utf8))
    color.wrappedValue = nil
    #expect(try key.get() == nil)
    try wait { values.values.last == Data?.none }
    try connection.close()
    try wait { values.completion == .finished }
    #expect(color.wrappedValue == nil)
    color.wrappedValue = Data()
    #expect(errors.withLock { $0.count } >= 2)
    #expect(throws: NATSError.self) { try key.binding() }
  }

  @Test func hasLimits() throws {
    var options = Bucket.Options()
    options.description = "test"
    options.maxAge = .seconds(3600)
    options.maxBytes = 100_000
    options.maxValueSize = 10
    options.replicas = 1
    options.isInMemory = true
    let (_, bucket) = try bucket(options)
    #expect(throws: NATSError.self) { try bucket.key("a").set("more than ten bytes") }
    #expect(throws: NATSError.self) { try bucket.create(Bucket.Options(history: 100)) }
  }
}
