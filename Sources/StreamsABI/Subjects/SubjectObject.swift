import CStreams
import Streams
import StreamsExtras

/// The subject behind a handle.
///
/// Calls go through closures made for the kind of subject: a switch over stored subjects would count references at each send.
final class SubjectObject {
  /// The latest value of a subject that stores it. Setting it sends it.
  struct CurrentValue {
    let get: () -> Value
    let set: (Value) -> Void
  }

  /// Sends for a subject that keeps no values: its code is then inlined into the call that sends.
  let broadcast: Unmanaged<Broadcast<Value, StreamError>>?
  private let sendToAny: (UnsafeBufferPointer<Value>) -> Bool
  /// Sends a piece. Returns false, and sends nothing, if the subject has completed.
  let sendPiece: (any _Piece<Value>) -> Bool
  /// Returns false if the subject has completed already.
  let complete: (Subscribers.Completion<StreamError>) -> Bool
  /// Replaced only before the subject has a handle.
  var publisher: PublisherObject
  /// Makes the subject the downstream of a publisher.
  let subscribe: (ValuePublisher) -> any Cancellable
  /// Gives the subject the subscription to an upstream.
  fileprivate let accept: (any Subscription) -> Void
  /// Makes a connectable that sends a publisher's values through the subject.
  let multicast: (PublisherObject, StaticString) -> ConnectableObject
  let currentValue: CurrentValue?
  private let completed: () -> Bool
  /// How many values the subject has dropped for lack of demand.
  private let countDropped: () -> Int

  convenience init(_ subject: PassthroughSubject<Value, StreamError>, by function: StaticString) {
    self.init(
      subject, by: function, broadcast: .passUnretained(subject.broadcast),
      send: { subject.sendUnlessCompleted($0) },
      sendPiece: { subject.sendUnlessCompleted($0) }, complete: { subject.complete($0) },
      completed: { subject.isCompleted }, dropped: { subject.dropped })
  }

  convenience init(_ subject: CurrentValueSubject<Value, StreamError>, by function: StaticString) {
    self.init(
      subject, by: function, send: { subject.sendUnlessCompleted($0) },
      sendPiece: { subject.sendUnlessCompleted($0) }, complete: { subject.complete($0) },
      completed: { subject.isCompleted },
      currentValue: CurrentValue(get: { subject.value }, set: { subject.value = $0 }))
  }

  convenience init(_ subject: ReplaySubject<Value, StreamError>, by function: StaticString) {
    self.init(
      subject, by: function, send: { subject.sendUnlessCompleted($0) }, complete: { subject.complete($0) },
      completed: { subject.isCompleted }, dropped: { subject.dropped })
  }

  /// A subject that cannot send pieces sends their values.
  @inline(__always)
  private init(
    _ subject: some Subject<Value, StreamError>, by function: StaticString,
    broadcast: Unmanaged<Broadcast<Value, StreamError>>? = nil,
    send: @escaping (UnsafeBufferPointer<Value>) -> Bool, sendPiece: ((any _Piece<Value>) -> Bool)? = nil,
    complete: @escaping (Subscribers.Completion<StreamError>) -> Bool,
    completed: @escaping () -> Bool, currentValue: CurrentValue? = nil,
    dropped: @escaping () -> Int = { 0 }
  ) {
    self.broadcast = broadcast
    sendToAny = send
    self.sendPiece =
      sendPiece ?? { piece in
        var isSent = false
        piece.forEachPage { page in
          isSent = send(page)
          return isSent
        }
        return isSent
      }
    self.completed = completed
    countDropped = dropped
    self.currentValue = currentValue
    self.complete = complete
    subscribe = { $0.connect(to: subject) }
    accept = { subject.send(subscription: $0) }
    multicast = { upstream, function in
      ConnectableObject(
        StackChecked(upstream.publisher).multicast(subject: subject), by: function, of: upstream)
    }
    publisher = PublisherObject(subject.eraseToAnyPublisher(), by: function)
  }

  /// Sends values, at least one, that own their storage. Returns false, and sends nothing, if the subject has completed.
  @inline(__always)
  func send(_ batch: UnsafeBufferPointer<Value>) -> Bool {
    broadcast?._withUnsafeGuaranteedRef { $0.sendUnlessCompleted(batch) } ?? sendToAny(batch)
  }

  @inline(__always)
  var isCompleted: Bool { completed() }

  var dropped: Int { countDropped() }
}

extension SubjectObject {
  /// This subject behind a tracker, if tracing is on.
  @inline(never)
  func traced(by function: StaticString) -> SubjectObject {
    Trace.settle()
    guard let tracking = Trace.tracking(function, of: []) else { return self }
    guard Trace.isForDrops else { return tracked(tracking) }
    publisher = PublisherObject(publisher, tracking)
    return self
  }

  /// This subject behind a tracker.
  func tracked(_ tracking: Tracking) -> SubjectObject {
    let tracker = Tracker(TrackedSubject(object: self), tracking)
    let subject = SubjectObject(
      tracker, by: publisher.function,
      send: { [completed] batch in
        guard !completed() else { return false }
        var isSent = false
        for index in batch.indices {
          tracking.send(batch[index]) { if self.send(batch.single(index)) { isSent = true } }
        }
        return isSent
      },
      complete: { [completed] completion in
        guard !completed() else { return false }
        tracker.send(completion: completion)
        return true
      },
      completed: completed,
      currentValue: currentValue.map { current in
        CurrentValue(get: current.get) { value in tracking.send(value) { current.set(value) } }
      },
      dropped: countDropped)
    subject.publisher.watched = tracking.watched?.number ?? 0
    return subject
  }
}

/// The subject behind a handle, as a tracker sees it.
private final class TrackedSubject: Subject {
  typealias Output = Value
  typealias Failure = StreamError

  private let object: SubjectObject

  init(object: SubjectObject) { self.object = object }

  func send(_ value: Value) {
    withUnsafePointer(to: value) { _ = object.send(UnsafeBufferPointer(start: $0, count: 1)) }
  }

  func send(completion: Subscribers.Completion<StreamError>) { _ = object.complete(completion) }

  func send(subscription: any Subscription) { object.accept(subscription) }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == StreamError {
    object.publisher.publisher.subscribe(subscriber)
  }
}

extension Kind {
  static let subject = HandleKind<SubjectObject>(STREAMS_KIND_SUBJECT)
}
