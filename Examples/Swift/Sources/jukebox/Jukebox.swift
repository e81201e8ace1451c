// A program written for SwiftUI, in the terminal. Tab and the arrow keys move the focus, Return and the space bar press
// buttons, Q and Ctrl-C end it.

import Dispatch
import StreamsTerminal

@main
struct Jukebox: App {
  var body: some Scene {
    WindowGroup { ContentView() }
  }
}

struct ContentView: View {
  let counts = Library.counts()
  @State private var name = "Loading…"
  @State private var count = 0
  @State private var isRepeating = false
  @State private var isAsking = false
  @State private var changes = 0

  var body: some View {
    VStack {
      PlayerView(name: name)
      TextField("Name", text: $name)
      Toggle("Repeat", isOn: $isRepeating)
      Button("About") { isAsking = true }
        .popover(isPresented: $isAsking) { About(changes: changes) }
      Text("\(count) songs")
    }
    .onReceive(counts) { count = $0 }
    .onChange(of: name) { changes += 1 }
    .task { name = await Library().firstSong() }
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

struct About: View {
  var changes: Int
  @Environment(\.dismiss) private var dismiss

  var body: some View {
    VStack {
      Text("A player without a sound")
      Text("The name has changed \(changes) times")
      Button("Close") { dismiss() }
    }
    .padding()
  }
}

/// Runs elsewhere, on other threads.
actor Library {
  static func counts() -> AnyPublisher<Int, Never> {
    Just(3).receive(on: DispatchQueue.global()).eraseToAnyPublisher()
  }

  func firstSong() -> String { "Song" }
}
