import Streams
import StreamsTesting

/// Whether a subject with a value is released that only a stream from it has used, without an end.
func isReleased<P: Publisher<Int, TestFailure>>(
  by makePublisher: (CurrentValueSubject<Int, TestFailure>) -> P
) -> Bool {
  weak var known: CurrentValueSubject<Int, TestFailure>?
  do {
    let subject = CurrentValueSubject<Int, TestFailure>(1)
    known = subject
    makePublisher(subject).subscribe(RecordingSubscriber<Int, TestFailure>())
  }
  return known == nil
}
