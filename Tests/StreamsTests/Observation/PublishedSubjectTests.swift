import Streams
import StreamsTesting
import Testing

@Suite struct PublishedSubjectTests {
  @Test func tellsBeforeTheValueChanges() {
    let subject = PublishedSubject<Int, Never>(1)
    let owner = ObservableObjectPublisher()
    subject.objectWillChange = owner
    var seen: [String] = []
    let cancellables = [
      owner.sink { seen.append("will change from \(subject.value)") },
      subject.sink { seen.append("\($0), still \(subject.value)") },
    ]
    subject.send(2)
    #expect(subject.value == 2)
    #expect(seen == ["1, still 1", "will change from 1", "2, still 1"])
    withExtendedLifetime(cancellables) {}
  }

  @Test func givesBackWhatItReplaces() {
    let subject = PublishedSubject<Int, Never>(1)
    var replaced: [Int] = []
    func exchange(_ value: Int) {
      var value = value
      #expect(subject.exchange(&value))
      replaced.append(value)
    }
    let cancellable = subject.sink { if $0 == 2 { exchange(3) } }
    exchange(2)
    #expect(replaced == [1, 3])
    #expect(subject.value == 2)
    withExtendedLifetime(cancellable) {}
  }

  @Test func doesNotEnd() {
    let subject = PublishedSubject<Int, Never>(1)
    let subscriber = RecordingSubscriber<Int, Never>(initialDemand: .unlimited)
    subject.subscribe(subscriber)
    subject.send(completion: .finished)
    subject.send(2)
    #expect(subscriber.values == [1, 2])
    #expect(subscriber.completions.isEmpty)
  }
}
