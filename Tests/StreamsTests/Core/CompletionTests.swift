import Foundation
import Streams
import Testing

@Suite struct CompletionTests {
  typealias Completion = Subscribers.Completion<TestFailure>

  @Test(arguments: [
    (Completion.finished, #"{"success":true}"#),
    (Completion.failure(TestFailure()), #"{"error":{},"success":false}"#),
  ])
  func isCoded(completion: Completion, text: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(completion), as: UTF8.self) == text)
    #expect(try JSONDecoder().decode(Completion.self, from: Data(text.utf8)) == completion)
  }

  @Test func ignoresAnErrorBesideSuccess() throws {
    let text = #"{"success":true,"error":{}}"#
    #expect(try JSONDecoder().decode(Completion.self, from: Data(text.utf8)) == .finished)
  }

  @Test func needsAnErrorWithoutSuccess() {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Completion.self, from: Data(#"{"success":false}"#.utf8))
    }
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Completion.self, from: Data("{}".utf8)) }
  }

  @Test func isHashed() {
    #expect(Set<Subscribers.Completion<Never>>([.finished, .finished]).count == 1)
  }
}
