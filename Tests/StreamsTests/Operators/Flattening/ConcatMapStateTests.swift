import Testing

@testable import Streams

@Suite struct ConcatMapStateTests {
  private let asker: UInt32 = 1
  private let other: UInt32 = 2

  @Test func whatAnswersAtOnceIsAskedForOneAtATime() {
    var state = ConcatMapState<Int>()
    #expect(state.demandEverything(on: asker, again: false) == .nothing)
    for value in 1...3 {
      #expect("\(state.freePlace())" == "ask")
      #expect(state.beginAsking(on: asker, requests: 0) == .max(1))
      #expect(described(state.receive(value, on: asker, requests: 0)) == "begin \(value)")
      #expect(state.endAsking(on: asker, requests: 0) == .nothing)
      #expect("\(state.hasBegun())" == "rest")
    }
  }

  @Test func whatDoesNotIsAskedForEverythingOnce() {
    for isDemandedFirst in [true, false] {
      var state = ConcatMapState<Int>()
      if isDemandedFirst { #expect(state.demandEverything(on: asker, again: false) == .nothing) }
      #expect(state.beginAsking(on: asker, requests: 0) == .max(1))
      #expect(state.endAsking(on: asker, requests: 0) == (isDemandedFirst ? .everything : .nothing))
      #expect(state.demandEverything(on: asker, again: false) == (isDemandedFirst ? .nothing : .everything))
      #expect(state.demandEverything(on: asker, again: false) == .nothing)
      #expect(state.beginAsking(on: asker, requests: 0) == nil)
    }
  }

  @Test func aSubjectIsAskedForEverythingAtOnce() {
    var state = ConcatMapState<Int>()
    state.subscribe(toSubject: true)
    #expect(state.beginAsking(on: asker, requests: 0) == .max(1))
    #expect(state.endAsking(on: asker, requests: 0) == .nothing)
    #expect(state.demandEverything(on: asker, again: false) == .everything)
    var later = ConcatMapState<Int>()
    #expect(later.demandEverything(on: asker, again: false) == .nothing)
    later.subscribe(toSubject: true)
    #expect(later.beginAsking(on: asker, requests: 0) == .unlimited)
  }

  @Test func whatPassesTheRequestOnToASubjectIsAskedForEverything() {
    var state = ConcatMapState<Int>()
    _ = state.demandEverything(on: asker, again: false)
    _ = state.beginAsking(on: asker, requests: 0)
    #expect(described(state.receive(1, on: asker, requests: 0)) == "begin 1")
    state.disregard(1, on: asker)
    #expect(state.endAsking(on: asker, requests: 1) == .nothing)
    _ = state.hasBegun()
    _ = state.freePlace()
    _ = state.beginAsking(on: asker, requests: 1)
    #expect(described(state.receive(2, on: asker, requests: 1)) == "begin 2")
    #expect(state.endAsking(on: asker, requests: 2) == .everything)
  }

  @Test func whatASubjectSendsWithinTheRequestTells() {
    var state = ConcatMapState<Int>()
    _ = state.demandEverything(on: asker, again: false)
    _ = state.beginAsking(on: asker, requests: 7)
    #expect(described(state.receive(1, on: asker, requests: 8)) == "begin 1, ask for everything")
    #expect(state.endAsking(on: asker, requests: 8) == .nothing)
  }

  @Test func anotherThreadDoesNotRelyOnARequestThatHasNotReturned() {
    var state = ConcatMapState<Int>()
    state.subscribe(toSubject: true)
    #expect(state.demandEverything(on: asker, again: false) == .everything)
    #expect(described(state.receive(1, on: asker, requests: 0)) == "begin 1")
    let (_, demand) = state.receive(2, on: asker + 8, requests: 0)
    #expect(demand == .max(1))
    #expect(state.beginAsking(on: asker + 8, requests: 0) == .max(1))
    #expect(state.beginAsking(on: asker, requests: 0) == nil)
    state.hasAskedForEverything()
    #expect(described(state.receive(3, on: asker + 8, requests: 0)) == "rest")
  }

  @Test func whatComesBeforeAnotherPublisherIsRequestedAhead() {
    let suffix = UInt64(1) << 32
    var state = ConcatMapState<Int>()
    _ = state.demandEverything(on: asker, again: false)
    _ = state.beginAsking(on: asker, requests: 0)
    #expect(described(state.receive(1, on: asker, requests: 0)) == "begin 1")
    // That of a publisher made of a value does not count.
    state.disregard(suffix, on: asker)
    #expect(state.endAsking(on: asker, requests: suffix) == .nothing)
    #expect(state.beginAsking(on: asker, requests: suffix) == .max(1))
    #expect(described(state.receive(2, on: asker, requests: suffix)) == "rest")
    #expect(state.endAsking(on: asker, requests: 2 * suffix) == .more)
    #expect(state.beginAsking(on: asker, requests: 2 * suffix) == .max(255))
    for value in 3..<258 {
      #expect(described(state.receive(value, on: asker, requests: 2 * suffix)) == "rest")
    }
    // It asks once more only when that has been used up.
    #expect(state.endAsking(on: asker, requests: 3 * suffix) == .nothing)
  }

  @Test func withLimitedDemandNothingIsRequestedAhead() {
    var state = ConcatMapState<Int>()
    _ = state.beginAsking(on: asker, requests: 0)
    _ = state.receive(1, on: asker, requests: 0)
    #expect(state.endAsking(on: asker, requests: 1 << 32) == .nothing)
    #expect(state.beginAsking(on: asker, requests: 1 << 32) == .max(1))
  }

  @Test func aRequestThatAnotherThreadAnswersIsJudgedWhenThatHasReturned() {
    var state = ConcatMapState<Int>()
    _ = state.demandEverything(on: asker, again: false)
    #expect(state.beginAsking(on: asker, requests: 0) == .max(1))
    #expect(described(state.receive(1, on: asker, requests: 0)) == "begin 1")
    _ = state.hasBegun()
    _ = state.freePlace()
    // The loop of the first takes over what the other asks for.
    #expect(state.beginAsking(on: other, requests: 0) == .max(1))
    #expect(state.endAsking(on: other, requests: 0) == .nothing)
    #expect(described(state.receive(2, on: asker, requests: 0)) == "begin 2")
    #expect(state.endAsking(on: asker, requests: 0) == .nothing)
  }

  @Test func aValueThatComesByItselfTells() {
    var state = ConcatMapState<Int>()
    _ = state.demandEverything(on: asker, again: false)
    _ = state.beginAsking(on: asker, requests: 0)
    #expect(described(state.receive(1, on: other, requests: 0)) == "begin 1, ask for everything")
    // The other thread's request may have been left until that is through.
    #expect(state.endAsking(on: asker, requests: 0) == .everything)
  }

  @Test func thatIsSoBeforeAConcatenationToo() {
    var state = ConcatMapState<Int>()
    _ = state.demandEverything(on: asker, again: false)
    _ = state.beginAsking(on: asker, requests: 0)
    #expect(described(state.receive(1, on: other, requests: 0)) == "begin 1, ask for everything")
    #expect(state.endAsking(on: asker, requests: 1 << 32) == .everything)
  }

  @Test func everythingIsAskedForAgainWhereAnotherThreadMayNotBeThroughWithThat() {
    var state = ConcatMapState<Int>()
    state.subscribe(toSubject: true)
    #expect(state.demandEverything(on: asker, again: true) == .everything)
    #expect(state.demandEverything(on: other, again: false) == .nothing)
    #expect(state.demandEverything(on: other, again: true) == .everything)
    _ = state.end()
    #expect(state.demandEverything(on: other, again: true) == .nothing)
  }

  @Test func valuesWaitForThePlaceInOrder() {
    var state = ConcatMapState<Int>()
    #expect(described(state.receive(1, on: asker, requests: 0)) == "begin 1")
    for value in 2...3 { #expect(described(state.receive(value, on: asker, requests: 0)) == "rest") }
    #expect(state.waitingCount == 2)
    #expect("\(state.hasBegun())" == "rest")
    #expect("\(state.freePlace())" == "begin(2, isKept: true)")
    // It has finished before it has been subscribed to.
    #expect("\(state.freePlace())" == "rest")
    #expect("\(state.hasBegun())" == "begin(3, isKept: true)")
    #expect("\(state.hasBegun())" == "rest")
    #expect("\(state.freePlace())" == "ask")
  }

  @Test func nothingIsKeptAfterTheEnd() {
    var state = ConcatMapState<Int>()
    for value in 1...3 { _ = state.receive(value, on: asker, requests: 0) }
    #expect(state.end() == [2, 3])
    #expect(described(state.receive(4, on: asker, requests: 0)) == "rest")
    #expect(state.waitingCount == 0)
    #expect("\(state.hasBegun())" == "rest")
    #expect("\(state.freePlace())" == "rest")
    #expect(state.demandEverything(on: asker, again: false) == .nothing)
  }

  private func described(_ result: (ConcatMapState<Int>.Step, demand: Subscribers.Demand)) -> String {
    let step = if case .begin(let value, _) = result.0 { "begin \(value)" } else { "\(result.0)" }
    return result.demand == .unlimited ? "\(step), ask for everything" : step
  }
}
