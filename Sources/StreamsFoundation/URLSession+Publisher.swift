public import Foundation
public import Streams

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLSession {
  /// A publisher that loads a URL once for each subscriber, and sends the data and the response.
  public struct DataTaskPublisher: Publisher, Sendable {
    /// The value is the loaded data with the server's response.
    public typealias Output = (data: Data, response: URLResponse)
    /// It fails with the session's error; an error of another type becomes `.unknown`.
    public typealias Failure = URLError

    /// The request.
    public let request: URLRequest
    /// The session that makes the request.
    public let session: URLSession

    /// Makes the publisher that `dataTaskPublisher(for:)` returns.
    public init(request: URLRequest, session: URLSession) {
      self.request = request
      self.session = session
    }

    /// Attaches `subscriber`; its first demand makes the request.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == URLError {
      DataTaskSubscription(Downstream(subscriber), parent: self).handshake()
    }
  }

  /// A publisher that loads `url` once for each subscriber.
  ///
  /// Nothing is loaded before there is demand; requesting no values traps. Cancelling cancels the data task. The data and the
  /// response are sent on the session's queue. Without a response the publisher fails.
  ///
  ///     let cancellable = URLSession.shared.dataTaskPublisher(for: url)
  ///       .map(\.data)
  ///       .decode(type: Movie.self, decoder: JSONDecoder())
  ///       .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  public func dataTaskPublisher(for url: URL) -> DataTaskPublisher {
    dataTaskPublisher(for: URLRequest(url: url))
  }

  /// A publisher that makes the request once for each subscriber.
  ///
  /// In all else it is `dataTaskPublisher(for:)` with a URL.
  public func dataTaskPublisher(for request: URLRequest) -> DataTaskPublisher {
    DataTaskPublisher(request: request, session: self)
  }
}

private final class DataTaskSubscription: Subscription, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible, @unchecked Sendable
{
  typealias Output = URLSession.DataTaskPublisher.Output

  private struct State {
    var parent: URLSession.DataTaskPublisher?
    var downstream: Downstream<Output, URLError>?
    var task: URLSessionDataTask?
    /// True from the first request on; the task is made outside the lock.
    var hasTask = false
    var demand = Subscribers.Demand.none
  }

  private let state: Lock<State>
  private let serializer = Serializer()

  init(_ downstream: Downstream<Output, URLError>, parent: URLSession.DataTaskPublisher) {
    state = Lock(State(parent: parent, downstream: downstream))
  }

  /// Gives the subscriber its subscription, in the serializer: an answer that arrives during that waits.
  func handshake() {
    guard let downstream = state.withLock({ $0.downstream }) else { return }
    serializer.run { downstream.receive(subscription: self) }
  }

  func request(_ demand: Subscribers.Demand) {
    precondition(demand != .none, "request more than no values")
    let (parent, task) = state.withLock { state -> (URLSession.DataTaskPublisher?, URLSessionDataTask?) in
      guard let parent = state.parent else { return (nil, nil) }
      state.demand += demand
      defer { state.hasTask = true }
      return (state.hasTask ? nil : parent, state.task)
    }
    (parent.flatMap(startTask) ?? task)?.resume()
  }

  /// Makes the task. If the subscriber has cancelled by now, cancels the task, because a session keeps a task that neither runs
  /// nor ends, and returns nil.
  private func startTask(_ parent: URLSession.DataTaskPublisher) -> URLSessionDataTask? {
    let task = parent.session.dataTask(with: parent.request) { self.complete($0, $1, $2) }
    let isWanted = state.withLock { state in
      guard state.parent != nil else { return false }
      state.task = task
      return true
    }
    guard isWanted else {
      task.cancel()
      return nil
    }
    return task
  }

  private func complete(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
    serializer.run { [self] in
      guard let downstream = state.withLock({ $0.downstream }) else { return }
      var completion = Subscribers.Completion<URLError>.finished
      if let response, error == nil {
        _ = downstream.receive((data ?? Data(), response))
      } else {
        completion = .failure(error as? URLError ?? URLError(.unknown))
      }
      let isOpen = end().downstream != nil
      if isOpen { downstream.receive(completion: completion) }
    }
  }

  func cancel() { end().task?.cancel() }

  private func end() -> State {
    state.withLock { state in
      defer { state = State(hasTask: true) }
      return state
    }
  }

  var description: String { "DataTaskPublisher" }
  var playgroundDescription: Any { description }
  var customMirror: Mirror {
    let state = state.withLock { $0 }
    return Mirror(
      self,
      children: [
        "task": state.task as Any, "downstream": state.downstream?.subscriber as Any,
        "parent": state.parent as Any, "demand": state.demand,
      ])
  }
}
