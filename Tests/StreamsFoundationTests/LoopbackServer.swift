import Foundation
import Glibc
import Synchronization

/// A web server on this machine that answers every connection with the same text.
final class LoopbackServer: Sendable {
  struct Failure: Error {}

  let url: URL
  private let listener: Int32
  private let count = Atomic(0)

  /// How many connections there were.
  var connectionCount: Int { count.load(ordering: .relaxed) }

  init(response: String) throws {
    let (listener, port) = try Self.bind()
    guard listen(listener, 8) == 0 else { throw Failure() }
    self.listener = listener
    url = URL(string: "http://127.0.0.1:\(port)/")!
    Thread.detachNewThread { [weak self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else {
          // Closed here, not where it is shut down: the number must not be another socket's while this thread
          // uses it.
          close(listener)
          return
        }
        self?.count.add(1, ordering: .relaxed)
        Self.answer(connection, with: response)
      }
    }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  /// An address where nobody listens.
  static func unusedURL() throws -> URL {
    let (listener, port) = try bind()
    close(listener)
    return URL(string: "http://127.0.0.1:\(port)/")!
  }

  private static func answer(_ connection: Int32, with response: String) {
    var request = [UInt8]()
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !String(decoding: request, as: UTF8.self).contains("\r\n\r\n") {
      let received = recv(connection, &buffer, buffer.count, 0)
      guard received > 0 else { break }
      request += buffer.prefix(received)
    }
    let bytes = Array(response.utf8)
    _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    close(connection)
  }

  private static func bind() throws -> (listener: Int32, port: UInt16) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        Glibc.bind(listener, address, length) | getsockname(listener, address, &length)
      }
    }
    guard listener >= 0, status == 0 else { throw Failure() }
    return (listener, UInt16(bigEndian: address.sin_port))
  }
}
