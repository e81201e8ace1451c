import Foundation
import Streams
import StreamsNATS
import Testing

@Suite(.enabled(if: Server.isInstalled, "nats-server is not installed"))
struct ConsumeTests {
  @Test func readsAStreamInOrderAndAcknowledges() async throws {
    let place = try Place()
    try place.publish(0..<500)
    var got: [String] = []
    for try await message in place.connection.consume(place.name, durable: "w").prefix(500).values {
      got.append(message.text)
    }
    #expect(got == (0..<500).map(String.init))
    // The last one is rejected: `prefix` cancels inside it.
    try await wait { try place.connection.consumerInfo("w", of: place.name).acknowledged == 499 }
  }

  @Test func neverHasMoreOutstandingThanIsDemanded() throws {
    let place = try Place()
    try place.publish(0..<100)
    let consumer = Consumer(place.name, durable: "w", acknowledgement: .byHand)
    let reader = Collector(place.connection.consume(consumer), demand: .max(7))
    try wait { reader.values.count == 7 }
    var info = try place.connection.consumerInfo("w", of: place.name)
    #expect(info.acknowledgePending == 7 && info.pending == 93)
    reader.request(.max(3))
    try wait { reader.values.count == 10 }
    info = try place.connection.consumerInfo("w", of: place.name)
    #expect(info.acknowledgePending == 10 && info.pending == 90 && info.delivered == 10)
    #expect(reader.values.map(\.text) == (0..<10).map(String.init))
    reader.cancel()
  }

  @Test func losesNothingWhenItIsCancelledInTheMiddle() throws {
    let place = try Place()
    try place.publish(0..<300)
    var readers: [Collector<Message, NATSError>] = []
    for _ in 0..<3 {
      let reader = Collector(
        place.connection.consume(place.name, durable: "w"), demand: .max(1), onValue: { _ in .max(1) })
      readers.append(reader)
      try wait { reader.values.count >= 50 }
      reader.cancel()
    }
    let rest = Collector(place.connection.consume(place.name, durable: "w"))
    readers.append(rest)
    // A value may still be on its way to a reader that has been cancelled.
    try wait { Set(readers.flatMap(\.values).map(\.text)).count == 300 }
    try wait { try place.connection.consumerInfo("w", of: place.name).acknowledged == 300 }
    rest.cancel()
  }

  @Test func settlesByHand() throws {
    let place = try Place()
    try place.publish(0..<4)
    var consumer = Consumer(place.name, durable: "w", acknowledgement: .byHand)
    consumer.acknowledgeWait = .seconds(30)
    let reader = Collector(place.connection.consume(consumer))
    try wait { reader.values.count == 4 }
    let got = reader.values
    try got[0].acknowledge()
    try got[1].terminate()
    try got[2].inProgress()
    try got[2].acknowledge()
    try got[3].reject(after: .milliseconds(50))
    let twice = #expect(throws: NATSError.self) { try got[0].acknowledge() }
    #expect(twice?.code == .refused && twice?.message.contains("settled") == true)
    try wait { reader.values.count == 5 }
    let again = try #require(reader.values.last)
    #expect(again.text == "3" && again.delivery?.deliveries == 2)
    try again.acknowledge()
    try wait { try place.connection.consumerInfo("w", of: place.name).acknowledged == 4 }
    reader.cancel()
  }

  @Test func acknowledgesNothingIfNobodyIsTo() throws {
    let place = try Place()
    try place.publish(0..<3)
    let reader = Collector(place.connection.consume(place.name, acknowledgement: .none))
    try wait { reader.values.count == 3 }
    #expect(throws: NATSError.self) { try reader.values[0].acknowledge() }
    reader.cancel()
  }

  @Test func beginsWhereItIsTold() throws {
    let place = try Place()
    try place.publish(0..<3)
    let before = Date.now
    // Not in the first tenth of a second, whose beginning it would be.
    try wait {
      let now = Date.now.timeIntervalSince1970
      return now > before.timeIntervalSince1970 + 0.01 && now - now.rounded(.down) > 0.11
    }
    let time = Date.now
    try place.publish(3..<5, "b")
    func texts(_ start: Consumer.Start, _ count: Int, filter: String? = nil) throws -> [String] {
      let reader = Collector(place.connection.consume(place.name, filter: filter, start: start))
      try wait { reader.values.count >= count || reader.completion != nil }
      #expect(reader.failure == nil)
      reader.cancel()
      return reader.values.map(\.text)
    }
    #expect(try texts(.all, 5) == ["0", "1", "2", "3", "4"])
    #expect(try texts(.last, 1) == ["4"])
    #expect(try texts(.sequence(2), 4) == ["1", "2", "3", "4"])
    #expect(try texts(.time(time), 2) == ["3", "4"])
    #expect(try texts(.lastPerSubject, 2, filter: "\(place.name).>") == ["2", "4"])
    #expect(try texts(.all, 2, filter: place.subject("b")) == ["3", "4"])
    let new = Collector(place.connection.consume(Consumer(place.name, durable: "n", start: .new)))
    try wait { (try? place.connection.consumerInfo("n", of: place.name).waiting) == 1 }
    try place.publish(5..<6)
    try wait { new.values.map(\.text) == ["5"] }
    new.cancel()
  }

  /// nats.c 3.4.1 writes .05 s as .5 s.
  @Test func beginsInTheFirstTenthOfASecond() throws {
    let place = try Place()
    let all = Collector(place.connection.consume(place.name))
    func isEarly(_ message: Message) -> Bool {
      guard let time = message.delivery?.time.timeIntervalSince1970 else { return false }
      return (0.001..<0.09).contains(time - time.rounded(.down))
    }
    try wait {
      try place.publish(0..<1)
      return all.values.contains(where: isEarly)
    }
    let first = try #require(all.values.first(where: isEarly)?.delivery)
    let reader = Collector(place.connection.consume(place.name, start: .time(first.time)))
    try wait {
      try place.publish(0..<1)
      return !reader.values.isEmpty
    }
    #expect(try #require(reader.values.first?.delivery).sequence <= first.sequence)
    reader.cancel()
    all.cancel()
  }

  @Test func failsWithWhatIsWrong() throws {
    let place = try Place()
    let missing = Collector(place.connection.consume("MISSING"))
    try wait { missing.failure?.code == .streamNotFound }
    let bad = Collector(place.connection.consume("a b"))
    #expect(bad.failure?.message.contains("\"a b\" is not a valid name of a stream") == true)
    let nul = Collector(place.connection.consume("a\0b"))
    #expect(nul.failure?.message == "stream has a NUL character")
    var consumer = Consumer(place.name)
    consumer.window = -1
    let window = Collector(place.connection.consume(consumer))
    #expect(window.failure?.message == "window is -1, but has to be at least 1")
  }

  @Test func failsWhenItsConsumerOrItsConnectionGoes() throws {
    let place = try Place()
    let reader = Collector(place.connection.consume(place.name, durable: "w"))
    try wait { (try? place.connection.consumerInfo("w", of: place.name).waiting) == 1 }
    try place.connection.deleteConsumer("w", of: place.name)
    try wait { reader.failure?.code == .consumerNotFound }
    let other = Collector(place.connection.consume(place.name))
    try place.connection.close()
    try wait { other.failure?.code == .connectionClosed }
  }
}
