import Foundation
import StreamsUI
import Testing

private enum Kind {
  case one
  case two(String)
  case three
}

private struct Everything: View {
  let kind: Kind
  let isOn: Bool
  let name: String?

  var body: some View {
    Group {
      switch kind {
      case .one: Text("one")
      case .two(let name): Label(name, systemImage: "star")
      case .three: EmptyView()
      }
      if isOn { Text("on") } else { AnyView(Divider()) }
      if let name { Text(name) + Text("!") }
      if #available(macOS 99, *) { Text("available") }
    }
    List {
      HStack(alignment: .top, spacing: 2) {
        Spacer()
        Spacer(minLength: 3)
      }
      .padding(.vertical)
      Button("Delete", role: .destructive) {}
        .disabled(true)
    }
    .padding(4)
    Text("a").id("named").lineLimit(1)
  }
}

@MainActor @Suite struct ViewTests {
  @Test func areBuiltOfAllStatements() throws {
    let host = ViewHost(Everything(kind: .two("label"), isOn: true, name: "name"))
    try host.update()
    #expect(
      host.description == """
        Label
          Image "star"
          Text "label"
        Text "on"
        Text "name!"
        Text "available"
        Padding length=4.0
          List
            Padding edges=top bottom
              HStack alignment=top spacing=2.0
                Spacer
                Spacer minLength=3.0
            Button disabled=true role=destructive
              Text "Delete"
        Text "a" lineLimit=1
        """)
    #expect(host.find(id: "named")?.text == "a")
    #expect(host.find(id: "named")?.path == "Everything/2/[named]")
    #expect(throws: ViewHost.ActionError.disabled(label: "Delete")) { try host.tap("Delete") }
    #expect(throws: ViewHost.ActionError.notFound(kind: "Button", label: "Save")) { try host.tap("Save") }
    #expect(throws: ViewHost.ActionError.isOther(label: "Delete", kind: "Button", expected: "Toggle")) {
      try host.toggle("Delete")
    }
    let other = ViewHost(Everything(kind: .three, isOn: false, name: nil))
    try other.update()
    #expect(other.tree.children.map(\.kind) == ["Divider", "Text", "Padding", "Text"])
  }

  @Test func forEachKeepsStateByIdentity() throws {
    struct Item: Identifiable {
      let id: Int
      var name: String
    }
    struct Row: View {
      @Binding var item: Item
      @State var taps = 0
      var body: some View {
        Button(item.name) { taps += 1 }
        Text("\(taps)")
        TextField("name \(item.id)", text: $item.name)
      }
    }
    struct Screen: View {
      @State var items = [Item(id: 1, name: "a"), Item(id: 2, name: "b")]
      var body: some View {
        List($items) { $item in Row(item: $item) }
        Button("reverse") { items.reverse() }
        Button("drop") { items.removeFirst() }
        ForEach(0..<2) { Text("number \($0)") }
        ForEach(items, id: \.name) { Text("by name \($0.name)") }
      }
    }
    let host = ViewHost(Screen())
    try host.update()
    try host.tap("b")
    try host.update()
    try host.tap("reverse")
    try host.update()
    #expect(host.texts.prefix(6) == ["b", "1", "name 2", "a", "0", "name 1"])
    try host.type("c", into: "name 1")
    try host.update()
    #expect(host.texts.suffix(2) == ["by name b", "by name c"])
    try host.tap("drop")
    try host.update()
    #expect(host.texts.prefix(3) == ["c", "0", "name 1"])
    #expect(host.find(id: 1)?.label == "c")
  }

  /// With each look there is one less, as if another thread removed them meanwhile.
  private func dwindling<Element>(_ elements: [Element]) -> Binding<[Element]> {
    var left = elements
    return Binding(
      get: {
        _ = left.popLast()
        return left
      }, set: { left = $0 })
  }

  @Test func forEachTakesTheElementsOfOneMoment() throws {
    struct Screen: View {
      let letters: Binding<[String]>
      var body: some View { ForEach(letters, id: \.self) { Text($0.wrappedValue) } }
    }
    let host = ViewHost(Screen(letters: dwindling(["a", "b", "c", "d"])))
    try host.update()
    #expect(host.texts == ["a", "b"])
  }

  /// For which the compiler may take bindings for any elements that have an identity.
  @Test func forEachTakesTheElementsWithIdentitiesOfOneMoment() throws {
    struct Letter: Identifiable {
      let id: String
    }
    struct Screen: View {
      let letters: Binding<[Letter]>
      var body: some View {
        List {
          ForEach(letters) { $letter in
            Text(letter.id)
            Text("after \(letter.id)")
          }
        }
      }
    }
    let host = ViewHost(Screen(letters: dwindling(["a", "b", "c", "d"].map { Letter(id: $0) })))
    try host.update()
    #expect(host.texts == ["a", "after a", "b", "after b"])
  }

  @Test func oneIdentityTwiceIsTwoViews() throws {
    struct Row: View {
      @State var taps = 0
      var body: some View { Button("\(taps)") { taps += 1 } }
    }
    struct Screen: View {
      @State var count = 3
      var body: some View {
        Button("fewer") { count -= 1 }
        ForEach(0..<count, id: \.self) { _ in Row().id("same") }
        ForEach(Array(repeating: "same", count: count), id: \.self) { _ in Row() }
      }
    }
    let host = ViewHost(Screen())
    try host.update()
    #expect(host.texts == ["fewer", "0", "0", "0", "0", "0", "0"])
    try host.tap("fewer")
    try host.update()
    #expect(host.texts == ["fewer", "0", "0", "0", "0"])
  }

  @Test func anEqualViewIsNotEvaluated() throws {
    final class Model {}
    struct Pair {
      let model: Model
      let action: (() -> Void)?
    }
    struct Child<Content: View>: View {
      let number: Int
      let text: String
      let pair: Pair
      let value: Double?
      let content: Content
      var body: some View {
        Text("\(number) \(text)")
        content
      }
    }
    struct Screen: View {
      let pair = Pair(model: Model(), action: nil)
      @State var count = 0
      @State var other = 0
      var body: some View {
        Button("again") { count += 1 }
        Button("other") { other += 1 }
        Text("\(count)")
        Child(
          number: other, text: "a long text, on the heap \(other)", pair: pair, value: 0.5,
          content: Text("content").lineLimit(nil).id(3))
      }
    }
    struct Compared: View, Equatable {
      let number: Int
      nonisolated static func == (one: Self, other: Self) -> Bool { one.number / 2 == other.number / 2 }
      var body: some View { Text("\(number)") }
    }
    struct Outer: View {
      @State var count = 0
      var body: some View {
        Button("next") { count += 1 }
        Compared(number: count)
      }
    }
    let host = ViewHost(Screen())
    try host.update()
    #expect(try host.evaluated { try host.tap("other") } == ["Screen", "Child"])
    let outer = ViewHost(Outer())
    try outer.update()
    #expect(try outer.evaluated { try outer.tap("next") } == ["Outer"])
    #expect(try outer.evaluated { try outer.tap("next") } == ["Outer", "Compared"])
  }

  @Test func aViewWithAReferenceThatIsNotStrongIsEvaluated() throws {
    final class Owner: Equatable {
      let name: String
      init(_ name: String) { self.name = name }
      // Of an owner that is gone it must not be asked.
      static func == (one: Owner, other: Owner) -> Bool { one.name == other.name }
    }
    struct Weak: View {
      weak var owner: Owner?
      var body: some View { Text("weak \(owner?.name ?? "nobody")") }
    }
    struct Unowned: View {
      unowned let owner: Owner
      var body: some View { Text("unowned \(owner.name)") }
    }
    struct Screen: View {
      @State var owner = Owner("0")
      @State var count = 0
      var body: some View {
        Button("again") { count += 1 }
        Button("another") { owner = Owner("\(count)") }
        Text("\(count)")
        Weak(owner: owner)
        Unowned(owner: owner)
      }
    }
    let host = ViewHost(Screen())
    try host.update()
    #expect(try host.evaluated { try host.tap("again") } == ["Screen", "Weak", "Unowned"])
    #expect(try host.evaluated { try host.tap("another") } == ["Screen", "Weak", "Unowned"])
    #expect(host.texts.suffix(2) == ["weak 1", "unowned 1"])
  }

  /// Of the address only a union is known, which has no fields in Swift.
  @Test func aStructureOfCIsComparedByItsBytes() throws {
    struct Child: View {
      let address: in6_addr
      var body: some View { Text(withUnsafeBytes(of: address) { "\($0[15])" }) }
    }
    struct Screen: View {
      @State var address = in6addr_any
      @State var count = 0
      var body: some View {
        Button("again") { count += 1 }
        Button("loopback") { address = in6addr_loopback }
        Text("\(count)")
        Child(address: address)
      }
    }
    let host = ViewHost(Screen())
    try host.update()
    #expect(host.texts.last == "0")
    #expect(try host.evaluated { try host.tap("again") } == ["Screen"])
    #expect(try host.evaluated { try host.tap("loopback") } == ["Screen", "Child"])
    #expect(host.texts.last == "1")
  }

  @Test func oneOfAThousandRowsIsEvaluated() throws {
    final class Item: ObservableObject, Identifiable {
      @Published var count = 0
    }
    struct Row: View {
      @ObservedObject var item: Item
      var body: some View { Text("\(item.count)") }
    }
    struct Screen: View {
      @State var items: [Item]
      var body: some View {
        Button("drop") { items.removeFirst() }
        List(items) { Row(item: $0) }
      }
    }
    let items = (0..<1000).map { _ in Item() }
    let host = ViewHost(Screen(items: items))
    #expect(try host.evaluated().count == 1001)
    #expect(try host.evaluated { items[500].count += 1 } == ["Row"])
    #expect(try host.evaluated { try host.tap("drop") } == ["Screen"])
    #expect(try host.evaluated { items[0].count += 1 } == [])
    #expect(host.texts.count == 1000)
  }
}
