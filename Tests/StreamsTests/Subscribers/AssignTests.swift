import Streams
import StreamsTesting
import Testing

@Suite struct AssignTests {
  final class Target {
    var value = 0
    var token: LifetimeToken?
  }

  let target = Target()

  @Test func assignsValuesBetweenSubscriptionAndCompletion() {
    let assign = Subscribers.Assign(object: target, keyPath: \.value)
    #expect(assign.receive(1) == .none)
    #expect(target.value == 0)
    let first = TestSubscription()
    let second = TestSubscription()
    assign.receive(subscription: first)
    assign.receive(subscription: second)
    #expect(assign.receive(2) == .none)
    #expect(target.value == 2)
    assign.receive(completion: .finished)
    #expect(assign.receive(3) == .none)
    assign.cancel()
    #expect(target.value == 2)
    #expect(assign.object == nil)
    #expect(first.ledger.entries == [.requested(.unlimited)])
    #expect(second.ledger.entries == [.cancelled])
  }

  @Test func theOperatorKeepsTheObjectUntilCancelled() {
    let upstream = TestPublisher<Int, Never>()
    weak var released: Target?
    var cancellable: AnyCancellable?
    do {
      let target = Target()
      released = target
      cancellable = upstream.assign(to: \.value, on: target)
    }
    upstream.send(5)
    #expect(released?.value == 5)
    cancellable?.cancel()
    #expect(released == nil)
    #expect(upstream.ledger.cancelCount == 1)
  }

  @Test func cancelsASubscriptionThatComesAfterItWasCancelled() {
    let upstream = TestPublisher<Int, Never>()
    let scheduler = VirtualTimeScheduler()
    upstream.subscribe(on: scheduler).assign(to: \.value, on: target).cancel()
    scheduler.run()
    upstream.send(1)
    #expect(target.value == 0)
    #expect(upstream.ledger.isCancelled)
  }

  /// Releasing the object runs code that completes the publisher.
  @Test func takesACompletionWhileItIsCancelled() {
    let subject = PassthroughSubject<Int, Never>()
    let lifetimes = LifetimeTracker()
    var cancellable: AnyCancellable?
    do {
      let target = Target()
      target.token = lifetimes.token { subject.send(completion: .finished) }
      cancellable = subject.assign(to: \.value, on: target)
    }
    cancellable?.cancel()
    #expect(lifetimes.liveCount == 0)
  }

  @Test func describesItself() {
    let assign = Subscribers.Assign(object: target, keyPath: \.value)
    #expect(assign.description == "Assign Target.")
    #expect(assign.playgroundDescription as? String == "Assign Target.")
    #expect(assign.customMirror.children.map(\.label) == ["object", "keyPath", "status"])
    #expect(assign.customMirror.descendant("object") as? Target === target)
    #expect(assign.customMirror.descendant("status").map { "\($0)" } == "awaiting")
    #expect(assign.customMirror.descendant("keyPath") as? ReferenceWritableKeyPath<Target, Int> == \.value)
  }

  /// What a replaced value, and the object, run when they go may come back.
  @Test func releasesMayRunAnything() {
    final class Target {
      var value: LifetimeToken?
      let onEnd: () -> Void
      init(onEnd: @escaping () -> Void) { self.onEnd = onEnd }
      deinit { onEnd() }
    }
    let subject = PassthroughSubject<LifetimeToken?, Never>()
    let lifetimes = LifetimeTracker()
    var cancellable: AnyCancellable?
    var endCount = 0
    cancellable = subject.assign(
      to: \.value,
      on: Target {
        endCount += 1
        cancellable?.cancel()
        subject.send(nil)
      })
    subject.send(lifetimes.token { cancellable?.cancel() })
    subject.send(lifetimes.token { subject.send(nil) })
    #expect(endCount == 1)
    #expect(lifetimes.liveCount == 0)
  }

  @Test func twoThreadsSendWhileAThirdCancels() {
    final class Target { var value = 0 }
    for _ in 0..<100 {
      let subject = PassthroughSubject<Int, Never>()
      weak var weakTarget: Target?
      do {
        let target = Target()
        weakTarget = target
        let cancellable = subject.assign(to: \.value, on: target)
        race(
          { for value in 0..<20 { subject.send(value) } }, { for value in 0..<20 { subject.send(value) } },
          { cancellable.cancel() })
      }
      #expect(weakTarget == nil)
    }
  }
}
