// The program stands as it was written.
// swift-format-ignore-file
import Streams
import Testing

final class Tracker<Output, Failure, Target>: Publisher where Target: Publisher, Output == Target.Output, Failure == Target.Failure {
    private let target: Target
    init(_ target: Target) {
        self.target = target
    }

    func receive<Downstream: Subscriber>(subscriber: Downstream) where Failure == Downstream.Failure, Output == Downstream.Input {
        target.subscribe(TrackedSubscriber(subscriber))
    }

    deinit { }
}

extension Tracker: Subject where Target: Subject {
    func send(_ value: Output) {
        target.send(value)
    }

    func send(completion: Subscribers.Completion<Failure>) {
        target.send(completion: completion)
    }

    func send(subscription: Subscription) {
        target.send(subscription: subscription)
    }
}

extension Tracker where Target == CurrentValueSubject<Output, Failure> {
    var value: Output {
        get { target.value }
        set { send(newValue) }
    }
}

final class TrackedSubscriber<Input, Failure, Target>: Subscriber where Target: Subscriber, Input == Target.Input, Failure == Target.Failure {
    private let target: Target
    init(_ target: Target) {
        self.target = target
    }

    func receive(subscription: any Subscription) {
        target.receive(subscription: TrackedSubscription(subscription))
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        return target.receive(input)
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        target.receive(completion: completion)
    }

    deinit { }
}

final class TrackedSubscription: Subscription {
    private let target: Subscription
    init(_ target: Subscription) {
        self.target = target
    }

    func request(_ demand: Subscribers.Demand) {
        target.request(demand)
    }

    func cancel() {
        target.cancel()
    }

    deinit { }
}

// MARK: - Tests

/// A view with a closure for each value: it requests twice all that there is. It prints what happens.
private final class View {
  var subscription: (any Subscription)?

  func appear(with publisher: some Publisher<String, Never>) {
    print("> Subject receive(subscriber:)")
    publisher.subscribe(ViewSubscriber(self))
    print("< Subject receive(subscriber:)")
  }

  func disappear() {
    print("> Subscription cancel()")
    subscription?.cancel()
    print("< Subscription cancel()")
    weak let released = subscription as AnyObject?
    subscription = nil
    if released == nil { print("- Subscription deinit") }
  }
}

private final class ViewSubscriber: Subscriber {
  private unowned let view: View

  init(_ view: View) { self.view = view }

  func receive(subscription: any Subscription) {
    print("> Subscriber receive(subscription:)")
    view.subscription = subscription
    for _ in 0..<2 {
      print("- Subscription request(_:)")
      subscription.request(.unlimited)
    }
    print("< Subscriber receive(subscription:)")
  }

  func receive(_ input: String) -> Subscribers.Demand {
    print("- Subscriber receive(_:) \(input)")
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {
    print("- Subscriber receive(completion:) \(completion)")
  }

  deinit { print("- Subscriber deinit") }
}

@Suite struct TrackerTests {
  @Test func wrapsAPublisher() {
    let lines = Console.lines {
      let cancellable = Tracker([1, 2, 3].publisher).map { $0 * 2 }.sink { print($0) } receiveValue: { print($0) }
      cancellable.cancel()
    }
    #expect(lines == ["2", "4", "6", "finished"])
  }

  @Test func wrapsASubject() {
    let subject = Tracker(PassthroughSubject<String, Never>())
    let view = View()
    let appearing = Console.lines { view.appear(with: subject) }
    #expect(
      appearing == [
        "> Subject receive(subscriber:)", "> Subscriber receive(subscription:)",
        "- Subscription request(_:)", "- Subscription request(_:)",
        "< Subscriber receive(subscription:)", "< Subject receive(subscriber:)",
      ])
    #expect(Console.lines { subject.send("tap") } == ["- Subscriber receive(_:) tap"])
    #expect(
      Console.lines { view.disappear() } == [
        "> Subscription cancel()", "- Subscriber deinit", "< Subscription cancel()", "- Subscription deinit",
      ])
    #expect(Console.lines { subject.send("tap") } == [])
  }

  @Test func passesACompletionOn() {
    let subject = Tracker(PassthroughSubject<String, Never>())
    let view = View()
    _ = Console.lines { view.appear(with: subject) }
    #expect(
      Console.lines { subject.send(completion: .finished) }
        == ["- Subscriber receive(completion:) finished", "- Subscriber deinit"])
  }

  @Test func takesAnUpstreamsSubscription() {
    let subject = Tracker(PassthroughSubject<Int, Never>())
    let lines = Console.lines {
      let sink = subject.sink { print($0) }
      let cancellable = [1, 2].publisher.subscribe(subject)
      cancellable.cancel()
      sink.cancel()
    }
    #expect(lines == ["1", "2"])
  }

  @Test func wrapsACurrentValueSubject() {
    let subject = Tracker(CurrentValueSubject<Int, Never>(1))
    let lines = Console.lines {
      let cancellable = subject.sink { print($0) } receiveValue: { print($0) }
      subject.value += 1
      subject.send(3)
      print("value \(subject.value)")
      subject.send(completion: .finished)
      cancellable.cancel()
    }
    #expect(lines == ["1", "2", "3", "value 3", "finished"])
  }

  @Test func wrapsItself() {
    let inner = Tracker(CurrentValueSubject<String, Never>("a"))
    let outer = Tracker(inner)
    let lines = Console.lines {
      let cancellable = outer.eraseToAnyPublisher().sink { print($0) }
      outer.send("b")
      inner.value = "c"
      cancellable.cancel()
    }
    #expect(lines == ["a", "b", "c"])
  }
}
