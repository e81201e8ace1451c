import Foundation
import StreamsNATS
import Testing

/// A nats-server of the test's own, on a free port of the loopback, with a folder that goes with it.
final class Server: @unchecked Sendable {
  private let process = Process()
  private let life = Pipe()
  let url: String

  /// Whether there is a nats-server on this machine.
  static let isInstalled = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains
  {
    FileManager.default.isExecutableFile(atPath: "\($0)/nats-server")
  }

  init(_ arguments: String = "") throws {
    let folder = NSTemporaryDirectory() + "streams-nats-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // It goes when the pipe is closed: also if the test crashes.
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c",
      """
      nats-server -a 127.0.0.1 -p -1 --ports_file_dir '\(folder)' -js -sd '\(folder)' \(arguments) 2>'\(folder)/log' </dev/null &
      read -r word; kill -9 $!; rm -rf '\(folder)'
      """,
    ]
    process.standardInput = life
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    _ = fcntl(life.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    try process.run()
    url = try Self.url(in: folder)
  }

  deinit { stop() }

  func stop() {
    try? life.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  private static func url(in folder: String) throws -> String {
    struct Ports: Decodable { let nats: [String] }
    let end = Date.now + 60
    while Date.now < end {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".ports") {
        let url = URL(fileURLWithPath: folder + "/" + name)
        if let ports = try? JSONDecoder().decode(Ports.self, from: Data(contentsOf: url)) {
          return ports.nats[0]
        }
      }
      usleep(2000)
    }
    let log = try? String(contentsOfFile: folder + "/log", encoding: .utf8)
    throw NATSError(code: .refused, message: "nats-server has not started: \(log ?? "")")
  }
}

/// The server that tests share.
let shared = Result { try Server() }

/// A connection to the shared server, with a stream of the test's own.
struct Place {
  let connection: Connection
  let name: String

  init(_ options: StreamOptions? = nil) throws {
    connection = try Connection(servers: shared.get().url)
    name = "S" + UUID().uuidString.prefix(8)
    var options = options ?? StreamOptions(name)
    options.name = name
    options.subjects = ["\(name).>"]
    // A server that has just been started may not have JetStream yet.
    try eventually { try connection.createStream(options) }
  }

  func subject(_ last: String = "a") -> String { "\(name).\(last)" }

  func publish(_ numbers: Range<Int>, _ last: String = "a") throws {
    for number in numbers { try connection.publish("\(number)", to: subject(last)) }
    try connection.flush()
  }
}

/// Tries until it does not throw, for a minute at most.
func eventually(_ body: () throws -> Void) throws {
  let end = Date.now + 60
  while true {
    do { return try body() } catch { if Date.now > end { throw error } }
    usleep(2000)
  }
}

struct NotYet: Error {}

/// Waits until a condition holds, for a minute at most.
func wait(_ words: Comment? = nil, until condition: () throws -> Bool) throws {
  do {
    try eventually { if try !condition() { throw NotYet() } }
  } catch is NotYet {
    Issue.record(words ?? "did not come true within a minute")
  }
}

/// Waits in a task, which leaves its thread to others meanwhile, until a condition holds, for ten minutes at most: the threads
/// of tasks may be busy with other tests.
func wait(_ words: Comment? = nil, until condition: () throws -> Bool) async throws {
  let end = Date.now + 600
  while try !condition() {
    guard Date.now < end else {
      Issue.record(words ?? "did not come true within ten minutes")
      return
    }
    try await Task.sleep(for: .milliseconds(2))
  }
}
