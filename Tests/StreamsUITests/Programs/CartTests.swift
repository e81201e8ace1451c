import StreamsUI
import Testing

private struct Product: Identifiable, Hashable {
  let id: Int
  let name: String
  let cents: Int
}

private struct CartLine: Identifiable {
  let product: Product
  var quantity = 1
  var id: Product.ID { product.id }
}

@Observable private final class Cart {
  var lines: [CartLine] = []
  private(set) var paid: [Int] = []

  var count: Int { lines.reduce(0) { $0 + $1.quantity } }
  var total: Int { lines.reduce(0) { $0 + $1.quantity * $1.product.cents } }

  func add(_ product: Product) {
    if let index = lines.firstIndex(where: { $0.id == product.id }) {
      lines[index].quantity += 1
    } else {
      lines.append(CartLine(product: product))
    }
  }

  func pay() {
    paid.append(total)
    lines = []
  }
}

private struct Shop: View {
  let products: [Product]
  @State private var cart = Cart()

  var body: some View {
    TabView {
      ProductList(products: products)
        .tabItem { Label("Products", systemImage: "list.bullet") }
      CartView()
        .tabItem { CartBadge() }
    }
    .environment(cart)
  }
}

private struct ProductList: View {
  let products: [Product]
  @Environment(Cart.self) private var cart

  var body: some View {
    List(products) { product in Button(product.name) { cart.add(product) } }
  }
}

private struct CartBadge: View {
  @Environment(Cart.self) private var cart

  var body: some View { Text(cart.count == 0 ? "Cart" : "Cart \(cart.count)") }
}

private struct CartView: View {
  @Environment(Cart.self) private var cart
  @State private var isPaying = false

  var body: some View {
    @Bindable var cart = cart
    List {
      ForEach($cart.lines) { $line in
        Stepper("\(line.quantity) \(line.product.name)", value: $line.quantity, in: 1...3)
      }
      .onDelete { cart.lines.remove(atOffsets: $0) }
      Section("Total") { Text("\(cart.total) cents") }
      Button("Check out") { isPaying = true }
        .disabled(cart.lines.isEmpty)
    }
    .alert("Pay \(cart.total) cents?", isPresented: $isPaying) {
      Button("Pay") { cart.pay() }
      Button("Not yet", role: .cancel) {}
    } message: {
      Text("For \(cart.count) things.")
    }
  }
}

/// A cart in the environment, which two tabs and a badge show.
@MainActor @Suite struct CartTests {
  private func makeHost() throws -> ViewHost {
    let products = [Product(id: 1, name: "Pear", cents: 40), Product(id: 2, name: "Fig", cents: 25)]
    let host = ViewHost(Shop(products: products))
    try host.update()
    return host
  }

  @Test func theBadgeCounts() throws {
    let host = try makeHost()
    #expect(host.labels("Tab") == ["Products", "Cart"])
    // Neither the shop nor the list of products reads the cart's lines.
    #expect(try host.evaluated { try host.tap("Pear") } == ["CartBadge"])
    try host.tapEach("Pear", "Fig")
    #expect(host.labels("Tab") == ["Products", "Cart 3"])
    try host.act { try host.select("Cart 3") }
    #expect(host.labels("Stepper") == ["2 Pear", "1 Fig"] && host.find("105 cents") != nil)
  }

  @Test func quantitiesChangeInPlace() throws {
    let host = try makeHost()
    try host.tapEach("Pear", "Fig")
    try host.act { try host.select("Cart 2") }
    #expect(try host.evaluated { try host.increment("1 Fig") }.sorted() == ["CartBadge", "CartView"])
    #expect(host.labels("Stepper") == ["1 Pear", "2 Fig"] && host.find("90 cents") != nil)
    try host.act { try host.increment("2 Fig") }
    #expect(throws: ViewHost.ActionError.disabled(label: "3 Fig")) { try host.increment("3 Fig") }
    try host.act { try host.delete("1 Pear") }
    #expect(host.labels("Stepper") == ["3 Fig"] && host.labels("Tab") == ["Products", "Cart 3"])
    // A line that is added again begins with one.
    try host.act { try host.select("Products") }
    try host.tapEach("Pear")
    try host.act { try host.select("Cart 4") }
    #expect(host.labels("Stepper") == ["3 Fig", "1 Pear"])
  }

  @Test func checkingOutAsks() throws {
    let host = try makeHost()
    try host.act { try host.select("Cart") }
    #expect(throws: ViewHost.ActionError.disabled(label: "Check out")) { try host.tap("Check out") }
    try host.act { try host.select("Products") }
    try host.tapEach("Fig")
    try host.act { try host.select("Cart 1") }
    try host.tapEach("Check out")
    #expect(host.labels("Alert") == ["Pay 25 cents? For 1 things. Pay Not yet"])
    try host.tapEach("Not yet")
    #expect(host.labels("Alert") == [] && host.labels("Stepper") == ["1 Fig"])
    try host.tapEach("Check out", "Pay")
    #expect(host.labels("Alert") == [] && host.labels("Stepper") == [])
    #expect(host.labels("Tab") == ["Products", "Cart"] && host.find("0 cents") != nil)
    #expect(throws: ViewHost.ActionError.disabled(label: "Check out")) { try host.tap("Check out") }
  }
}
