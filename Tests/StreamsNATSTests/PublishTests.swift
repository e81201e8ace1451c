import Streams
import StreamsNATS
import Synchronization
import Testing

@Suite(.enabled(if: Server.isInstalled, "nats-server is not installed"))
struct PublishTests {
  struct Broken: Error, Equatable {}

  private func texts(_ place: Place, _ count: Int, filter: String? = nil) throws -> [String] {
    let reader = Collector(place.connection.consume(place.name, filter: filter))
    try wait { reader.values.count >= count }
    reader.cancel()
    return reader.values.map(\.text)
  }

  @Test func storesAllValuesInOrder() throws {
    let place = try Place()
    let confirmed = Mutex<[PublishOptions.Confirmation]>([])
    var options = PublishOptions(window: 10) { each in confirmed.withLock { $0.append(each) } }
    options.confirmWait = .seconds(5)
    options.retries = 3
    let result = Collector(
      (0..<200).publisher.map(String.init)
        .publish(to: place.connection, subject: place.subject(), options: options))
    try wait { result.completion != nil }
    #expect(result.values == [200] && result.failure == nil)
    #expect(try texts(place, 200) == (0..<200).map(String.init))
    let got = confirmed.withLock { $0 }
    #expect(got.map(\.index) == Array(0..<200) && got.map(\.sequence) == Array(1...200))
    #expect(!got.contains { $0.isDuplicate })
  }

  @Test func asksForNoMoreThanTheWindow() throws {
    let place = try Place()
    let requested = Mutex<Int>(0)
    let subject = PassthroughSubject<String, Never>()
    let result = Collector(
      subject.handleEvents(receiveRequest: { demand in
        requested.withLock { $0 += demand.max ?? 1_000_000 }
      })
      .publish(to: place.connection, subject: place.subject(), options: PublishOptions(window: 4)))
    #expect(requested.withLock { $0 } == 4)
    subject.send("0")
    try wait { requested.withLock { $0 } == 5 }
    subject.send(completion: .finished)
    try wait { result.values == [1] }
  }

  @Test func hasASubjectAndAnIdForEachValue() throws {
    let place = try Place()
    let numbers = (0..<6).publisher.publish(
      to: place.connection, subject: { place.subject("\($0 % 2)") },
      message: { OutgoingMessage("\($0)", headers: ["N": "\($0)"], id: "id\($0)") })
    for _ in 0..<2 {
      let result = Collector(numbers)
      try wait { result.values == [6] }
    }
    #expect(try texts(place, 3, filter: place.subject("1")) == ["1", "3", "5"])
    #expect(try place.connection.streamInfo(place.name).messages == 6)
    let more = Collector(
      (6..<8).publisher.publish(to: place.connection, subject: place.subject()) { OutgoingMessage("\($0)") })
    try wait { more.values == [2] }
  }

  @Test func saysWhichValueCannotBeStored() throws {
    let place = try Place()
    let large = [[1], [UInt8](repeating: 0, count: 2_000_000), [2]]
    let result = Collector(large.publisher.publish(to: place.connection, subject: place.subject()))
    try wait { result.completion != nil }
    guard case .value(index: 1, subject: place.subject(), let error)? = result.failure else {
      Issue.record("\(String(describing: result.failure))")
      return
    }
    #expect(error.code == .tooLarge)
    let nobody = Collector(["a"].publisher.publish(to: place.connection, subject: "nobody.here"))
    try wait { nobody.completion != nil }
    guard case .value(index: 0, subject: "nobody.here", _)? = nobody.failure else {
      Issue.record("\(String(describing: nobody.failure))")
      return
    }
  }

  @Test func passesOnWhatElseFails() throws {
    let place = try Place()
    let upstream = Collector(
      ["a"].publisher.setFailureType(to: Broken.self).append(Fail(error: Broken()))
        .publish(to: place.connection, subject: place.subject()))
    try wait { upstream.completion != nil }
    guard case .upstream(Broken())? = upstream.failure else {
      Issue.record("\(String(describing: upstream.failure))")
      return
    }
    #expect(try texts(place, 1) == ["a"])
    let throwing = Collector(
      (0..<3).publisher.publish(to: place.connection, subject: place.subject()) { number throws in
        if number == 2 { throw Broken() }
        return OutgoingMessage("\(number)")
      })
    try wait { throwing.completion != nil }
    guard case .message(index: 2, is Broken)? = throwing.failure else {
      Issue.record("\(String(describing: throwing.failure))")
      return
    }
    let window = Collector(
      ["a"].publisher.publish(to: place.connection, subject: "a", options: PublishOptions(window: 0)))
    #expect(window.failure?.description == "window is 0, but has to be at least 1")
    try place.connection.close()
    let closed = Collector(["a"].publisher.publish(to: place.connection, subject: place.subject()))
    try wait { closed.completion != nil }
    guard case .connection(let error)? = closed.failure, error.code == .connectionClosed else {
      Issue.record("\(String(describing: closed.failure))")
      return
    }
  }

  @Test func storesOneValue() async throws {
    let place = try Place()
    #expect(try await place.connection.store("a", in: place.subject()).value == 1)
    #expect(try await place.connection.store("b", in: place.subject()).value == 2)
    let bad = Collector(place.connection.store("a", in: "a b"))
    #expect(bad.failure?.code == .refused)
  }
}
