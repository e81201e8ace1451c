import Streams
import StreamsProperty
import StreamsTesting
import Testing

@Suite struct ReceiveOnTests {
  @Test func takesValuesWhenTheSchedulerRuns() {
    let scheduler = TestScheduler()
    let subject = CurrentValueSubject<Int, Never>(1)
    let property = Property(subject)
    subject.value = 2
    let received = property.receive(on: scheduler)
    let log = Log(received.allValues)
    #expect(received.value == 2)
    subject.value = 3
    subject.value = 4
    #expect(received.value == 2)
    scheduler.run()
    #expect(received.value == 4)
    #expect(log.values == [2, 3, 4])
  }
}
