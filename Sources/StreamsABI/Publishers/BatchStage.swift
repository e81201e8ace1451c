import CStreams
import Streams
import Synchronization

/// A callback that maps a whole batch of values, as many as there are at a time, to as many results.
struct BatchStage: Publisher {
  typealias Output = Value
  typealias Failure = StreamError

  let upstream: ValuePublisher
  let transform: streams_transform_batch_fn
  let callback: Callback

  func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == StreamError {
    upstream.subscribe(BatchStageInner(Downstream(subscriber), transform, callback))
  }
}

private final class BatchStageInner: StageEnds, Subscriber {
  private let transform: streams_transform_batch_fn
  private let callback: Callback

  init(
    _ downstream: Downstream<Value, StreamError>, _ transform: @escaping streams_transform_batch_fn,
    _ callback: Callback
  ) {
    self.transform = transform
    self.callback = callback
    super.init(downstream: downstream)
  }

  func receive(_ input: Value) -> Subscribers.Demand {
    withUnsafePointer(to: input) { receive(contentsOf: UnsafeBufferPointer(start: $0, count: 1)) }
  }

  func receive(contentsOf batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    guard !batch.isEmpty, !isEnded.load(ordering: .relaxed) else { return .refused() }
    switch Value.gathering(batch) {
    case .success(let batch): return receive(whole: batch)
    case .failure(let error):
      fail(error)
      return .none
    }
  }

  func _pieceDelivery() -> ((any _Piece<Value>) -> Subscribers.Demand)? {
    { [self] piece in
      if let numbers = piece as? Numbers { return receive(whole: numbers.array) }
      var demand = Subscribers.Demand.none
      piece.forEachPage { page in
        demand += receive(contentsOf: page)
        return !isEnded.load(ordering: .relaxed)
      }
      return unlessEnded(demand)
    }
  }

  /// Transforms an array or a list.
  private func receive(whole batch: Value) -> Subscribers.Demand {
    guard !isEnded.load(ordering: .relaxed) else { return .refused() }
    do throws(StreamError) {
      let result = try withUnsafePointer(to: batch) { batch throws(StreamError) in
        try callback.produce { context, out in transform(context, batch.asC, out) }
      }
      guard result.isArray || result.kind == STREAMS_VALUE_LIST.rawValue, result.size == batch.size else {
        throw StreamError(
          status: STREAMS_INVALID_VALUE,
          "the result of a callback has to be an array or a list of the size \(batch.size)")
      }
      return result.isArray ? deliver(Numbers(result)) : downstream.receive(contentsOf: result.items)
    } catch {
      fail(error)
      return .none
    }
  }

  private func deliver(_ numbers: Numbers) -> Subscribers.Demand {
    if let deliver = downstream.subscriber._pieceDelivery() { return deliver(numbers) }
    var demand = Subscribers.Demand.none
    numbers.forEachPage { page in
      demand += downstream.receive(contentsOf: page)
      return !isEnded.load(ordering: .relaxed)
    }
    return unlessEnded(demand)
  }
}
