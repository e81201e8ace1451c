import Streams
import StreamsProperty
import StreamsTesting
import Testing

@Suite struct PropertyTests {
  @Test func aConstantHasItsValueAndCompletes() {
    let property = Property("km")
    #expect(property.value == "km")
    let all = Log(property.allValues)
    #expect(all.values == ["km"])
    #expect(all.isFinished)
    let subsequent = Log(property.subsequentValues)
    #expect(subsequent.values.isEmpty)
    #expect(subsequent.isFinished)
  }

  @Test func followsASubject() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let property = Property(subject)
    let (all, subsequent) = (Log(property.allValues), Log(property.subsequentValues))
    subject.value = 2
    #expect(property.value == 2)
    subject.send(3)
    subject.send(completion: .finished)
    #expect(property.value == 3)
    #expect(all.values == [1, 2, 3])
    #expect(subsequent.values == [2, 3])
    #expect(all.isFinished && subsequent.isFinished)
  }

  @Test func aFinishedSubjectMakesAConstant() {
    let subject = CurrentValueSubject<Int, Never>(1)
    subject.send(completion: .finished)
    let log = Log(Property(subject).allValues)
    #expect(log.values == [1])
    #expect(log.isFinished)
  }

  @Test func startsAndGoesOn() {
    let subject = PassthroughSubject<Int, Never>()
    let property = Property(initial: 0, then: subject)
    let log = Log(property.allValues)
    subject.send(1)
    #expect(property.value == 1)
    #expect(log.values == [0, 1])
    subject.send(completion: .finished)
    #expect(log.isFinished)
    #expect(property.value == 1)
  }

  @Test func startsWithTheLastOfWhatIsSentAtOnce() {
    let property = Property(initial: 0, then: [1, 2, 3].publisher)
    #expect(property.value == 3)
    let log = Log(property.allValues)
    #expect(log.values == [3])
    #expect(log.isFinished)
  }

  @Test func publishersMadeBeforeAChangeShowTheValueOfTheSubscription() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let all = Property(subject).allValues
    subject.value = 2
    #expect(Log(all).values == [2])
  }

  @Test func whoIsBehindGetsTheLatest() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let subscriber = RecordingSubscriber<Int, Never>(initialDemand: .max(1))
    Property(subject).allValues.subscribe(subscriber)
    subject.value = 2
    subject.value = 3
    #expect(subscriber.values == [1])
    subscriber.request(.max(2))
    #expect(subscriber.values == [1, 3])
    subject.value = 4
    subject.value = 5
    #expect(subscriber.values == [1, 3, 4])
    subject.send(completion: .finished)
    #expect(subscriber.completions.isEmpty)
    subscriber.request(.max(1))
    #expect(subscriber.values == [1, 3, 4, 5])
    #expect(subscriber.completions.count == 1)
  }

  @Test func cancellingInsideReceiveEndsIt() {
    let subject = CurrentValueSubject<Int, Never>(1)
    var cancellable: AnyCancellable?
    var values: [Int] = []
    cancellable = Property(subject).subsequentValues.sink {
      values.append($0)
      cancellable?.cancel()
    }
    subject.value = 2
    subject.value = 3
    #expect(values == [2])
  }

  @Test func aChangeMadeByAWatcherComesAfterTheRunningOne() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let property = Property(subject)
    let doubled = property.map { $0 * 2 }
    var log: [String] = []
    let first = property.subsequentValues.sink {
      log.append("first \($0)")
      if $0 == 1 {
        subject.value = 2
        log.append("set, still \(property.value)")
      }
    }
    let second = property.subsequentValues.sink { log.append("second \($0)") }
    let third = doubled.subsequentValues.sink { log.append("doubled \($0)") }
    subject.value = 1
    #expect(
      log == [
        "first 1", "set, still 1", "second 1", "doubled 2", "first 2", "second 2", "doubled 4",
      ])
    withExtendedLifetime((first, second, third)) {}
  }

  @Test func aWatcherFindsEverythingDerivedUpToDate() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let property = Property(subject)
    let (doubled, tripled) = (property.map { $0 * 2 }, property.map { $0 * 3 })
    var seen: [[Int]] = []
    let cancellable = property.subsequentValues.sink {
      seen.append([$0, doubled.value, tripled.value] + Log(tripled.allValues).values)
    }
    subject.value = 5
    #expect(seen == [[5, 10, 15, 15]])
    cancellable.cancel()
  }

  @Test func whatSubscribesDuringAChangeGetsItOnce() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let property = Property(subject)
    let doubled = property.map { $0 * 2 }
    var late: Log<Int>?
    let cancellable = property.subsequentValues.sink { _ in if late == nil { late = Log(doubled.allValues) } }
    subject.value = 1
    subject.value = 2
    #expect(late?.values == [2, 4])
    cancellable.cancel()
  }

  @Test func isUsableInValues() {
    struct Screen { let title: Property<String> }
    let subject = CurrentValueSubject<Int, Never>(1)
    let screen = Screen(title: Property(subject).map { "Page \($0)" })
    let copy = screen
    subject.value = 2
    #expect(copy.title.value == "Page 2")
  }
}

/// A published property sends before it stores; what is derived from it ends equal to it nevertheless.
@Suite struct PublishedPropertyTests {
  private final class Slider { @Published var value = 0 }

  @Test func aWatcherMayCorrectWhatItWatches() {
    let slider = Slider()
    let property = Property(initial: -1, then: slider.$value)
    let cancellable = property.allValues.sink { if $0 > 100 { slider.value = 100 } }
    let log = Log(property.allValues)
    slider.value = 150
    #expect(slider.value == 100 && property.value == 100)
    #expect(log.values == [0, 150, 100])
    withExtendedLifetime(cancellable) {}
  }

  @Test func aSubscriberIsOverruledAsInCombine() {
    let slider = Slider()
    let property = Property(initial: 0, then: slider.$value)
    let cancellable = slider.$value.sink { if $0 > 100 { slider.value = 100 } }
    slider.value = 150
    #expect(slider.value == 150 && property.value == 150)
    withExtendedLifetime(cancellable) {}
  }

  /// Watchers and subscribers that set it at random, a limited number of times.
  @Test(arguments: 0..<200)
  func endsEqual(seed: Int) {
    var random = SplitMix(state: UInt64(seed))
    let slider = Slider()
    let property = Property(initial: 0, then: slider.$value)
    let derived = property.map { $0 + 1 }
    var left = 0
    let act = { (value: Int) in
      guard left > 0, Bool.random(using: &random) else { return }
      left -= 1
      slider.value = Int.random(in: 0..<100, using: &random)
    }
    let cancellables = [
      slider.$value.sink(receiveValue: act), property.allValues.sink(receiveValue: act),
      slider.$value.sink(receiveValue: act), derived.subsequentValues.sink(receiveValue: act),
    ]
    for value in 0..<20 {
      left = 5
      slider.value = value
      #expect(property.value == slider.value && derived.value == slider.value + 1)
    }
    withExtendedLifetime(cancellables) {}
  }
}
