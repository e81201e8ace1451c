import Streams

var subjects: [Scenario] {
  [
    sending("subject without subscribers") { _ in },
    sending("subject → 100 sinks") { subject in (0..<100).map { _ in subject.sink(receiveValue: add) } },
    sending("subject → share → 2 sinks") { subject in
      let shared = subject.map { $0 &+ 1 }.share()
      return [shared.sink(receiveValue: add), shared.sink(receiveValue: add)]
    },
    sending("subject → multicast → 2 sinks") { subject in
      let multicast = subject.multicast { CurrentValueSubject<Int, Never>(0) }
      let cancellables = [multicast.sink(receiveValue: add), multicast.sink(receiveValue: add)]
      return cancellables + [AnyCancellable(multicast.connect())]
    },
    sending("subject → autoconnected → sink") {
      $0.makeConnectable().autoconnect().sink(receiveValue: add)
    },
    sending("subject → subject → sink") { subject in
      let second = Numbers()
      return [second.sink(receiveValue: add), subject.subscribe(second)]
    },
    sending("subject → assign(to:on:)") { $0.assign(to: \.value, on: Target()) },
    sending("subject → assign to a published property → sink") { subject in
      let model = Model()
      subject.assign(to: &model.$value)
      return (model, model.$value.sink(receiveValue: add))
    },
    Scenario(name: "current value subject → sink") {
      let subject = CurrentValueSubject<Int, Never>(0)
      let cancellable = subject.sink(receiveValue: add)
      return { values in withExtendedLifetime(cancellable) { for value in 0..<values { subject.send(value) } }
      }
    },
    Scenario(name: "value of a current value subject → sink") {
      let subject = CurrentValueSubject<Int, Never>(0)
      let cancellable = subject.sink(receiveValue: add)
      return { values in withExtendedLifetime(cancellable) { for _ in 0..<values { subject.value &+= 1 } } }
    },
    Scenario(name: "published property → sink") {
      let model = Model()
      let cancellable = model.$value.sink(receiveValue: add)
      return { values in withExtendedLifetime(cancellable) { for value in 0..<values { model.value = value } }
      }
    },
    Scenario(name: "published property → objectWillChange → sink") {
      let model = Model()
      let cancellable = model.objectWillChange.sink { add(1) }
      return { values in withExtendedLifetime(cancellable) { for value in 0..<values { model.value = value } }
      }
    },
  ]
}

private final class Target {
  var value = 0
}

private final class Model: ObservableObject {
  @Published var value = 0
}
