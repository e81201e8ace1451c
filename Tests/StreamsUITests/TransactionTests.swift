import StreamsUI
import Testing

private struct SpeedKey: TransactionKey { static let defaultValue = 1 }

extension Transaction {
  fileprivate var speed: Int {
    get { self[SpeedKey.self] }
    set { self[SpeedKey.self] = newValue }
  }
}

@MainActor @Suite struct TransactionTests {
  /// What a binding is told of each change.
  private final class Log {
    var value = 0
    var entries: [String] = []
    var binding: Binding<Int> {
      Binding(
        get: { self.value },
        set: { value, transaction in
          self.value = value
          let animation = transaction.animation.map { $0 == .linear ? "linear" : "other" } ?? "none"
          self.entries.append("\(value) \(animation) \(transaction.speed)")
        })
    }
  }

  @Test func aBindingIsToldOfTheTransaction() {
    let log = Log()
    let binding = log.binding
    binding.wrappedValue = 1
    withAnimation(.linear) { binding.wrappedValue = 2 }
    withTransaction(\.speed, 5) {
      withAnimation { binding.wrappedValue = 3 }
      binding.wrappedValue = 4
    }
    binding.animation(.linear).wrappedValue = 5
    var transaction = Transaction()
    transaction.speed = 9
    binding.transaction(transaction).wrappedValue = 6
    withTransaction(Transaction(animation: nil)) { binding.wrappedValue = 7 }
    #expect(
      log.entries == [
        "1 none 1", "2 linear 1", "3 other 5", "4 none 5", "5 linear 1", "6 none 9", "7 none 1",
      ])
  }

  @Test func whatItsBodyReturnsAndThrowsIsPassedOn() {
    struct Failure: Error {}
    #expect(withAnimation { 7 } == 7)
    #expect(throws: Failure.self) { try withTransaction(Transaction()) { throw Failure() } }
    #expect(Animation.linear(duration: 2) == .linear(duration: 2) && Animation.linear != .linear.delay(1))
  }

  private struct Panel: View {
    @State private var isOpen = false
    @State private var count = 0
    var body: some View {
      Button("open") { withAnimation { isOpen.toggle() } }
      Toggle("switch", isOn: $isOpen.animation(.spring))
      if isOpen { Text("open \(count)").animation(.default, value: count).transaction { $0.animation = nil } }
    }
  }

  @Test func stateChangesAsWithoutThem() throws {
    let host = ViewHost(Panel())
    try host.update()
    try host.tap("open")
    try host.update()
    #expect(host.find("open 0") != nil && host.find("switch")?.attributes["isOn"] == "true")
    try host.toggle("switch")
    try host.update()
    #expect(host.find("open 0") == nil)
  }

  private struct Same: View, Equatable {
    let number: Int
    let hidden: Int
    var body: some View { Text("\(number) \(hidden)") }
    nonisolated static func == (one: Self, other: Self) -> Bool { one.number == other.number }
  }

  private struct Outer: View {
    @State private var number = 0
    @State private var hidden = 0
    var body: some View {
      Button("number") { number += 1 }
      Button("hidden") { hidden += 1 }
      Same(number: number, hidden: hidden).equatable()
    }
  }

  @Test func anEquatableViewIsEvaluatedIfItIsNotEqual() throws {
    let host = ViewHost(Outer())
    try host.update()
    #expect(try host.evaluated { try host.tap("hidden") } == ["Outer"])
    #expect(try host.evaluated { try host.tap("number") } == ["Outer", "Same"])
    #expect(host.find("1 1") != nil)
  }
}
