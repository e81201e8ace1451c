import Plan

#if STREAMS
  import Streams
#else
  import OpenCombine
#endif

extension Builder {
  func apply<Value: Element>(_ step: Transform, to upstream: AnyPublisher<Value, Fault>) -> Pipe {
    switch step {
    case .map(let number): upstream.map(change("map", number)).packed()
    case .tryMap(let number): upstream.tryMap(tryChange("tryMap", number)).packedErrors()
    case .mapKeyPath(1): upstream.map(\.number).packed()
    case .mapKeyPath(2): upstream.map(\.number, \.number).map { $0 &+ $1 }.packed()
    case .mapKeyPath: upstream.map(\.number, \.number, \.number).map { $0 &+ $1 &+ $2 }.packed()
    case .scan(let number): upstream.scan(Value(number: number), add("scan")).packed()
    case .tryScan(let number):
      upstream.tryScan(Value(number: number), tryAdd("tryScan", number)).packedErrors()
    case .replaceNil(let number):
      upstream.map { $0.number % 3 == 0 ? nil : $0 }.replaceNil(with: Value(number: number)).packed()
    case .collectByCount(let count): upstream.collect(count).map(list).packed()
    case .encode: upstream.encode(encoder: Coder(trace: trace)).map { List(items: $0) }.packedErrors()
    case .decode:
      upstream.map { [$0.number] }.decode(type: Value.self, decoder: Coder(trace: trace)).packedErrors()
    case .print: upstream.print("    print", to: Output(trace: trace)).packed()
    case .handleEvents: handleEvents(upstream).packed()
    case .handleNothing: upstream.handleEvents().packed()
    case .breakpoint: breakpoint(upstream).packed()
    case .breakpointOnError: upstream.breakpointOnError().packed()
    case .buffer(let size, let keepFull, let strategy):
      upstream.buffer(
        size: size, prefetch: keepFull ? .keepFull : .byRequest, whenFull: whenFull(strategy)
      ).packed()
    case .text: upstream.map { "\($0.number)" }.packed()
    case .list: upstream.map { List(number: $0.number) }.packed()
    }
  }

  func list<Value: Element>(_ values: [Value]) -> List { List(items: values.map(\.number)) }

  private func whenFull(_ strategy: BufferStrategy) -> Publishers.BufferingStrategy<Fault> {
    switch strategy {
    case .dropOldest: .dropOldest
    case .dropNewest: .dropNewest
    case .fails:
      .customError {
        trace.add("    buffer is full")
        return Fault(number: 99)
      }
    }
  }

  private func handleEvents<Value>(
    _ upstream: AnyPublisher<Value, Fault>
  ) -> Publishers.HandleEvents<AnyPublisher<Value, Fault>> {
    upstream.handleEvents(
      receiveSubscription: { _ in trace.add("    handle subscription") },
      receiveOutput: { trace.add("    handle \($0)") },
      receiveCompletion: { trace.add("    handle \(say($0))") },
      receiveCancel: { trace.add("    handle cancel") },
      receiveRequest: { trace.add("    handle request \(say($0))") })
  }

  private func breakpoint<Value>(
    _ upstream: AnyPublisher<Value, Fault>
  ) -> Publishers.Breakpoint<AnyPublisher<Value, Fault>> {
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
