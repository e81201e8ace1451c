import Combine

/// A publisher that sends one value or fails. Extensions like these name the parameters of Combine's types.
public protocol SinglePublisher: Publisher {}

extension Just: SinglePublisher {}
extension Future: SinglePublisher {}
extension Fail: SinglePublisher {}
extension Result.Publisher: SinglePublisher {}
extension Deferred: SinglePublisher where DeferredPublisher: SinglePublisher {}
extension Publishers.Map: SinglePublisher where Upstream: SinglePublisher {}
extension Publishers.Collect: SinglePublisher {}
extension Publishers.Catch: SinglePublisher where Upstream: SinglePublisher, NewPublisher: SinglePublisher {}
extension Publishers.FlatMap: SinglePublisher where Upstream: SinglePublisher, NewPublisher: SinglePublisher {
}
extension Publishers.SwitchToLatest: SinglePublisher where Upstream: SinglePublisher, P: SinglePublisher {}
extension Publishers.Zip: SinglePublisher where A: SinglePublisher, B: SinglePublisher {}
extension Publishers.CombineLatest4: SinglePublisher
where A: SinglePublisher, B: SinglePublisher, C: SinglePublisher, D: SinglePublisher {}
extension Publishers.Delay: SinglePublisher where Upstream: SinglePublisher, Context == DispatchQueue {}
extension URLSession.DataTaskPublisher: SinglePublisher {}

extension SinglePublisher {
  /// Calls `action` with the one value, or the error.
  public func sinkSingle(_ action: @escaping (Result<Output, Failure>) -> Void) -> AnyCancellable {
    sink(
      receiveCompletion: { if case .failure(let error) = $0 { action(.failure(error)) } },
      receiveValue: { action(.success($0)) })
  }
}
