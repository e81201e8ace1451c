import Foundation
import Streams
import StreamsNATS
import Testing

@Suite(.enabled(if: Server.isInstalled, "nats-server is not installed"))
struct MessageTests {
  struct Order: Codable, Equatable {
    var id: Int
    var name: String
  }

  @Test func carriesItsParts() throws {
    let place = try Place()
    let order = Order(id: 7, name: "ångström")
    let message = try OutgoingMessage(json: order, headers: ["A": "1", "A": "2", "B": "ü"], id: "x")
    try place.connection.publish(message, to: place.subject())
    try place.connection.publish(Data([0, 255]), to: place.subject("b"))
    try place.connection.publish([UInt8](), to: place.subject("c"))
    try place.connection.publish("text".prefix(2), to: place.subject("d"))
    let reader = Collector(place.connection.consume(place.name))
    try wait { reader.values.count == 4 }
    reader.cancel()
    let got = reader.values
    #expect(try got[0].decode(Order.self) == order)
    #expect(got[0].subject == place.subject() && got[0].replySubject != nil)
    #expect(got[0][header: "A"] == "1" && got[0][header: "C"] == nil)
    let headers = try got[0].headers.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
    #expect(headers.map(\.name) == ["A", "A", "B", "Nats-Msg-Id"])
    #expect(headers.map(\.value) == ["1", "2", "ü", "x"])
    #expect(got[1].data == Data([0, 255]) && got[2].data.isEmpty)
    #expect(got[2].text == "" && got[3].text == "te")
    #expect(got[1].withUnsafeBytes { Array($0) } == [0, 255])
    let delivery = try #require(got[1].delivery)
    #expect(delivery.sequence == 2 && delivery.consumerSequence == 2)
    #expect(delivery.deliveries == 1 && delivery.pending == 2)
    #expect(abs(delivery.time.timeIntervalSinceNow) < 600)
    #expect("\(got[3])" == "\(place.subject("d")): te")
    #expect(throws: (any Error).self) { try got[3].decode(Order.self) }
  }

  @Test func dataOutlivesTheMessage() throws {
    let place = try Place()
    let long = String(repeating: "0123456789", count: 1000)
    try place.connection.publish(long, to: place.subject())
    var data = Data()
    do {
      let reader = Collector(place.connection.consume(place.name))
      try wait { reader.values.count == 1 }
      data = reader.values[0].data
      reader.cancel()
    }
    try place.connection.close()
    #expect(data == Data(long.utf8))
  }

  @Test func canBePublishedAgainWithItsHeaders() throws {
    let place = try Place()
    try place.connection.publish(OutgoingMessage("a", headers: ["H": "1"]), to: place.subject())
    let copies = Collector(place.connection.subject(place.subject("copy")))
    try place.connection.flush()
    let reader = Collector(place.connection.consume(place.name, filter: place.subject()))
    try wait { reader.values.count == 1 }
    #expect(reader.values[0].delivery != nil)
    try place.connection.publish(reader.values[0], to: place.subject("copy"))
    try wait { copies.values.count == 1 }
    #expect(copies.values[0].text == "a" && copies.values[0][header: "H"] == "1")
    #expect(copies.values[0].delivery == nil)
    reader.cancel()
    copies.cancel()
  }

  @Test func refusesWhatNoServerTakes() throws {
    let place = try Place()
    func error(_ payload: some Payload, to subject: String) -> NATSError? {
      #expect(throws: NATSError.self) { try place.connection.publish(payload, to: subject) }
    }
    #expect(error("a", to: "a b")?.code == .refused)
    #expect(error("a", to: "")?.code == .refused)
    #expect(error("a", to: "a\0b")?.message == "subject has a NUL character")
    #expect(error(OutgoingMessage("a", headers: ["a b": ""]), to: "a")?.code == .refused)
    let large = error([UInt8](repeating: 0, count: 2_000_000), to: "a")
    #expect(large?.code == .tooLarge && large?.message.contains("2000000 bytes") == true)
  }
}
