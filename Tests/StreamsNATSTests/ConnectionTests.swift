import Foundation
import Streams
import StreamsNATS
import StreamsProperty
import Testing

@Suite(.enabled(if: Server.isInstalled, "nats-server is not installed"))
struct ConnectionTests {
  @Test func hasAStateNowAndFromNowOn() throws {
    let server = try Server()
    var options = Connection.Options(servers: [server.url])
    options.name = "test"
    options.reconnectWait = .milliseconds(20)
    options.maxReconnects = 2
    options.connectTimeout = .seconds(2)
    options.pingInterval = .seconds(60)
    let connection = try Connection(options)
    try wait { connection.state == .connected }
    let states = Collector(connection.status.allValues)
    try wait { states.values.last?.state == .connected }
    #expect(connection.status.value.state == .connected)
    server.stop()
    try wait { states.values.contains { $0.state == .reconnecting } }
    try wait { states.values.last?.state == .closed && states.completion == .finished }
    #expect(connection.state == .closed)
    let error = #expect(throws: NATSError.self) { try connection.publish("a", to: "a") }
    #expect(error?.code == .connectionClosed)
  }

  @Test func saysWhyItIsRefused() throws {
    let server = try Server("--user u --pass p")
    var options = Connection.Options(servers: [server.url])
    options.user = "u"
    options.password = "wrong"
    let error = #expect(throws: NATSError.self) { try Connection(options) }
    #expect(error?.message.contains("Authorization") == true, "\(String(describing: error))")
    options.password = "p"
    try Connection(options).close()
  }

  @Test func connectsWithAToken() throws {
    let server = try Server("--auth secret")
    #expect(throws: NATSError.self) { try Connection(servers: server.url) }
    var options = Connection.Options(servers: [server.url])
    options.token = "secret"
    try Connection(options).flush()
  }

  @Test func connectsWithAnNkey() throws {
    let folder = NSTemporaryDirectory() + "streams-nats-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let nkey = "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4"
    try "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY"
      .write(toFile: folder + "/seed", atomically: true, encoding: .utf8)
    try "authorization { users = [ { nkey: \(nkey) } ] }"
      .write(toFile: folder + "/server.conf", atomically: true, encoding: .utf8)
    let server = try Server("-c '\(folder)/server.conf'")
    var options = Connection.Options(servers: [server.url])
    #expect(throws: NATSError.self) { try Connection(options) }
    options.nkey = nkey
    options.nkeySeedFile = folder + "/seed"
    try Connection(options).flush()
  }

  @Test func namesWhatIsWrongWithItsOptions() throws {
    func message(_ change: (inout Connection.Options) -> Void) -> String {
      var options = Connection.Options(servers: ["nats://127.0.0.1:1"])
      change(&options)
      return #expect(throws: NATSError.self) { try Connection(options) }?.message ?? ""
    }
    #expect(message { $0.name = "a\0" } == "name has a NUL character")
    #expect(message { $0.tlsCAFile = "/nowhere" }.contains("/nowhere"))
    let certificate = message {
      $0.tlsCertificateFile = "/nowhere"
      $0.tlsKeyFile = "/no"
    }
    #expect(certificate.contains("/nowhere"))
  }

  @Test func livesAsLongAsItsStreams() throws {
    let place = try Place()
    weak var connection: Connection?
    let reader: Collector<Message, NATSError>
    do {
      let own = try Connection(servers: shared.get().url)
      connection = own
      reader = Collector(own.consume(place.name))
    }
    try place.publish(0..<2)
    try wait { reader.values.count == 2 }
    #expect(connection?.state == .connected)
    reader.cancel()
    try wait { connection == nil }
  }

  @Test func closesOnce() throws {
    let connection = try Connection(servers: shared.get().url)
    try connection.flush(timeout: .seconds(10))
    #expect(connection.dropped == 0)
    try connection.close()
    try connection.close()
    #expect(throws: NATSError.self) { try connection.flush() }
  }

  @Test func managesStreamsAndConsumers() throws {
    var options = StreamOptions("", retention: .interest)
    options.description = "test"
    options.maxMessages = 100
    options.maxBytes = 100_000
    options.maxMessagesPerSubject = 50
    options.maxMessageSize = 1000
    options.maxAge = .seconds(3600)
    options.duplicates = .seconds(60)
    options.replicas = 1
    options.isInMemory = true
    options.discardsNew = true
    let place = try Place(options)
    var consumer = Consumer(place.name, durable: "w", filter: place.subject())
    consumer.maxDeliver = 3
    consumer.maxAcknowledgePending = 10
    consumer.inactive = .seconds(60)
    try place.connection.createConsumer(consumer)
    try place.publish(0..<5)
    let info = try place.connection.streamInfo(place.name)
    #expect(info.messages == 5 && info.firstSequence == 1 && info.lastSequence == 5)
    #expect(info.consumers == 1 && info.subjects == 1 && info.bytes > 0)
    #expect(try place.connection.consumerInfo("w", of: place.name).pending == 5)
    try place.connection.purgeStream(place.name)
    #expect(try place.connection.streamInfo(place.name).messages == 0)
    try place.connection.deleteConsumer("w", of: place.name)
    try place.connection.deleteStream(place.name)
    let gone = #expect(throws: NATSError.self) { try place.connection.streamInfo(place.name) }
    #expect(gone?.code == .streamNotFound)
    #expect(throws: NATSError.self) { try place.connection.createStream(StreamOptions("a.b")) }
    _ = try Place(StreamOptions("", retention: .work))
  }
}
