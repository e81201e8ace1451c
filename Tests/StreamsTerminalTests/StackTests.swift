import StreamsUI
import Testing

@testable import StreamsTerminal

@MainActor
struct StackTests {
  @Test("A column is centered, or as its alignment says")
  func columns() throws {
    #expect(
      try text {
        VStack {
          Text("wide")
          Text("in")
        }
      } == "wide\n in")
    #expect(
      try text {
        VStack(alignment: .leading) {
          Text("wide")
          Text("in")
        }
      } == "wide\nin")
    #expect(
      try text {
        VStack(alignment: .trailing, spacing: 1) {
          Text("wide")
          Text("in")
        }
      } == "wide\n\n  in")
    #expect(
      try text {
        List {
          Text("one")
          Text("three")
        }
      } == "one\nthree")
    #expect(
      try text {
        Group {
          Text("one")
          Text("three")
        }
      } == "one\nthree")
  }

  @Test("A row is side by side")
  func rows() throws {
    #expect(
      try text {
        HStack {
          Text("a")
          Text("b")
        }
      } == "a b")
    #expect(
      try text {
        HStack(spacing: 0) {
          Text("a")
          Text("b")
        }
      } == "ab")
    #expect(
      try text {
        HStack {
          Text("a")
          Text("1\n2\n3")
        }
      } == "  1\na 2\n  3")
    #expect(
      try text {
        HStack(alignment: .top) {
          Text("a")
          Text("1\n2")
        }
      } == "a 1\n  2")
    #expect(
      try text {
        HStack(alignment: .bottom) {
          Text("a")
          Text("1\n2")
        }
      } == "  1\na 2")
    #expect(
      try text {
        HStack {
          VStack {
            Text("a")
            Text("b")
          }
          Text("c")
        }
      } == "a c\nb")
    #expect(try text { Label("Music", systemImage: "music.note") } == "♪ Music")
  }

  @Test("Where a row has not room for all, the narrow ones have theirs")
  func shares() throws {
    #expect(
      try text(columns: 12) {
        HStack {
          Text("id")
          Text("one two three")
        }
      } == "id one two\n   three")
    #expect(
      try text(columns: 11) {
        HStack {
          Text("aaaa bbbb")
          Text("cccc dddd")
        }
      } == "aaaa cccc\nbbbb dddd")
  }

  @Test("A spacer takes what is left")
  func spacers() throws {
    #expect(
      try text(columns: 9) {
        HStack {
          Text("a")
          Spacer()
          Text("b")
        }
      } == "a       b")
    #expect(
      try text(columns: 9) {
        HStack(spacing: 0) {
          Spacer()
          Text("b")
          Spacer()
        }
      } == "    b")
    #expect(
      try text(rows: 4) {
        VStack {
          Text("a")
          Spacer()
          Text("b")
        }
      } == "a\n\n\nb")
    #expect(
      try text(rows: 2) {
        VStack {
          Text("a")
          Spacer(minLength: 3)
          Text("b")
        }
      } == "a\n\n\n\nb")
    #expect(
      try text(rows: 3, columns: 5) {
        VStack {
          HStack {
            Text("a")
            Spacer()
            Text("b")
          }
          VStack {
            Spacer()
            Text("c")
          }
        }
      } == "a   b\n\n  c")
    #expect(
      try laidOut(
        VStack {
          HStack {
            Text("a")
            Spacer()
          }
        }.padding(), columns: 9
      ).columns == 9)
  }

  @Test("What stretches has what is in it first, and then as much as others that do")
  func stretching() throws {
    #expect(
      try text(columns: 14) {
        HStack {
          HStack {
            Text("long")
            Spacer()
          }
          Text("|")
          HStack {
            Text("b")
            Spacer()
          }
          Text("|")
        }
      } == "long  | b    |")
    #expect(
      try text(columns: 16) {
        HStack(spacing: 0) {
          HStack(spacing: 0) {
            Text("0123456789")
            Spacer()
          }
          Spacer()
          Text("|")
        }
      } == "0123456789     |")
    #expect(
      try text(columns: 11) {
        HStack(spacing: 0) {
          Text("The quick brown fox")
          Spacer()
          Text("|")
        }
      } == "The quick |\nbrown fox")
    #expect(
      try text(columns: 9) {
        HStack {
          Text("a\nb").lineLimit(1)
          Text("c")
        }
      } == "a b c")
  }

  /// Rows within rows.
  private struct Rows: View {
    let depth: Int
    var body: some View {
      HStack {
        if depth > 0 { AnyView(Rows(depth: depth - 1)) }
        Text("text")
      }
    }
  }

  @Test("Each part of a row is laid out once")
  func rowsInRows() throws {
    #expect(try work(Rows(depth: 12)) < 8 * work(Rows(depth: 6)))
    #expect(try work(Rows(depth: 24)) < 8 * work(Rows(depth: 12)))
  }

  @Test("A list is put together row by row")
  func longLists() throws {
    func list(_ count: Int) -> some View {
      List(0..<count, id: \.self) { number in Button("\(number % 10)") {} }
    }
    #expect(try work(list(10_000)) <= 10 * work(list(1000)))
  }

  @Test("A tree may be deep")
  func deep() throws {
    #expect(try laidOut(Rows(depth: 1000), columns: 4).rows.count > 0)
  }

  @Test("From right to left a row begins at the right")
  func mirrored() throws {
    let view = VStack(alignment: .leading) {
      HStack {
        Text("a")
        Text("b")
        Spacer()
        Toggle("on", isOn: .constant(true))
      }
      Text("c").padding(.leading, 2)
      VStack(alignment: .trailing) {
        Text("d")
        Text("wide")
      }
      HStack {
        Text("e")
        Text("f")
      }.environment(\.layoutDirection, .leftToRight)
    }
    let block = try laidOut(view.environment(\.layoutDirection, .rightToLeft), columns: 12)
    #expect(block.text == "on [x]   b a\n         c\n        d\n        wide\n         e f")
    #expect(block.places.map(\.columns) == [0..<6])
  }

  @Test("A divider is a line")
  func dividers() throws {
    #expect(
      try text {
        VStack {
          Text("one")
          Divider()
          Text("two")
        }
      } == "one\n───\ntwo")
    #expect(
      try text {
        HStack {
          Text("1\n2")
          Divider()
          Text("b")
        }
      } == "1 │ b\n2 │")
  }

  @Test("Padding is room at the sides that are named")
  func padding() throws {
    let block = try laidOut(Text("a").padding())
    #expect(
      block.rows.map { $0.map { $0.character } } == [[" ", " ", " "], [" ", "a", " "], [" ", " ", " "]])
    #expect(try laidOut(Text("a").padding(2)).columns == 5)
    #expect(try laidOut(Text("a").padding(.nan)).columns == 1)
    #expect(try text(columns: 5) { Text("one two").padding() } == "\n one\n two\n")
    #expect(try text(columns: 5) { Text("a").padding(.leading, 2) } == "  a")
    #expect(try text(columns: 5) { Text("a").padding(.vertical) } == "\na\n")
    #expect(try laidOut(Text("a").padding([.trailing, .bottom], 3)).rows.map(\.count) == [4, 4, 4, 4])
  }
}
