import Streams
import StreamsProperty
import StreamsTesting
import Testing

@Suite struct CodingTests {
  private struct Malformed: Error {}

  private struct Coder: TopLevelEncoder, TopLevelDecoder {
    func encode<T: Encodable>(_ value: T) throws -> String {
      if "\(value)" == "0" { throw Malformed() }
      return "<\(value)>"
    }

    func decode<T: Decodable>(_ type: T.Type, from input: String) throws -> T {
      guard let number = Int(input) as? T else { throw Malformed() }
      return number
    }
  }

  @Test func goesOnAfterAnError() throws {
    let subject = CurrentValueSubject<String, Never>("1")
    let log = Log(Property(subject).decode(type: Int.self, decoder: Coder()).map { try? $0.get() }.allValues)
    subject.value = "?"
    subject.value = "2"
    #expect(log.values == [1, nil, 2])
  }

  @Test func encodes() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let log = Log(Property(subject).encode(encoder: Coder()).map { try? $0.get() }.allValues)
    subject.value = 0
    subject.value = 2
    #expect(log.values == ["<1>", nil, "<2>"])
  }
}
