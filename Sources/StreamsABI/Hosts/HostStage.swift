import CStreams
import Streams
import StreamsShims

/// Steps that are functions of a host.
final class HostStageInner: StageEnds, Subscriber {
  private let steps: HostSteps

  init(downstream: Downstream<Value, StreamError>, steps: HostSteps) {
    self.steps = steps
    super.init(downstream: downstream)
  }

  func receive(_ input: Value) -> Subscribers.Demand {
    withUnsafePointer(to: input) { receive(contentsOf: UnsafeBufferPointer(start: $0, count: 1)) }
  }

  func receive(contentsOf batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    guard let base = batch.baseAddress, !isEnded.load(ordering: .relaxed) else { return .refused() }
    if batch.count > 1 { return steps.entered { receiveSeveral(batch) } ?? receiveSeveral(batch) }
    // Not captured directly, which would count a reference for each value: the caller holds it.
    let stage = Unmanaged.passUnretained(self)
    let result = steps.run(base, until: endMark) { value in
      stage._withUnsafeGuaranteedRef {
        $0.downstream.receive(contentsOf: UnsafeBufferPointer(start: value, count: 1))
      }
    }
    switch result {
    case .success(let demand): return unlessEnded(demand)
    case .failure(let error):
      fail(error)
      return .none
    }
  }

  private func receiveSeveral(_ batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    gathers ? unlessEnded(receiveMany(batch)) : receive(inStep: batch)
  }

  private func receiveMany(_ batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    GatheredPage.with(batch, of: self) { page, progress in
      for index in 0..<batch.count where !isEnded.load(ordering: .relaxed) {
        progress.pointee.index = index
        let result = steps.run(batch.baseAddress! + index, until: endMark) {
          page.end.store($0.pointee)
          page.add()
          return .none
        }
        switch result {
        case .success(let dropped):
          page.pointee.demand += dropped
          if page.room == 0 { page.turn() }
        case .failure(let error):
          page.turn()
          fail(error)
        }
      }
    }
  }
}
