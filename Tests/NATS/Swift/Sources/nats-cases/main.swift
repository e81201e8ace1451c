// Runs the cases of Tests/NATS/cases.json, as Tests/NATS/test_cases.c does: nats-cases SERVER FILE. Prints a line for each: "ok",
// or what is wrong.

import FoundationEssentials
import Streams
import StreamsNATS

struct Case: Decodable {
  struct Given: Decodable {
    let servers, nkey, tlsCertificateFile: String?
    let subject, payload, id, queue, name, stream, durable, filter, bucket, key: String?
    let headers: [[String]]?
    let subjects: [String]?
    let limit, history: Int?
    let timeout: Int64?
  }

  struct Arrival: Decodable, Equatable {
    let payload: String
    let headers: [[String]]?
  }

  let call: String
  let given: Given
  let refused: [String]?
  let arrives, orArrives: Arrival?
}

struct UnknownCall: Error {}

extension Case.Given {
  /// In Swift every message has a payload, which may be empty.
  var message: OutgoingMessage {
    var message = OutgoingMessage(payload ?? "", id: id)
    message.headers = (headers ?? []).map { Header(name: $0[0], value: $0[1]) }
    return message
  }
}

/// A publisher that cannot be made has failed when its subscriber comes.
func check(_ publisher: some Publisher<some Any, NATSError>) throws {
  var failure: NATSError?
  publisher.sink {
    if case .failure(let error) = $0 { failure = error }
  } receiveValue: { _ in
  }.cancel()
  if let failure { throw failure }
}

func connect(_ given: Case.Given) throws {
  var options = Connection.Options(servers: given.servers.map { [$0] } ?? [])
  options.nkey = given.nkey
  options.tlsCertificateFile = given.tlsCertificateFile
  try Connection(options).close()
}

func call(_ name: String, _ given: Case.Given, by connection: Connection) throws {
  let subject = given.subject ?? ""
  let stream = given.name ?? given.stream ?? ""
  let bucket = connection.bucket(given.name ?? given.bucket ?? "")
  let key = bucket.key(given.key ?? "")
  switch name {
  case "connect": try connect(given)
  case "publish": try connection.publish(given.message, to: subject)
  case "publish_confirmed": try check(connection.store(given.message, in: subject))
  case "request":
    try check(connection.request(given.message, to: subject, timeout: .nanoseconds(given.timeout ?? 0)))
  case "subject": try check(connection.subject(subject, queue: given.queue, limit: given.limit ?? 0))
  case "stream_create": try connection.createStream(StreamOptions(stream, subjects: given.subjects ?? []))
  case "stream_info": _ = try connection.streamInfo(stream)
  case "consume": try check(connection.consume(stream, durable: given.durable, filter: given.filter))
  case "bucket_create": try bucket.create(Bucket.Options(history: given.history))
  case "key_get": _ = try key.get()
  case "watch": try check(bucket.watch(given.key))
  case "key_values": try check(key.values)
  case "key_history": try check(key.history)
  default: throw UnknownCall()
  }
}

/// What is wrong with a case, or "ok".
func outcome(of each: Case, by connection: Connection) async throws -> String {
  if let expected = each.refused {
    do {
      try call(each.call, each.given, by: connection)
      return "is not refused"
    } catch let error as NATSError {
      // Swift has no other word for arguments that are wrong.
      let found = [error.code == .refused ? "INVALID_ARGUMENT" : "\(error.code)", error.message]
      return found == expected ? "ok" : "is \(found)"
    }
  }
  var messages = connection.subject(each.given.subject ?? "", limit: 1, whenFull: .fail).values
    .makeAsyncIterator()
  try connection.flush()
  try call(each.call, each.given, by: connection)
  guard let message = try await messages.next() else { return "nothing arrives" }
  let headers = try? message.headers.map { [$0.name, $0.value] }
  let found = Case.Arrival(payload: message.text, headers: headers)
  return found == each.arrives || found == each.orArrives ? "ok" : "is \(found)"
}

let decoder = JSONDecoder()
decoder.keyDecodingStrategy = .convertFromSnakeCase
let text = try Data(contentsOf: URL(filePath: CommandLine.arguments[2]))
let connection = try Connection(servers: CommandLine.arguments[1])
for each in try decoder.decode([Case].self, from: text) {
  do { print(try await outcome(of: each, by: connection)) } catch { print("fails with \(error)") }
}
