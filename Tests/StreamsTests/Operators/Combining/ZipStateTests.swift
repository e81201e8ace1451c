import Testing

@testable import Streams

/// Every event in every state that three upstreams can bring a zip into.
@Suite struct ZipStateTests {
  /// What a zip's state stands for, said plainly.
  private struct Model: Hashable {
    var queues = [0, 0, 0]
    var isFinished = [false, false, false]
    var isDelivering = false

    var isOver: Bool { zip(queues, isFinished).contains { $0 == 0 && $1 } && !isDelivering }
  }

  private enum Event: CaseIterable {
    case value0, value1, value2, finish0, finish1, finish2, request, deliver, delivered

    var upstream: Int? { Self.allCases.firstIndex(of: self).flatMap { $0 < 6 ? $0 % 3 : nil } }
  }

  private let upstreams = [Int: ObjectIdentifier](
    uniqueKeysWithValues: [Int.self, Bool.self, String.self].enumerated().map {
      ($0, ObjectIdentifier($1 as Any.Type))
    })

  /// A tuple that is being made may still come to nothing.
  @Test func theLastTupleCountsWhenItIsReceived() {
    var state = ZipState(count: 1)
    #expect(state.queue(isFirst: true) && !state.isSendingLast)
    let outer = state.begin(by: ObjectIdentifier(Int.self))
    state.empty(isFinished: true)
    #expect(!state.isSendingLast)
    state.turn?.isBeingReceived = true
    #expect(state.isSendingLast)
    _ = state.end(within: outer)
    #expect(!state.isSendingLast && state.isOver)
  }

  /// Goes from the beginning through all states with at most two values in each queue.
  @Test func everyEventInEveryState() {
    var seen: Set<Model> = [Model()]
    var next = [(Model(), ZipState(count: 3))]
    var count = 0
    while let (model, state) = next.popLast() {
      #expect(state.isOver == model.isOver, "\(model)")
      for event in Event.allCases {
        var (model, state) = (model, state)
        guard step(event, &model, &state) else { continue }
        count += 1
        if seen.insert(model).inserted { next.append((model, state)) }
      }
    }
    #expect(seen.count > 100)
    #expect(count > 500)
  }

  /// Returns false for what cannot happen.
  private func step(_ event: Event, _ model: inout Model, _ state: inout ZipState) -> Bool {
    switch event {
    case .value0, .value1, .value2:
      let index = event.upstream!
      guard !model.isFinished[index], model.queues[index] < 2 else { return false }
      model.queues[index] += 1
      let isComplete = state.queue(isFirst: model.queues[index] == 1)
      #expect(isComplete == model.queues.allSatisfy { $0 > 0 })
    case .finish0, .finish1, .finish2:
      let index = event.upstream!
      guard !model.isFinished[index] else { return false }
      model.isFinished[index] = true
      state.finish(isEmpty: model.queues[index] == 0)
    case .request:
      #expect(state.request(.max(2)) == (model.isDelivering ? upstreams[1] : nil))
      #expect(state.turn?.requested == (model.isDelivering ? .max(2) : nil))
      return false
    case .deliver:
      guard model.queues.allSatisfy({ $0 > 0 }), !model.isDelivering else { return false }
      for index in 0..<3 {
        model.queues[index] -= 1
        if model.queues[index] == 0 { state.empty(isFinished: model.isFinished[index]) }
      }
      model.isDelivering = true
      #expect(state.begin(by: upstreams[1]!) == nil)
    case .delivered:
      guard model.isDelivering else { return false }
      model.isDelivering = false
      #expect(state.end(within: nil) == .none)
    }
    return true
  }

  @Test func requestsBelongToTheInnermostDelivery() {
    var state = ZipState(count: 2)
    let outer = state.begin(by: upstreams[0]!)
    _ = state.request(.max(1))
    let inner = state.begin(by: upstreams[1]!)
    #expect(state.request(.max(2)) == upstreams[1])
    #expect(state.end(within: inner) == .max(2))
    #expect(state.request(.max(4)) == upstreams[0])
    #expect(state.end(within: outer) == .max(5))
    #expect(state.turn == nil)
  }
}

extension ZipState.Turn: Equatable {
  public static func == (first: Self, second: Self) -> Bool {
    first.upstream == second.upstream && first.requested == second.requested
  }
}
