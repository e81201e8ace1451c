import Streams

/// Encodes what describes itself as a number into that number, and decodes it; fails for all else.
struct TestCoder: TopLevelEncoder, TopLevelDecoder {
  func encode<T: Encodable>(_ value: T) throws -> Int {
    guard let number = Int("\(value)") else { throw TestFailure() }
    return number
  }

  func decode<T: Decodable>(_ type: T.Type, from input: Int) throws -> T {
    guard let text = "\(input)" as? T, input >= 0 else { throw TestFailure() }
    return text
  }
}
