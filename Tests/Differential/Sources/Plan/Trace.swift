/// What happened, in order.
public final class Trace {
  public private(set) var lines: [String] = []
  /// Called with each line, for runs that may not come to their end.
  public var onLine: (String) -> Void = { _ in }

  private var isClosed = false

  /// More than this is not written down: some pipelines go on for ever.
  public static let limit = 600

  public init() {}

  public var isFull: Bool { isClosed || lines.count >= Self.limit }

  /// What happens now is not written down any more.
  public func close() { isClosed = true }

  public func add(_ line: @autoclosure () -> String) {
    guard !isFull else { return }
    let line = line()
    lines.append(line)
    onLine(line)
  }
}
