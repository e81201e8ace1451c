import StreamsUI
import Testing

private final class Song {}

extension EnvironmentValues {
  @Entry fileprivate var volume: Int = 5
  @Entry fileprivate var balance = 0.5
  @Entry fileprivate var song: Song?
  @Entry fileprivate var made: Song = Song()
  @Entry fileprivate var scale: (Int) -> Int = { $0 * 2 }
}

extension Transaction {
  @Entry fileprivate var isUndo = false
}

@Suite("Values by the macro Entry")
@MainActor
struct EntryTests {
  private struct Sign: View {
    @Environment(\.volume) private var volume
    @Environment(\.scale) private var scale

    var body: some View { Text("\(scale(volume))") }
  }

  @Test("A view reads what is set above it, or the default")
  func environment() throws {
    let host = ViewHost(
      Group {
        Sign()
        Sign().environment(\.volume, 7).environment(\.scale) { $0 + 1 }
      })
    try host.update()
    #expect(host.texts == ["10", "8"])
  }

  @Test("An optional is nil, and a default with a type is made anew each time")
  func defaults() {
    var values = EnvironmentValues()
    #expect(values.song == nil)
    #expect(values.made !== values.made)
    let song = Song()
    values.song = song
    values.balance += 0.25
    #expect(values.song === song)
    #expect(values.balance == 0.75)
    #expect(EnvironmentValues().balance == 0.5)
  }

  @Test("A transaction carries a value")
  func transaction() {
    var seen: [Bool] = []
    let binding = Binding(get: { 0 }, set: { _, transaction in seen.append(transaction.isUndo) })
    binding.wrappedValue = 1
    withTransaction(\.isUndo, true) { binding.wrappedValue = 2 }
    #expect(seen == [false, true])
  }
}
