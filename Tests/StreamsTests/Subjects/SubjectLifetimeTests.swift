import Streams
import StreamsExtras
import StreamsTesting
import Testing

/// What subjects keep alive, and when they let go.
@Suite struct SubjectLifetimeTests {
  enum End: CaseIterable { case cancel, finish, fail }
  enum Kind: CaseIterable {
    case passthrough, currentValue, replay

    func make() -> any Subject<Int, TestFailure> {
      switch self {
      case .passthrough: PassthroughSubject<Int, TestFailure>()
      case .currentValue: CurrentValueSubject<Int, TestFailure>(0)
      case .replay: ReplaySubject<Int, TestFailure>(bufferSize: 2)
      }
    }
  }

  func end(_ subject: any Subject<Int, TestFailure>, _ subscription: (any Subscription)?, by end: End) {
    switch end {
    case .cancel: subscription?.cancel()
    case .finish: subject.send(completion: .finished)
    case .fail: subject.send(completion: .failure(TestFailure()))
    }
  }

  @Test(arguments: Kind.allCases, End.allCases)
  func releasesEverythingAtTheEnd(kind: Kind, end: End) {
    weak var weakSubject: AnyObject?
    weak var weakRecorder: AnyObject?
    weak var weakSubscription: AnyObject?
    do {
      let subject = kind.make()
      weakSubject = subject
      do {
        let recorder = RecordingSubscriber<Int, TestFailure>()
        recorder.onSubscription = { weakSubscription = $0 as AnyObject }
        subject.subscribe(recorder)
        weakRecorder = recorder
      }
      #expect(weakRecorder != nil)
      self.end(subject, weakSubscription as? any Subscription, by: end)
      #expect(weakRecorder == nil)
      #expect(weakSubscription == nil)
    }
    #expect(weakSubject == nil)
  }

  @Test(arguments: Kind.allCases, End.allCases)
  func releasesEverythingAtAnEndDuringADelivery(kind: Kind, end: End) {
    weak var weakSubject: AnyObject?
    weak var weakRecorder: AnyObject?
    do {
      let subject = kind.make()
      weakSubject = subject
      do {
        let recorder = RecordingSubscriber<Int, TestFailure>()
        recorder.onValue = { [unowned recorder, unowned subject] value in
          if value == 1 { self.end(subject, recorder.subscriptions.first, by: end) }
          return .none
        }
        subject.subscribe(recorder)
        weakRecorder = recorder
      }
      subject.send(1)
      #expect(weakRecorder == nil)
    }
    #expect(weakSubject == nil)
  }

  @Test(arguments: Kind.allCases)
  func livesAsLongAsItsSubscriptions(kind: Kind) {
    weak var weakSubject: AnyObject?
    let recorder = RecordingSubscriber<Int, TestFailure>()
    do {
      let subject = kind.make()
      weakSubject = subject
      subject.subscribe(recorder)
    }
    #expect(weakSubject != nil)
    recorder.cancel()
    #expect(weakSubject == nil)
  }

  /// The subscriber owns the last reference to the subject it is subscribed to, and goes away with it.
  @Test(arguments: Kind.allCases)
  func mayGoAwayDuringItsOwnCompletion(kind: Kind) {
    let lifetimes = LifetimeTracker()
    var subject: (any Subject<Int, TestFailure>)? = kind.make()
    let cancellable = subject?.sink(
      receiveCompletion: { [token = lifetimes.token()] _ in
        token.keep()
        subject = nil
      },
      receiveValue: { _ in })
    subject?.send(completion: .finished)
    #expect(subject == nil)
    #expect(lifetimes.liveCount == 0)
    cancellable?.cancel()
  }

  /// Releasing a subscriber may run code that uses the subject: that must not deadlock or trap.
  @Test(arguments: Kind.allCases)
  func mayBeUsedWhileASubscriberIsReleased(kind: Kind) {
    let subject = kind.make()
    let lifetimes = LifetimeTracker()
    let other = RecordingSubscriber<Int, TestFailure>()
    subject.subscribe(other)
    var token: LifetimeToken? = lifetimes.token { [unowned subject] in
      subject.send(7)
      other.cancel()
    }
    let cancellable = subject.sink(receiveCompletion: { _ in }, receiveValue: { [token] _ in token?.keep() })
    token = nil
    cancellable.cancel()
    #expect(other.values.last == 7)
    #expect(lifetimes.liveCount == 0)
  }
}
