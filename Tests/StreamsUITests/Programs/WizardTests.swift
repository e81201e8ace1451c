import StreamsUI
import Testing

private enum Page: Hashable { case size, toppings, summary }

@Observable private final class Order {
  var size = "Small"
  var toppings: Set<String> = []
  var summary: String { ([size] + toppings.sorted()).joined(separator: ", ") }
}

@Observable private final class Kitchen {
  private(set) var orders: [String] = []
  var path: [Page] = []
  var order = Order()

  func begin() {
    order = Order()
    path = [.size]
  }

  func finish() {
    orders.append(order.summary)
    path = []
  }
}

private struct PizzaApp: View {
  @State private var kitchen = Kitchen()

  var body: some View {
    NavigationStack(path: $kitchen.path) {
      List {
        ForEach(kitchen.orders, id: \.self) { Text($0) }
        Button("New pizza") { kitchen.begin() }
      }
      .navigationTitle("Orders")
      .navigationDestination(for: Page.self) { page in
        WizardPage(page: page).toolbar { CancelButton() }
      }
    }
    .environment(kitchen)
  }
}

private struct WizardPage: View {
  let page: Page
  @Environment(Kitchen.self) private var kitchen

  var body: some View {
    @Bindable var order = kitchen.order
    switch page {
    case .size:
      Picker("Size", selection: $order.size) { ForEach(["Small", "Large"], id: \.self) { Text($0) } }
      NavigationLink("Next", value: Page.toppings)
    case .toppings:
      ForEach(["Basil", "Olives"], id: \.self) { topping in
        Toggle(
          topping,
          isOn: Binding(
            get: { order.toppings.contains(topping) },
            set: { _ in order.toppings.formSymmetricDifference([topping]) }))
      }
      NavigationLink("Next", value: Page.summary)
    case .summary:
      Text(order.summary).navigationTitle("Summary")
      Button("Order") { kitchen.finish() }
    }
  }
}

private struct CancelButton: View {
  @Environment(Kitchen.self) private var kitchen
  @Environment(\.dismiss) private var dismiss
  @State private var isAsking = false

  var body: some View {
    Button("Back") { dismiss() }
    Button("Cancel") { isAsking = true }
      .confirmationDialog("Forget this pizza?", isPresented: $isAsking, titleVisibility: .visible) {
        Button("Forget it", role: .destructive) { kitchen.path.removeAll() }
        Button("Keep it", role: .cancel) {}
      }
  }
}

/// Pages that follow each other, and are left together.
@MainActor @Suite struct WizardTests {
  private func makeHost() throws -> ViewHost {
    let host = ViewHost(PizzaApp())
    try host.update()
    return host
  }

  @Test func finishingLeadsToTheRoot() throws {
    let host = try makeHost()
    try host.tapEach("New pizza")
    try host.act { try host.select("Large", in: "Size") }
    try host.tapEach("Next")
    try host.act { try host.toggle("Olives") }
    try host.act { try host.toggle("Basil") }
    try host.tapEach("Next")
    #expect(host.labels("Title") == ["Summary"] && host.find("Large, Basil, Olives") != nil)
    try host.tapEach("Order")
    #expect(host.labels("Title") == ["Orders"])
    #expect(host.texts == ["Large, Basil, Olives", "New pizza"])
    // The next pizza begins anew.
    try host.tapEach("New pizza", "Next", "Next")
    #expect(host.find("Small") != nil)
    try host.tapEach("Order")
    #expect(host.texts == ["Large, Basil, Olives", "Small", "New pizza"])
  }

  @Test func goingBackKeepsWhatWasChosen() throws {
    let host = try makeHost()
    try host.tapEach("New pizza", "Next")
    try host.act { try host.toggle("Basil") }
    try host.tapEach("Next", "Back")
    #expect(host.find("Basil")?.attributes["isOn"] == "true")
    try host.tapEach("Back")
    try host.act { try host.select("Large", in: "Size") }
    try host.tapEach("Next", "Next")
    #expect(host.find("Large, Basil") != nil)
  }

  @Test func cancellingAsks() throws {
    let host = try makeHost()
    try host.tapEach("New pizza", "Next", "Cancel")
    #expect(host.labels("ConfirmationDialog") == ["Forget this pizza? Forget it Keep it"])
    try host.tapEach("Keep it")
    #expect(host.labels("ConfirmationDialog") == [] && host.find("Basil") != nil)
    try host.tapEach("Cancel", "Forget it")
    #expect(host.labels("ConfirmationDialog") == [] && host.labels("Title") == ["Orders"])
    #expect(host.texts == ["New pizza"])
    // The dialog does not come back with the page.
    try host.tapEach("New pizza", "Next")
    #expect(host.labels("ConfirmationDialog") == [] && host.find("Basil")?.attributes["isOn"] == "false")
  }
}
