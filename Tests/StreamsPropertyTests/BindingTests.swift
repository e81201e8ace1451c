import Streams
import StreamsProperty
import StreamsTesting
import Testing

@Suite struct BindingTests {
  private struct Volume {
    @Binding var level: Int
    func raise() { level += 1 }
    func copy() -> Volume { Volume(level: $level) }
  }

  private struct Wrapping {
    @Binding var level: Int
    init(_ binding: Binding<Int>) { _level = Binding(projectedValue: binding) }
  }

  @Test func getIsCalledOnceWhenTheBindingIsMade() {
    var (gets, sets) = (0, 0)
    let binding = Binding(
      get: {
        gets += 1
        return gets
      }, set: { _ in sets += 1 })
    #expect((gets, sets) == (1, 0))
    #expect(binding.wrappedValue == 2)
  }

  @Test func readsWritesAndShowsASubject() {
    let subject = CurrentValueSubject<Int, Never>(3)
    let volume = Volume(level: Binding(subject))
    let log = Log(volume.$level.values)
    volume.raise()
    volume.copy().raise()
    #expect(subject.value == 5)
    subject.value = 7
    #expect(volume.level == 7)
    #expect(log.values == [3, 4, 5, 7])
    subject.send(completion: .finished)
    #expect(log.isFinished)
    volume.level = 8
    #expect(volume.level == 8)
    #expect(Wrapping(volume.$level).level == 8)
  }

  @Test func aPairOfFunctionsShowsWhatIsSetThroughIt() {
    var value = 1
    let binding = Binding(get: { value }, set: { value = $0 })
    let log = Log(binding.values)
    binding.wrappedValue = 2
    #expect(value == 2)
    value = 5
    #expect(binding.wrappedValue == 5)
    #expect(log.values == [1, 2])
    let late = Log(binding.map(get: { -$0 }, set: { -$1 }).values)
    binding.wrappedValue += 1
    #expect(log.values == [1, 2, 6])
    #expect(late.values.last == -6)
  }

  @Test func showsWhatGetReturnsAndNotWhatWasSet() {
    var value = 1
    let binding = Binding(get: { value }, set: { value = min($0, 10) })
    let log = Log(binding.values)
    binding.wrappedValue = 100
    #expect(binding.wrappedValue == 10)
    #expect(log.values == [1, 10])
    let fixed = Binding(get: { 1 }, set: { _ in })
    let fixedLog = Log(fixed.values)
    fixed.wrappedValue = 2
    #expect(fixed.wrappedValue == 1)
    #expect(fixedLog.values == [1, 1])
  }

  @Test func aPublisherOfChangesSaysWhatIsShown() {
    let changes = PassthroughSubject<Int, Never>()
    var value = 1
    let binding = Binding(get: { value }, set: { value = $0 }, changes: changes)
    changes.send(100)
    let log = Log(binding.values)
    binding.wrappedValue = 2
    #expect(log.values == [1])
    changes.send(2)
    #expect(log.values == [1, 2])
    #expect(Log(binding.values).values == [2])
    changes.send(completion: .finished)
    #expect(log.isFinished)
  }

  @Test func whatChangesSendAtOnceIsShownFirst() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let binding = Binding(get: { subject.value }, set: { subject.send($0) }, changes: subject)
    let log = Log(binding.values)
    binding.wrappedValue = 2
    #expect(log.values == [1, 2])
  }

  @Test func changesAreSubscribedToOnceAndUntilNobodyIsThere() {
    let changes = TestPublisher<Int, Never>()
    do {
      let binding = Binding(get: { 0 }, set: { _ in }, changes: changes)
      #expect(changes.subscriptions.count == 0)
      let logs = [
        Log(binding.values), Log(binding.values), Log(binding.map(get: { $0 }, set: { $1 }).values),
      ]
      changes.send(1)
      #expect(logs.map(\.values) == [[0, 1], [0, 1], [0, 1]])
      #expect(changes.ledger.cancelCount == 0)
    }
    #expect(changes.subscriptions.count == 1)
    #expect(changes.ledger.cancelCount == 1)
  }

  @Test func aConstantStaysAsItIs() {
    let binding = Binding.constant(5)
    let part = binding.map(get: { String($0) }, set: { Int($1) ?? $0 })
    let (log, partLog) = (Log(binding.values), Log(part.values))
    binding.wrappedValue = 6
    part.wrappedValue = "7"
    #expect(binding.wrappedValue == 5)
    #expect(part.wrappedValue == "5")
    #expect(log.values == [5] && log.isFinished)
    #expect(partLog.values == ["5"] && partLog.isFinished)
  }

  @Test func aPropertyShowsABinding() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let property = Property(Binding(subject)).map { $0 * 2 }
    subject.value = 2
    #expect(property.value == 4)
  }

  @Test func whoIsBehindGetsTheLatest() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let subscriber = RecordingSubscriber<Int, Never>(initialDemand: .max(1))
    Binding(subject).values.subscribe(subscriber)
    subject.value = 2
    subject.value = 3
    subscriber.request(.max(5))
    #expect(subscriber.values == [1, 3])
  }

  @Test(arguments: [true, false])
  func settingWithinADeliveryIsReadAtOnceAndShownAfterwards(hasSubject: Bool) {
    let subject = CurrentValueSubject<Int, Never>(0)
    let binding =
      hasSubject ? Binding(subject) : Binding(get: { subject.value }, set: { subject.value = $0 })
    var read: [Int] = []
    let first = binding.values.sink { value in
      if value != 1 { return }
      binding.wrappedValue = 2
      read.append(binding.wrappedValue)
    }
    let log = Log(binding.values)
    binding.wrappedValue = 1
    #expect(read == [2])
    #expect(log.values == [0, 1, 2])
    first.cancel()
  }

  @Test func aBindingAndItsWatchersKeepWhatItStandsOnAndNoLonger() {
    let lifetimes = LifetimeTracker()
    weak var source: CurrentValueSubject<Int, Never>?
    var values: AnyPublisher<Int, Never>?
    var binding: Binding<Int>?
    do {
      let subject = CurrentValueSubject<Int, Never>(0)
      source = subject
      let token = lifetimes.token()
      binding = Binding(subject).map(get: { $0 }) { _, part in
        token.keep()
        return part
      }
      values = binding?.values
    }
    let log = values.map { Log($0) }
    binding?.wrappedValue = 1
    binding = nil
    #expect(lifetimes.liveCount == 0)
    #expect(source != nil)
    source?.value = 2
    #expect(log?.values == [0, 1, 2])
    values = nil
    #expect(source != nil)
    withExtendedLifetime(log) {}
  }

  @Test func aBindingThatWatchesItselfIsGoneWithItsWatcher() {
    let lifetimes = LifetimeTracker()
    var cancellable: AnyCancellable?
    do {
      let token = lifetimes.token()
      var value = 0
      let binding = Binding(
        get: { value },
        set: { new in
          token.keep()
          value = new
        })
      cancellable = binding.values.sink { if $0 < 3 { binding.wrappedValue = $0 + 1 } }
      #expect(binding.wrappedValue == 3)
    }
    #expect(lifetimes.liveCount == 1)
    cancellable?.cancel()
    cancellable = nil
    #expect(lifetimes.liveCount == 0)
  }
}
