import StreamsUI
import Testing

@Observable private final class Contact: Identifiable {
  let id: Int
  var name: String

  init(id: Int, name: String) { (self.id, self.name) = (id, name) }
}

@Observable private final class ContactBook {
  var contacts: [Contact]

  init(_ names: [String]) {
    contacts = names.enumerated().map { Contact(id: $0.offset, name: $0.element) }
  }

  subscript(id: Contact.ID) -> Contact? { contacts.first { $0.id == id } }
}

private struct ContactsView: View {
  @Environment(ContactBook.self) private var book
  @State private var chosen: Contact.ID?

  var body: some View {
    HStack {
      List(selection: $chosen) {
        ForEach(book.contacts) { ContactRow(contact: $0) }
          .onDelete { book.contacts.remove(atOffsets: $0) }
      }
      if let chosen, let contact = book[chosen] {
        ContactPane(contact: contact).id(chosen)
      } else {
        Text("Nobody is chosen")
      }
    }
  }
}

private struct ContactRow: View {
  let contact: Contact

  var body: some View { Text(contact.name) }
}

private struct ContactPane: View {
  @Bindable var contact: Contact
  @State private var isEditing = false

  var body: some View {
    VStack {
      Toggle("Edit", isOn: $isEditing)
      if isEditing { TextField("Name", text: $contact.name) } else { Text("Card of \(contact.name)") }
    }
  }
}

private struct MergeView: View {
  @Environment(ContactBook.self) private var book
  @State private var chosen: Set<Contact.ID> = []

  var body: some View {
    List(book.contacts, selection: $chosen) { Text($0.name) }
      .toolbar {
        Button("Delete \(chosen.count)", role: .destructive) {
          book.contacts.removeAll { chosen.contains($0.id) }
          chosen = []
        }
        .disabled(chosen.isEmpty)
      }
  }
}

/// A list whose selection is shown beside it.
@MainActor @Suite struct ContactTests {
  private let book = ContactBook(["Ada", "Alan", "Grace"])

  private func makeHost<V: View>(_ view: V) throws -> ViewHost {
    let host = ViewHost(view.environment(book))
    try host.update()
    return host
  }

  private func selected(_ host: ViewHost) -> [String] {
    host.tree.all.filter { $0.kind == "Row" && $0.attributes["isSelected"] == "true" }.map(\.label)
  }

  @Test func thePaneShowsWhoIsChosen() throws {
    let host = try makeHost(ContactsView())
    #expect(host.find("Nobody is chosen") != nil && selected(host) == [])
    let evaluated = try host.evaluated { try host.select("Alan") }
    #expect(evaluated == ["ContactsView", "ContactPane"] && selected(host) == ["Alan"])
    #expect(host.find("Card of Alan") != nil)
    try host.act { try host.select("Grace") }
    #expect(host.find("Card of Grace") != nil && selected(host) == ["Grace"])
  }

  @Test func eachContactHasAPaneOfItsOwn() throws {
    let host = try makeHost(ContactsView())
    try host.act { try host.select("Ada") }
    try host.act { try host.toggle("Edit") }
    #expect(try host.evaluated { try host.type("Ada L.", into: "Name") } == ["ContactRow"])
    #expect(host.labels("Row") == ["Ada L.", "Alan", "Grace"] && host.value("Name") == "Ada L.")
    try host.act { try host.select("Alan") }
    #expect(host.find("Card of Alan") != nil && host.find("Name") == nil)
    try host.act { try host.select("Ada L.") }
    #expect(host.find("Card of Ada L.") != nil)
  }

  @Test func theSelectionIsThatOfAnIdentity() throws {
    let host = try makeHost(ContactsView())
    try host.act { try host.select("Alan") }
    try host.act { try host.toggle("Edit") }
    try host.act { book.contacts.reverse() }
    #expect(host.labels("Row") == ["Grace", "Alan", "Ada"] && selected(host) == ["Alan"])
    #expect(host.value("Name") == "Alan")
    try host.act { try host.delete("Grace") }
    #expect(host.value("Name") == "Alan")
    try host.act { try host.delete("Alan") }
    #expect(host.find("Nobody is chosen") != nil && host.labels("Row") == ["Ada"])
  }

  @Test func severalAreDeletedTogether() throws {
    let host = try makeHost(MergeView())
    #expect(throws: ViewHost.ActionError.disabled(label: "Delete 0")) { try host.tap("Delete 0") }
    for name in ["Ada", "Alan", "Grace", "Alan"] { try host.act { try host.select(name) } }
    #expect(selected(host) == ["Ada", "Grace"])
    try host.tapEach("Delete 2")
    #expect(host.labels("Row") == ["Alan"] && selected(host) == [] && host.find("Delete 0") != nil)
  }
}
