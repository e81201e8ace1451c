import Foundation
import StreamsTerminal
import Testing

@MainActor
struct TerminalHostTests {
  private struct SchemeView: View {
    @Environment(\.colorScheme) var scheme

    var body: some View { Text("\(scheme)") }
  }

  @Test(
    "The color scheme is what the terminal says of its background",
    arguments: [
      ("15;0", "dark"), ("0;15", "light"), ("7;default;8", "dark"), ("0;7", "light"),
      ("default;default", "light"), ("", "light"),
    ])
  func scheme(_ colors: String, _ expected: String) throws {
    setenv("COLORFGBG", colors, 1)
    defer { unsetenv("COLORFGBG") }
    let terminal = try TerminalHost(SchemeView())
    try terminal.host.update()
    #expect(terminal.host.find(expected) != nil)
  }

  @Test("Errors say what is wrong")
  func errors() {
    #expect(TerminalError.noTerminal.description == "the standard input and output are not a terminal")
    #expect(TerminalError.unknownTerminal("x").description.contains("\"x\""))
    #expect(TerminalError.system(code: EMFILE).description == "Too many open files")
  }
}
