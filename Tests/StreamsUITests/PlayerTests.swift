import StreamsUI
import Testing

private struct PlayButton: View {
  @Binding var isPlaying: Bool

  var body: some View {
    Button(action: {
      self.isPlaying.toggle()
    }) {
      HStack {
        Image(systemName: (isPlaying ? "pause.circle" : "play.circle"))
        Text("abc")

      }
    }
  }
}

private struct PlayerView: View {
  var name: String
  @State private var isPlaying: Bool = false

  var body: some View {
    VStack {
      Text(name)
      Text(isPlaying ? "✅" : "❌")
      PlayButton(isPlaying: $isPlaying)
    }
    .padding()
  }
}

@MainActor @Suite struct PlayerTests {
  @Test func playsWhenTapped() throws {
    let host = ViewHost(PlayerView(name: "Song"))
    #expect(host.description == "")
    try host.update()
    #expect(
      host.description == """
        Padding
          VStack
            Text "Song"
            Text "❌"
            Button
              HStack
                Image "play.circle"
                Text "abc"
        """)
    try host.tap("abc")
    try host.update()
    #expect(host.find("✅") != nil)
    #expect(host.find("pause.circle")?.kind == "Image")
  }
}
