import Streams
import StreamsNATS
import Synchronization
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
    try wait { try place.connection.consumerInfo("w", of: place.name).acknowledged == 499 }
  }
}
