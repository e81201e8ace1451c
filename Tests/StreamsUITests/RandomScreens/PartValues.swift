import StreamsUI

/// What parts give to the views in or around them, and what they get.
struct Sum: PreferenceKey {
  static var defaultValue: Int { 0 }
  static func reduce(value: inout Int, nextValue: () -> Int) { value += nextValue() }
}

struct GivingPart: View {
  @ObservedObject var part: Part

  var body: some View {
    switch part.kind {
    case .level: Children(part: part).environment(\.partLevel, part.number)
    case .object: Children(part: part).environmentObject(part)
    case .note:
      VStack { Children(part: part) }
        .environment(part.isOn ? part.note : nil)
        .transformEnvironment(\.partLevel) { $0 += 1 }
    case .closed:
      Children(part: part)
        .environmentObject(part).environment(\.partLevel, part.isOn ? 9 : 8).environment(part.note)
    case .reader: Reader()
    default: Adding(part: part)
    }
  }
}

private struct Reader: View {
  @EnvironmentObject private var part: Part
  @Environment(\.partLevel) private var level
  @Environment(PartNote.self) private var note: PartNote?

  var body: some View { Text("R\(part.id)\(part.text)\(level)\(note?.text ?? "none")") }
}

private struct Adding: View {
  @ObservedObject var part: Part
  @State private var sum = -1

  var body: some View {
    VStack { ForEach(part.children) { PartView(part: $0) } }
      .onPreferenceChange(Sum.self) { sum = $0 }
    Text("sum \(sum)")
  }
}

struct Receiver: View {
  @ObservedObject var part: Part
  @State private var count = 0
  @State private var sum = 0

  var body: some View {
    PartCounter(part, "receiver", flavor: 0)
    Received(count: count, sum: sum).onReceive(part.subject) { value in
      count += 1
      sum += value
    }
  }
}

private struct Received: View {
  let count: Int
  let sum: Int

  var body: some View { Text("received \(count) \(sum)") }
}

struct Derived: View {
  @ObservedObject var part: Part
  @State private var copy = -1

  var body: some View { Text("derived \(copy)").onChange(of: part.number, initial: true) { copy = $1 } }
}

struct Mirrored: View {
  @ObservedObject var part: Part
  @State private var text = ""
  @State private var number = 0

  var body: some View {
    Text("mirrored \(text)").onReceive(part.$text) { text = $0 }
    Text("mirrored \(number)").onReceive(Just(part.number)) { number = $0 }
  }
}
