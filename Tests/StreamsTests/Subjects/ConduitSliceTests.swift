import Testing

@testable import Streams

/// A subscriber that is told together with others, as many as are asked for.
private final class Listening: Subscriber {
  let demand: Subscribers.Demand
  let fewest: UInt8
  /// What a subject finds where it looks for a receiver, and whose it is.
  struct Memory {
    var function: SliceReceiver.Function?
    let owner: Unmanaged<Listening>
  }

  let memory = UnsafeMutablePointer<Memory>.allocate(capacity: 1)
  private(set) var toldTogether: [Int] = []
  private(set) var toldAlone: [Int] = []
  fileprivate(set) var rows = 0
  private var subscription: (any Subscription)?

  init(_ demand: Subscribers.Demand = .unlimited, from fewest: UInt8 = 1) {
    self.demand = demand
    self.fewest = fewest
    memory.initialize(
      to: Memory(
        function: { first, places, count, value in
          Listening.of(first).rows += 1
          var slice = ConduitSlice(places, count)
          while let receiver = slice.receiver, slice.isOpen {
            slice.drop(1)
            Listening.of(receiver).toldTogether.append(value.load(as: Int.self))
          }
          return count - slice.count
        }, owner: .passUnretained(self)))
  }

  deinit { memory.deallocate() }

  static func of(_ receiver: UnsafeMutableRawPointer) -> Listening {
    receiver.load(as: Memory.self).owner.takeUnretainedValue()
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    SliceReceiver.install(memory, from: fewest, for: self, in: subscription)
    if demand != .none { subscription.request(demand) }
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    toldAlone.append(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {}

  func cancel() { subscription?.cancel() }
}

@Suite struct RowTests {
  private let subject = PassthroughSubject<Int, Never>()

  private func subscribe(_ subscribers: Listening...) -> [Listening] {
    subscribers.forEach(subject.subscribe)
    return subscribers
  }

  @Test func subscribersThatFollowEachOtherAreToldAtOnce() {
    let all = subscribe(Listening(), Listening(), Listening())
    subject.send(1)
    subject.send(2)
    #expect(all.map(\.rows) == [2, 0, 0])
    #expect(all.allSatisfy { $0.toldTogether == [1, 2] && $0.toldAlone.isEmpty })
  }

  @Test func aRowEndsWhereASubscriberIsToldByItself() {
    let all = subscribe(Listening(), Listening(.max(1)), Listening(), Listening())
    subject.send(1)
    subject.send(2)
    #expect(all.map(\.rows) == [2, 0, 2, 0])
    #expect(all.map(\.toldAlone) == [[], [1], [], []])
    #expect(all.map(\.toldTogether) == [[1, 2], [], [1, 2], [1, 2]])
  }

  @Test func emptyPlacesAreLeftOut() {
    let all = subscribe(Listening(), Listening(), Listening(), Listening(), Listening())
    all[0].cancel()
    all[2].cancel()
    subject.send(1)
    #expect(all.map(\.toldTogether) == [[], [1], [], [1], [1]])
    #expect(all.map(\.toldAlone) == [[], [], [], [], []])
  }

  @Test func whoIsToldWithSoManyIsToldAloneWithFewer() {
    let all = subscribe(Listening(from: 3), Listening(from: 3), Listening(from: 3))
    subject.send(1)
    all[1].cancel()
    subject.send(2)
    #expect(all.map(\.rows) == [2, 0, 0])
    #expect(all.map(\.toldTogether) == [[1, 2], [1], [1]])
    #expect(all.map(\.toldAlone) == [[], [], [2]])
  }

  @Test func whoHasNothingToTellWithIsToldAlone() {
    let all = subscribe(Listening(), Listening())
    all[0].memory.pointee.function = nil
    subject.send(1)
    #expect(all.map(\.toldTogether) == [[], [1]])
    #expect(all.map(\.toldAlone) == [[1], []])
  }

  @Test func aRowKnowsItsSubscribers() {
    let all = subscribe(Listening())
    let isFirst = ConduitSlice(subject.broadcast.list).subscriber === all[0]
    #expect(isFirst)
  }

  @Test func eachOfSeveralValuesIsForASlice() {
    let all = subscribe(Listening(), Listening())
    [1, 2].withUnsafeBufferPointer(subject.send(contentsOf:))
    #expect(all.map(\.rows) == [2, 0])
    #expect(all.map(\.toldTogether) == [[1, 2], [1, 2]])
  }

  @Test func anOperatorInBetweenIsNotLeftOut() {
    let one = Listening()
    subject.map { $0 * 2 }.subscribe(one)
    subject.send(1)
    #expect(one.toldAlone == [2])
    #expect(one.toldTogether.isEmpty)
  }
}
