@preconcurrency import Glibc
import Streams

/// A number as `printf` writes it.
func format(_ format: String, _ number: Double) -> String {
  var buffer = [CChar](repeating: 0, count: 400)
  withVaList([number]) { _ = vsnprintf(&buffer, buffer.count, format, $0) }
  return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}

func writeError(_ text: String) { fputs("seattle: \(text)\n", stderr) }

/// The subscriber: requests a day at a time, prints a line a day, and forwards the readings.
final class Report: Subscriber {
  typealias Input = Reading
  typealias Failure = ReadError

  private static let day = 24

  private(set) var requested = 0
  private(set) var delivered = 0
  private(set) var hasFailed = false
  private let readings: any Subject<Reading, Never>
  private var date: Substring = ""
  private var temperatures: [Double] = []

  init(passingOnTo readings: any Subject<Reading, Never>) { self.readings = readings }

  func receive(subscription: any Subscription) {
    requested = Self.day
    subscription.request(.max(Self.day))
  }

  func receive(_ reading: Reading) -> Subscribers.Demand {
    if reading.date != date { printDay() }
    date = reading.date
    temperatures.append(reading.degrees)
    delivered += 1
    readings.send(reading)

    guard delivered == requested else { return .none }
    requested += Self.day
    return .max(Self.day)
  }

  func receive(completion: Subscribers.Completion<ReadError>) {
    if case .failure(let error) = completion {
      writeError(error.message)
      hasFailed = true
    }
    printDay()
    readings.send(completion: .finished)
  }

  private func printDay() {
    guard let min = temperatures.min(), let max = temperatures.max() else { return }
    let mean = temperatures.reduce(0, +) / Double(temperatures.count)
    print(date, format("%6.1f", min), format("%6.1f", mean), format("%6.1f", max), separator: "  ")
    temperatures = []
  }
}
