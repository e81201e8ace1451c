/// A temperature and when it was measured.
struct Reading: Sendable {
  /// "YYYY/MM/DD HH:MM"
  var time: String
  var degrees: Double

  /// "YYYY/MM/DD"
  var date: Substring { time.prefix(10) }

  init(time: String, degrees: Double) {
    self.time = time
    self.degrees = degrees
  }

  /// Reads "YYYY/MM/DD HH:MM,T".
  init?(line: String) {
    let text = Array(line.utf8)
    let pattern = Array("YYYY/MM/DD HH:MM,".utf8)
    guard text.count > pattern.count else { return nil }
    for (byte, wanted) in zip(text, pattern) {
      let isLetter = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= wanted
      guard isLetter ? byte.isDigit : byte == wanted else { return nil }
    }
    var number = text.dropFirst(pattern.count)
    if number.first == UInt8(ascii: "-") { number = number.dropFirst() }
    let parts = number.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.allSatisfy({ 1...3 ~= $0.count && $0.allSatisfy(\.isDigit) }) else { return nil }
    let written = String(decoding: text.dropFirst(pattern.count), as: UTF8.self)
    guard let degrees = Double(written) else { return nil }
    self.init(time: String(decoding: text.prefix(pattern.count - 1), as: UTF8.self), degrees: degrees)
  }

  /// This reading converted from degrees Fahrenheit to degrees Celsius.
  var inCelsius: Reading { Reading(time: time, degrees: (degrees - 32) / 1.8) }
}

extension UInt8 {
  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
