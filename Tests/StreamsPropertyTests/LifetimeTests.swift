import Streams
import StreamsProperty
import StreamsTesting
import Testing

@Suite struct LifetimeTests {
  @Test(arguments: [true, false])
  func aWatcherKeepsTheSourceAndNoLonger(watchesAll: Bool) {
    weak var source: CurrentValueSubject<Int, Never>?
    var cancellable: AnyCancellable?
    do {
      let subject = CurrentValueSubject<Int, Never>(0)
      let property = Property(subject).map { $0 + 1 }
      let values = watchesAll ? property.allValues : property.subsequentValues
      cancellable = values.map { String($0) }.sink { _ in }
      source = subject
    }
    #expect(source != nil)
    cancellable?.cancel()
    #expect(source == nil)
  }

  @Test func publishersOutliveTheProperty() {
    let subject = PassthroughSubject<Int, Never>()
    let values = Property(initial: 0, then: subject).map { $0 * 2 }.allValues
    subject.send(2)
    let log = Log(values)
    subject.send(3)
    #expect(log.values == [4, 6])
  }

  @Test func aPropertyKeepsWhatItIsDerivedFrom() {
    let lifetimes = LifetimeTracker()
    var derived: Property<Int>?
    let subject = CurrentValueSubject<Int, Never>(1)
    do {
      let token = lifetimes.token()
      let first = Property(subject).map { value in
        token.keep()
        return value + 1
      }
      derived = first.combineLatest(Property(1), +)
    }
    subject.value = 5
    #expect(derived?.value == 7)
    #expect(lifetimes.liveCount == 1)
    derived = nil
    #expect(lifetimes.liveCount == 0)
  }

  @Test func aDroppedPropertyCancelsItsSource() {
    let source = TestPublisher<Int, Never>()
    var property: Property<Int>? = Property(initial: 0, then: source).map { $0 }
    source.send(1)
    #expect(property?.value == 1)
    property = nil
    #expect(source.ledger.cancelCount == 1)
  }

  @Test func nothingKeepsWhatIsDerived() {
    let lifetimes = LifetimeTracker()
    let subject = CurrentValueSubject<Int, Never>(1)
    let property = Property(subject)
    for number in 0..<10 {
      let token = lifetimes.token()
      let derived = property.map { value in
        token.keep()
        return value + number
      }
      #expect(derived.value == 1 + number)
    }
    #expect(lifetimes.liveCount == 0)
    subject.value = 2
    #expect(property.value == 2)
  }

  @Test func aSubjectThatWasReleasedLeavesTheValue() {
    weak var source: PassthroughSubject<Int, Never>?
    let property: Property<Int>
    do {
      let subject = PassthroughSubject<Int, Never>()
      property = Property(initial: 0, then: subject)
      subject.send(4)
      subject.send(completion: .finished)
      source = subject
    }
    #expect(source == nil)
    #expect(property.value == 4)
  }

  @Test func followedPropertiesAreKeptWhileTheyAreFollowed() {
    let lifetimes = LifetimeTracker()
    let outer = PassthroughSubject<Int, Never>()
    var property: Property<Int>? = Property(initial: 0, then: outer)
      .map { value in
        let token = lifetimes.token()
        return Property(initial: value, then: Empty(completeImmediately: false)).map { inner in
          token.keep()
          return inner
        }
      }
      .switchToLatest()
    #expect(lifetimes.liveCount == 1)
    outer.send(1)
    #expect(property?.value == 1)
    #expect(lifetimes.liveCount == 1)
    property = nil
    #expect(lifetimes.liveCount == 0)
  }

  @Test func aWatcherKeepsWhatIsFollowed() {
    weak var inner: PassthroughSubject<Int, Never>?
    var isFinished = false
    var cancellable: AnyCancellable? = Property(initial: 0, then: Empty())
      .flatMap { _ -> Property<Int> in
        let subject = PassthroughSubject<Int, Never>()
        inner = subject
        return Property(initial: 10, then: subject)
      }
      .allValues.sink(receiveCompletion: { _ in isFinished = true }, receiveValue: { _ in })
    #expect(inner != nil)
    inner?.send(completion: .finished)
    #expect(isFinished)
    withExtendedLifetime(cancellable) {}
    cancellable = nil
    #expect(inner == nil)
  }

  @Test func cancellingReleasesWhatIsFollowed() {
    weak var inner: PassthroughSubject<Int, Never>?
    let cancellable = Property(initial: 0, then: Empty())
      .flatMap(
        maxPublishers: .none,
        { value -> Property<Int> in
          let subject = PassthroughSubject<Int, Never>()
          inner = subject
          return Property(initial: value, then: subject)
        }
      )
      .allValues.sink { _ in }
    #expect(inner != nil)
    cancellable.cancel()
    #expect(inner == nil)
  }

  @Test func manyDerivedPropertiesLeaveNothingBehind() {
    let lifetimes = LifetimeTracker()
    weak var source: CurrentValueSubject<Int, Never>?
    do {
      let subject = CurrentValueSubject<Int, Never>(0)
      source = subject
      let root = Property(subject)
      var properties: [Property<Int>] = []
      for number in 0..<100_000 {
        let token = lifetimes.token()
        // Chains of ten, and a join at each.
        let upstream = number.isMultiple(of: 10) ? root : properties[number - 1]
        properties.append(
          upstream.map { value in
            token.keep()
            return value + 1
          })
      }
      let joined = properties.map { $0.combineLatest(root, -) }
      subject.value = 100
      #expect(joined[9].value == 10)
      #expect(joined[99_990].value == 1)
      #expect(lifetimes.liveCount == 100_000)
    }
    #expect(lifetimes.liveCount == 0)
    #expect(source == nil)
  }

  /// Each is changed and dropped before the next is made; every second one is watched.
  @Test func derivedPropertiesThatComeAndGoLeaveNothingBehind() {
    let lifetimes = LifetimeTracker()
    let subject = CurrentValueSubject<Int, Never>(0)
    let root = Property(subject)
    var wrong = 0
    for number in 1...100_000 {
      let token = lifetimes.token()
      let derived = root.map { value in
        token.keep()
        return value + 1
      }
      let cancellable = number.isMultiple(of: 2) ? derived.subsequentValues.sink { _ in } : nil
      subject.value = number
      if derived.value != number + 1 || lifetimes.liveCount != 1 { wrong += 1 }
      cancellable?.cancel()
    }
    #expect(wrong == 0)
    #expect(lifetimes.liveCount == 0)
  }

  @Test func manyDroppedOneByOneDoNotSlowTheSource() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let root = Property(subject)
    var properties = (0..<100_000).map { number in root.map { $0 + number } }
    subject.value = 1
    #expect(properties[99_999].value == 100_000)
    while properties.count > 1 { properties.removeLast() }
    subject.value = 2
    #expect(properties[0].value == 2)
  }

  @Test func aLongChainIsChangedAndReleased() {
    let subject = CurrentValueSubject<Int, Never>(0)
    var property: Property<Int>? = Property(subject)
    for _ in 0..<30_000 { property = property?.map { $0 + 1 } }
    subject.value = 1
    #expect(property?.value == 30_001)
    property = nil
  }
}
