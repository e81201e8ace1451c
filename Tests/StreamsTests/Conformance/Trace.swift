import Streams

/// What happens in a step of a case.
final class Trace {
  private var events: [JSONValue] = []

  func add(_ event: JSONValue) { events.append(event) }

  /// The events since the last call.
  func take() -> [JSONValue] {
    defer { events = [] }
    return events
  }
}

/// The stream that `print` writes to: makes an event of each line.
struct Lines: TextOutputStream {
  private let trace: Trace
  private var line = ""

  init(_ trace: Trace) { self.trace = trace }

  /// A whole line, without its end, of a tracker's. In which call of an end objects go away is each language's own affair.
  func writeLine(_ line: String) {
    let isEnd = [" released", " on_completion", " cancel"].contains { line.contains($0) }
    if !isEnd { trace.add(["print", .string(line)]) }
  }

  mutating func write(_ text: String) {
    for character in text {
      if character == "\n" {
        trace.add(["print", .string(Self.comparable(line))])
        line = ""
      } else {
        line.append(character)
      }
    }
  }

  /// Without what is described differently in each language.
  private static func comparable(_ line: String) -> String {
    for phrase in ["receive subscription", "receive error"] {
      if let range = line.firstRange(of: phrase) { return String(line[..<range.upperBound]) }
    }
    return line
  }
}

extension JSONValue {
  var demand: Subscribers.Demand { self == "unlimited" ? .unlimited : .max(int) }
  var prefetch: Subscribers.Demand? { self == "as_demanded" ? nil : demand }
}

extension Subscribers.Demand {
  var json: JSONValue { max.map(JSONValue.int) ?? "unlimited" }
}

extension Subscribers.Completion<CaseFailure> {
  /// The event without who saw it.
  var event: JSONValue {
    switch self {
    case .finished: ["finished"]
    case .failure(let failure): ["failed", .string(failure.message)]
    }
  }
}
