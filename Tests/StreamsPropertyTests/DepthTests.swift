import Glibc
import Streams
import StreamsProperty
import StreamsTesting
import TestThreads
import Testing

/// However long the way from a source to a watcher is, and however it came to be, it takes no stack of its own.
@Suite struct DepthTests {
  /// Watches the last of `count` properties, each made of the one before, has them changed, and releases them.
  private func run(
    _ count: Int, adding each: Int = 0, completes: Bool = true,
    _ next: @escaping (Property<Int>) -> Property<Int>
  ) {
    let subject = CurrentValueSubject<Int, Never>(0)
    onStack(ofKilobytes: 512) {
      var property = Property(subject)
      for _ in 0..<count { property = next(property) }
      let log = Log(property.allValues)
      subject.value = 1
      subject.value = 2
      #expect(property.value == 2 + each * count)
      subject.send(completion: .finished)
      #expect(log.values == [0, 1, 2].map { $0 + each * count })
      #expect(log.isFinished == completes)
    }
  }

  @Test func mapped() { run(20_000, adding: 1) { $0.map { $0 + 1 } } }

  /// Each has a source of its own, in whose turn the next is.
  @Test func joinedWithSourcesThatAreGone() {
    run(10_000) { $0.combineLatest(Property(0), +) }
    run(10_000, completes: false) {
      [Property(initial: 0, then: Empty(completeImmediately: false)), $0].combineLatest(emptySentinel: 0)
        .map { $0[1] }
    }
  }

  @Test func joinedWithSourcesBefore() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let others = (0..<10_000).map { _ in CurrentValueSubject<Int, Never>(0) }
    onStack(ofKilobytes: 512) {
      var property: Property<Int>? = Property(subject)
      for other in others { property = property.map { Property(other).combineLatest($0, +) } }
      // The one lowest down has been moved by all the others.
      for other in [others[0], others[5_000], subject, others[9_999]] { other.value = 1 }
      #expect(property?.value == 4)
      property = nil
    }
  }

  @Test func followed() { run(4_000, adding: 1) { property in property.flatMap { Property($0 + 1) } } }

  /// The value of each is the one before.
  @Test func kept() { run(4_000, completes: false) { Property(CurrentValueSubject($0)).switchToLatest() } }

  @Test func madeAgain() { run(4_000) { Property(initial: $0.value, then: $0.allValues) } }

  @Test func madeAgainThroughOperators() {
    run(1_000, adding: 1) { Property(initial: 0, then: $0.allValues.map { $0 + 1 }.removeDuplicates()) }
  }

  @Test func handedOver() { run(4_000) { $0.receive(on: ImmediateScheduler.shared) } }

  /// Each watcher sets the next subject.
  @Test func setByWatchers() {
    let subjects = (0..<4_000).map { _ in CurrentValueSubject<Int, Never>(0) }
    let cancellables = zip(subjects, subjects.dropFirst()).map { subject, next in
      Property(subject).subsequentValues.sink { next.value = $0 }
    }
    let last = Property(subjects[3_999])
    let log = Log(last.allValues)
    onStack(ofKilobytes: 512) {
      subjects[0].value = 1
      subjects[0].value = 2
      #expect(last.value == 2)
    }
    #expect(log.values == [0, 1, 2])
    withExtendedLifetime(cancellables) {}
  }

  /// Of two ways to one property the long one was gone first, but the short one arrived first: a property takes what its source
  /// sends in the order in which it was sent.
  @Test func changesThatWaitKeepTheirOrder() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let root = Property(subject)
    let long = (0..<2_000).reduce(root) { property, _ in Property(initial: 0, then: property.subsequentValues)
    }
    let meeting = CurrentValueSubject<String, Never>("")
    let met = Property(meeting)
    let log = Log(met.subsequentValues)
    let cancellables = [
      long.subsequentValues.sink { meeting.send("long \($0)") },
      root.subsequentValues.sink { meeting.send("short \($0)") },
    ]
    onStack(ofKilobytes: 512) {
      subject.value = 1
      subject.value = 2
    }
    #expect(log.values == ["short 1", "long 1", "short 2", "long 2"])
    #expect(met.value == meeting.value)
    withExtendedLifetime(cancellables) {}
  }

  /// It has more sources than fit on the stack.
  @Test func anEndlessCircleOfManySourcesEnds() {
    let start = PassthroughSubject<Int, Never>()
    let first = Property(initial: 0, then: start.eraseToAnyPublisher(), substitute: -1)
    let last = (0..<400).reduce(first) { property, _ in
      Property(initial: 0, then: property.subsequentValues, substitute: -1)
    }
    let cancellable = last.subsequentValues.sink { start.send($0 + 1) }
    onStack(ofKilobytes: 512) { start.send(1) }
    // How much fits on the stack decides whether the last gets the substitute, or one before it, and it keeps its value.
    #expect(last.value == -1 || last.value > 10)
    cancellable.cancel()
    start.send(5)
    #expect(last.value == 5)
  }

  /// A list whose links are values of properties.
  @Test func releasedByAValue() {
    final class Link {
      let next: Property<Link?>?
      init(_ next: Property<Link?>?) { self.next = next }
    }
    onStack(ofKilobytes: 512) {
      weak var first: Link?
      var link: Link? = Link(nil)
      first = link
      for _ in 0..<20_000 { link = Link(Property(initial: link, then: Empty(completeImmediately: false))) }
      #expect(first != nil)
      link = nil
      #expect(first == nil)
    }
  }

  /// A change for which the stack was too short comes before one that another thread makes later.
  @Test func aChangeThatWaitsIsNotOvertaken() {
    let (outer, inner) = (CurrentValueSubject<Int, Never>(0), CurrentValueSubject<Int, Never>(0))
    let (cause, property) = (Property(outer), Property(inner))
    let log = Log(property.allValues)
    var hasWaited = false
    let cancellable = cause.subsequentValues.sink { value in
      usingStack(ofKilobytes: 420) { inner.value = 1 }
      hasWaited = property.value == 0
      pthread_join(startThread { inner.value = 2 }, nil)
    }
    onStack(ofKilobytes: 512) { outer.value = 1 }
    #expect(hasWaited)
    #expect(property.value == 2)
    #expect(log.values == [0, 1, 2])
    withExtendedLifetime(cancellable) {}
  }
}
