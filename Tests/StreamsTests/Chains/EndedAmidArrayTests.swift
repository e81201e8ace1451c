import StreamsTesting
import Testing

@testable import Streams

/// A callback ends a connection or a subject amid an array: nothing is delivered that single values would not have been.
@Suite struct EndedAmidArrayTests {
  private typealias Source = PassthroughSubject<Int, TestFailure>

  /// Sends 1 to 4 to a new subject. Returns what has been received.
  private func received(
    asArray: Bool, _ attach: (Source, @escaping (String) -> Void) -> [any Cancellable]
  ) -> [String] {
    let subject = Source()
    var log: [String] = []
    let cancellables = attach(subject) { log.append($0) }
    if asArray {
      [1, 2, 3, 4].withUnsafeBufferPointer(subject.send(contentsOf:))
    } else {
      (1...4).forEach(subject.send)
    }
    cancellables.forEach { $0.cancel() }
    return log
  }

  /// The subject completes before the newcomer's turn.
  @Test(arguments: [true, false]) func whoJoinsGetsNoValueAheadOfItsCompletion(asArray: Bool) {
    let log = received(asArray: asArray) { subject, note in
      let shared = subject.share()
      var joined: AnyCancellable?
      let first = shared.sink {
        note("first \($0)")
      } receiveValue: { value in
        note("first \(value)")
        if value == 2 {
          joined = shared.sink {
            note("next \($0)")
          } receiveValue: {
            note("next \($0)")
          }
        }
        if value == 3 { subject.send(completion: .finished) }
      }
      return [first, AnyCancellable { joined?.cancel() }]
    }
    #expect(log == ["first 1", "first 2", "first 3", "first finished", "next finished"])
  }

  /// The closure throws for a later value, which is not wanted any more when those before it have been delivered.
  @Test(arguments: [true, false], ["tryMap", "tryFilter", "tryCompactMap"])
  func aValueThatIsNotWantedFailsNothing(asArray: Bool, _ name: String) {
    let log = received(asArray: asArray) { subject, note in
      let shared = subject.multicast { Source() }
      let connection = shared.connect()
      let check = { (value: Int) in if value == 3 { throw TestFailure() } }
      let checked: AnyPublisher<Int, any Error>
      switch name {
      case "tryMap":
        checked = shared.tryMap { value in
          try check(value)
          return value
        }.eraseToAnyPublisher()
      case "tryFilter":
        checked = shared.tryFilter { value in
          try check(value)
          return true
        }.eraseToAnyPublisher()
      default:
        checked = shared.tryCompactMap { value in
          try check(value)
          return value
        }.eraseToAnyPublisher()
      }
      let sink = checked.sink {
        note("\($0)")
      } receiveValue: { value in
        note("\(value)")
        if value == 1 { connection.cancel() }
      }
      return [sink]
    }
    #expect(log == ["1"])
  }
}
