import StreamsUI
import Testing

/// As in a program that imports SwiftUI, and nothing else.
private struct Greeting: View {
  @Environment(\.locale) var locale: Locale
  @Environment(\.pixelLength) var pixelLength: CGFloat
  @State private var date = Date(timeIntervalSince1970: 0)
  @State private var isPopped = false

  var body: some View {
    Text("\(locale.identifier) \(date.timeIntervalSince1970 + Double(pixelLength))")
      .popover(isPresented: $isPopped) {
        Text("more")
          .preferredColorScheme(.dark)
      }
    Button("More") { isPopped = true }
  }
}

@MainActor @Suite struct ImportTests {
  @Test func oneImportIsEnough() throws {
    let host = ViewHost(Greeting().environment(\.locale, Locale(identifier: "de")))
    try host.update()
    try host.tap("More")
    try host.update()
    #expect(
      host.description == """
        Text "de 1.0"
        Popover colorScheme=dark
          Text "more"
        Button
          Text "More"
        """)
  }
}
