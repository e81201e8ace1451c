import Streams
import StreamsExtras
import StreamsNATS
import Synchronization
import Testing

@Suite(.enabled(if: Server.isInstalled, "nats-server is not installed"))
struct SubjectTests {
  private func connection() throws -> Connection { try Connection(servers: shared.get().url) }

  @Test func sendsAndReceives() throws {
    let connection = try connection()
    let reader = Collector(connection.subject("core.*"))
    try connection.flush()
    let subject = connection.subject("core.a")
    #expect(subject.name == "core.a")
    for number in 0..<10 { try subject.send("\(number)") }
    try wait { reader.values.count == 10 }
    #expect(reader.values.map(\.text) == (0..<10).map(String.init) && reader.values[0].subject == "core.a")
    #expect(reader.values[0].replySubject == nil)
    reader.cancel()
    try connection.close()
  }

  @Test func sharesAmongAQueueGroup() throws {
    let connection = try connection()
    let readers = (0..<2).map { _ in Collector(connection.subject("shared", queue: "group")) }
    try connection.flush()
    for number in 0..<50 { try connection.publish("\(number)", to: "shared") }
    try wait { readers.reduce(0) { $0 + $1.values.count } == 50 }
    #expect(Set(readers.flatMap { $0.values.map(\.text) }).count == 50)
    for reader in readers { reader.cancel() }
  }

  @Test func keepsUpToALimit() throws {
    let connection = try connection()
    func texts(_ whenFull: CoreSubject.WhenFull) throws -> [String] {
      let name = "full.\(whenFull)"
      let drops = Mutex(0)
      let subject = connection.subject(name, limit: 3, whenFull: whenFull).tracked { line in
        if let number = line.split(separator: "drops values: ").last.flatMap({ Int($0) }) {
          drops.withLock { $0 += number }
        }
      }
      let slow = Collector(subject, demand: .none)
      try connection.flush()
      for number in 0..<10 { try connection.publish("\(number)", to: name) }
      try wait { drops.withLock { $0 } == 7 }
      slow.request(.unlimited)
      try wait { slow.values.count == 3 }
      slow.cancel()
      return slow.values.map(\.text)
    }
    #expect(try texts(.dropNewest) == ["0", "1", "2"])
    #expect(try texts(.dropOldest) == ["7", "8", "9"])
  }

  @Test func failsForLackOfRoomIfItIsTo() throws {
    let connection = try connection()
    let slow = Collector(connection.subject("full", limit: 3, whenFull: .fail), demand: .none)
    try connection.flush()
    for number in 0..<10 { try connection.publish("\(number)", to: "full") }
    try connection.flush()
    slow.request(.max(1))
    try wait {
      slow.request(.max(1))
      return slow.failure?.code == .noRoom
    }
    #expect(slow.values.map(\.text) == (0..<slow.values.count).map(String.init))
  }

  @Test func failsForABadName() throws {
    let connection = try connection()
    let bad = Collector(connection.subject("a b"))
    #expect(bad.failure?.message == "\"a b\" is not a valid subject")
    #expect(Collector(connection.subject("a", limit: 0)).failure?.code == .refused)
    #expect(throws: NATSError.self) { try connection.subject("a.*").send("x") }
  }

  @Test func answersRequests() async throws {
    let connection = try connection()
    let responder = connection.subject("time", queue: "clocks").sink { _ in
    } receiveValue: { request in
      try? request.reply(with: "\(request.text)!")
    }
    try connection.flush()
    #expect(try await connection.request("now", to: "time").value.text == "now!")
    responder.cancel()
    let nobody = await #expect(throws: NATSError.self) {
      try await connection.request("now", to: "nobody").value
    }
    #expect(nobody?.code == .noResponders)
    let silent = Collector(connection.subject("silent"))
    try connection.flush()
    let late = await #expect(throws: NATSError.self) {
      try await connection.request("now", to: "silent", timeout: .milliseconds(50)).value
    }
    #expect(late?.code == .timedOut)
    #expect(silent.values.count == 1)
    silent.cancel()
    let bad = await #expect(throws: NATSError.self) { try await connection.request("a", to: "a b").value }
    #expect(bad?.code == .refused)
  }

  @Test func cancelsARequestWithItsTask() async throws {
    let connection = try connection()
    let silent = Collector(connection.subject("unanswered"))
    try connection.flush()
    let task = Task { try await connection.request("now", to: "unanswered", timeout: .seconds(1_800)).value }
    try await wait { silent.values.count == 1 }
    task.cancel()
    let result = await task.result
    #expect(throws: CancellationError.self) { try result.get() }
    #expect(throws: NATSError.self) { try connection.subject("x").send(OutgoingMessage("a", id: "a\0")) }
    silent.cancel()
  }

  @Test func refusesAnAnswerThatNobodyWants() throws {
    let connection = try connection()
    let reader = Collector(connection.subject("plain"))
    try connection.flush()
    try connection.publish("a", to: "plain")
    try wait { reader.values.count == 1 }
    #expect(throws: NATSError.self) { try reader.values[0].reply(with: "b") }
    #expect(throws: NATSError.self) { try reader.values[0].acknowledge() }
    reader.cancel()
  }
}
