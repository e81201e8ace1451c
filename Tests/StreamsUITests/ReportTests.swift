import Foundation
import StreamsUI
import Testing

@Suite struct ReportTests {
  /// The write fails, and the program goes on.
  @Test func aWarningThatNobodyCanReadIsLost() async {
    await #expect(processExitsWith: .exitCode(7)) {
      close(STDERR_FILENO)
      State(wrappedValue: 0).wrappedValue = 1
      exit(7)
    }
  }

  @Test func aWarningGoesToStandardError() async throws {
    let result = try await #require(
      processExitsWith: .exitCode(7), observing: [\.standardErrorContent]
    ) {
      State(wrappedValue: 0).wrappedValue = 1
      exit(7)
    }
    #expect(
      String(decoding: result.standardErrorContent, as: UTF8.self).contains("StreamsUI: a State<Int> was set")
    )
  }
}
