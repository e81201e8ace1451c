import Streams
import StreamsProperty

/// A source is set, and what is derived from it is told to those who watch.
var properties: [Scenario] {
  [
    setting("property") { [$0.allValues.sink(receiveValue: add)] },
    setting("property → 10 sinks") { property in
      (0..<10).map { _ in property.allValues.sink(receiveValue: add) }
    },
    setting("property → chain of 10") { property in
      [(0..<10).reduce(property) { made, _ in made.map { $0 &+ 1 } }.allValues.sink(receiveValue: add)]
    },
    setting("property → diamond") { property in
      [property.map { $0 &+ 1 }.combineLatest(property, &+).allValues.sink(receiveValue: add)]
    },
    setting("property → filter → scan → removeDuplicates") { property in
      [
        property.filter(initialFallback: 0) { $0 & 1 == 0 }.scan(0, &+).removeDuplicates().allValues
          .sink(receiveValue: add)
      ]
    },
    Scenario(name: "binding → sink") {
      let binding = Binding(CurrentValueSubject<Int, Never>(0))
      let cancellable = binding.values.sink(receiveValue: add)
      return { values in
        withExtendedLifetime(cancellable) { for value in 0..<values { binding.wrappedValue = value } }
      }
    },
    Scenario(name: "derive from a property, drop") {
      let property = Property(CurrentValueSubject<Int, Never>(0))
      return { values in for value in 0..<values { add(property.map { $0 &+ value }.value) } }
    },
  ]
}

private func setting(_ name: String, _ build: @escaping (Property<Int>) -> [AnyCancellable]) -> Scenario {
  Scenario(name: name) {
    let source = CurrentValueSubject<Int, Never>(0)
    let cancellables = build(Property(source))
    return { values in withExtendedLifetime(cancellables) { for value in 0..<values { source.value = value } }
    }
  }
}
