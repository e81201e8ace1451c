// A player without a screen: prints its views, taps a button, and prints the changes and the views evaluated for them.
import StreamsUI

struct PlayButton: View {
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

struct PlayerView: View {
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

let host = ViewHost(PlayerView(name: "Song"))
host.onEvaluation = { print("evaluates \($0.path)") }
try host.update()
print(host)
for _ in 0..<2 {
  try host.tap("abc")
  try host.update()
  print(host.first { $0.kind == "Image" }?.text ?? "no image", host.tree.label)
}
