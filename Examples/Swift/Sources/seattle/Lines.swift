@preconcurrency import Glibc
import Streams

/// An error of the input.
struct ReadError: Error {
  let message: String

  init(_ path: String?) {
    message = "cannot read \(path ?? "standard input"): \(String(cString: strerror(errno)))"
  }
}

/// The lines of a file, or of standard input: it reads a line only when there is demand for one.
struct Lines: Publisher {
  typealias Output = String
  typealias Failure = ReadError

  /// The file; nil is standard input.
  let path: String?

  func receive<S: Subscriber>(subscriber: S) where S.Input == String, S.Failure == ReadError {
    guard let file = path.map({ fopen($0, "r") }) ?? stdin else {
      return Fail(error: ReadError(path)).receive(subscriber: subscriber)
    }
    subscriber.receive(subscription: Reading(file, path, subscriber))
  }

  /// One reader. The running loop serves demand that arrives while it reads.
  private final class Reading<S: Subscriber>: Subscription where S.Input == String, S.Failure == ReadError {
    private var file: UnsafeMutablePointer<FILE>?
    private let path: String?
    private var subscriber: S?
    private var demand = Subscribers.Demand.none
    private var isReading = false

    init(_ file: UnsafeMutablePointer<FILE>, _ path: String?, _ subscriber: S) {
      self.file = file
      self.path = path
      self.subscriber = subscriber
    }

    func request(_ more: Subscribers.Demand) {
      demand += more
      guard !isReading else { return }
      isReading = true
      while demand > 0, let subscriber {
        if let line = readLine() {
          demand -= 1
          demand += subscriber.receive(line)
        } else {
          let failed = ferror(file) != 0
          let error = ReadError(path)
          cancel()
          subscriber.receive(completion: failed ? .failure(error) : .finished)
        }
      }
      isReading = false
    }

    func cancel() {
      if let file, path != nil { fclose(file) }
      file = nil
      subscriber = nil
    }

    /// The next line without its end; nil after the last one.
    private func readLine() -> String? {
      guard let file else { return nil }
      var line: UnsafeMutablePointer<CChar>?
      var capacity = 0
      defer { free(line) }
      let length = getline(&line, &capacity, file)
      guard length >= 0, let line else { return nil }
      var bytes = UnsafeRawBufferPointer(start: line, count: length)[...]
      if bytes.last == UInt8(ascii: "\n") { bytes = bytes.dropLast() }
      if bytes.last == UInt8(ascii: "\r") { bytes = bytes.dropLast() }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}
