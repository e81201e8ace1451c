import Plan

#if STREAMS
  import Streams
#else
  import OpenCombine
#endif

extension Builder {
  func list<Value: Element>(_ values: [Value]) -> List { List(items: values.map(\.number)) }

  func truth(_ value: Bool) -> Int { value ? 1 : 0 }

  func nextFault(_ fault: Fault) -> Fault {
    trace.add("    mapError of \(fault)")
    return Fault(number: fault.number + 1)
  }

  func buffer<Upstream: Publisher>(
    _ upstream: Upstream, _ size: Int, keepFull: Bool,
    _ strategy: Publishers.BufferingStrategy<Upstream.Failure>
  ) -> Publishers.Buffer<Upstream> {
    upstream.buffer(size: size, prefetch: keepFull ? .keepFull : .byRequest, whenFull: strategy)
  }

  func strategy(_ number: Int) -> Publishers.BufferingStrategy<Fault> {
    switch number {
    case 0: .dropOldest
    case 1: .dropNewest
    default:
      .customError {
        trace.add("    buffer is full")
        return Fault(number: 99)
      }
    }
  }

  var clock: Clock { world.clock }

  func timeout<Upstream: Publisher>(
    _ upstream: Upstream, _ ticks: Int, fails: Bool
  ) -> Publishers.Timeout<Upstream, Clock> where Upstream.Failure == Fault {
    guard fails else { return upstream.timeout(Span(ticks: ticks), scheduler: clock) }
    return upstream.timeout(Span(ticks: ticks), scheduler: clock, options: 6) {
      trace.add("    timeout")
      return Fault(number: 88)
    }
  }

  func handleEvents<Upstream: Publisher>(_ upstream: Upstream) -> Publishers.HandleEvents<Upstream> {
    upstream.handleEvents(
      receiveSubscription: { _ in trace.add("    handle subscription") },
      receiveOutput: { trace.add("    handle \($0)") },
      receiveCompletion: { trace.add("    handle \(say($0))") },
      receiveCancel: { trace.add("    handle cancel") },
      receiveRequest: { trace.add("    handle request \(say($0))") })
  }

  func breakpoint<Upstream: Publisher>(_ upstream: Upstream) -> Publishers.Breakpoint<Upstream> {
    upstream.breakpoint(
      receiveSubscription: { _ in
        trace.add("    breakpoint at subscription")
        return false
      },
      receiveOutput: {
        trace.add("    breakpoint at \($0)")
        return false
      },
      receiveCompletion: {
        trace.add("    breakpoint at \(say($0))")
        return false
      })
  }
}

/// What `print` prints to: for each line of text an empty string, the line and its end.
final class Output: TextOutputStream {
  private let trace: Trace
  private var line: [String] = []

  init(trace: Trace) { self.trace = trace }

  func write(_ string: String) {
    line.append(string)
    guard string == "\n" else { return }
    // OpenCombine has a line for a value that is answered with no demand, Combine and Streams have none.
    if !line.contains(where: { $0.hasSuffix("request max: (0) (synchronous)") }) { line.forEach(add) }
    line = []
  }

  private func add(_ string: String) {
    let words = string.split(separator: "(")
    // A subscription that does not describe itself is printed with its module's name.
    if words.count > 1, words[1].hasPrefix("Streams.") || words[1].hasPrefix("OpenCombine.") {
      trace.add("    written: \(words[0])...")
    } else {
      trace.add("    written: \(string.debugDescription)")
    }
  }
}

/// Codes values as arrays of one number; fails for some numbers.
struct Coder: TopLevelEncoder, TopLevelDecoder {
  let trace: Trace

  func encode<Value: Encodable>(_ value: Value) throws -> [Int] {
    trace.add("    encode \(value)")
    let number = (value as! any Element).number
    if number % 7 == 6 { throw Fault(number: number) }
    return [number]
  }

  func decode<Value: Decodable>(_ type: Value.Type, from input: [Int]) throws -> Value {
    trace.add("    decode \(input)")
    if input[0] % 7 == 6 { throw Fault(number: input[0]) }
    return (type as! any Element.Type).init(number: input[0]) as! Value
  }
}
