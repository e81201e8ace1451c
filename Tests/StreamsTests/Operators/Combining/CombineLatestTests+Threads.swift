import Streams
import StreamsTesting
import Testing

extension CombineLatestTests {
  @Test func demandReturnedToAnotherThreadReachesAll() {
    let (first, second, recorder) = pair(Recorder(initialDemand: .max(2)))
    let other = OtherThread { #expect(second.send(3) == .max(5)) }
    recorder.onValue = { [unowned recorder] value in
      guard value == [1, 2] else { return .max(5) }
      other.startAndWait(for: recorder)
      return .none
    }
    first.send(1)
    second.send(2)
    other.join()
    #expect(recorder.values == [[1, 2], [1, 3]])
    #expect(recorder.overlapCount == 0)
    #expect([first, second].map(\.ledger.requests) == [[.max(2), .max(5)], [.max(2)]])
  }

  /// Subjects with a value answer the request at once; another thread's value waits until the subscription has been
  /// taken.
  @Test func noOtherThreadsValueComesDuringTheSubscription() {
    let sources = [CurrentValueSubject<Int, TestFailure>(0), CurrentValueSubject<Int, TestFailure>(1)]
    let recorder = Recorder()
    let other = OtherThread { sources[0].send(5) }
    recorder.onSubscription = { [unowned recorder] subscription in
      subscription.request(.unlimited)
      #expect(recorder.values == [[0, 1]])
      other.startAndWait(for: subscription)
      #expect(recorder.values == [[0, 1]])
    }
    sources[0].combineLatest(sources[1]) { [$0, $1] }.subscribe(recorder)
    other.join()
    #expect(recorder.values == [[0, 1], [5, 1]])
    #expect(recorder.overlapCount == 0)
  }

  @Test func twoThreadsSendWhileAThirdCancels() {
    for _ in 0..<200 {
      let sources = [PassthroughSubject<Int, TestFailure>(), PassthroughSubject<Int, TestFailure>()]
      let recorder = Recorder(initialDemand: .max(20)) { $0[0] % 5 == 0 ? .max(4) : .none }
      sources[0].combineLatest(sources[1]) { [$0, $1] }.subscribe(recorder)
      race(
        { for value in 0..<40 { sources[0].send(value) } },
        { for value in 0..<40 { sources[1].send(value) } },
        {
          for _ in 0..<10 { recorder.subscriptions[0].request(.max(1)) }
          recorder.cancel()
        })
      #expect(recorder.overlapCount == 0)
      let count = recorder.values.count
      for source in sources { source.send(1) }
      #expect(recorder.values.count == count)
    }
  }

  /// A value that the subscriber sends amid a tuple makes none; one that another thread leaves meanwhile does.
  @Test func whatAnotherThreadLeavesAmidATupleMakesOne() {
    for way in 0..<3 {
      let sources = [PassthroughSubject<Int, TestFailure>(), PassthroughSubject<Int, TestFailure>()]
      let recorder = Recorder()
      combinations(of: sources)[way].subscribe(recorder)
      sources[1].send(1)
      cross(
        { meet in
          recorder.onValue = { tuple in
            guard tuple == [1, 1] else { return .none }
            meet()
            sources[0].send(2)
            return .none
          }
          sources[0].send(1)
        }, { for value in 5...7 { sources[1].send(value) } })
      #expect(recorder.values == [[1, 1], [2, 7]])
      sources[0].send(3)
      #expect(recorder.values.last == [3, 7])
    }
  }

  @Test func theLastTupleHasTheLastValues() {
    for _ in 0..<100 {
      let sources = [PassthroughSubject<Int, TestFailure>(), PassthroughSubject<Int, TestFailure>()]
      let recorder = Recorder()
      sources[0].combineLatest(sources[1]) { [$0, $1] }.subscribe(recorder)
      func send(to source: PassthroughSubject<Int, TestFailure>) {
        for value in 0..<50 { source.send(value) }
        source.send(completion: .finished)
      }
      race({ send(to: sources[0]) }, { send(to: sources[1]) })
      #expect(recorder.overlapCount == 0)
      #expect(recorder.values.last == [49, 49])
      // Each value but the first of the two makes one tuple; values sent before the other's first make none.
      #expect((50...99).contains(recorder.values.count))
      #expect(recorder.completions == [.finished])
    }
  }

  /// The tuple of a value that another thread has left comes before the end that it has left after that.
  @Test(arguments: [Subscribers.Completion<TestFailure>.finished, .failure(TestFailure())])
  func whatAnotherThreadLeavesComesBeforeItsEnd(_ completion: Subscribers.Completion<TestFailure>) {
    for way in 0..<3 {
      let sources = [PassthroughSubject<Int, TestFailure>(), PassthroughSubject<Int, TestFailure>()]
      let recorder = Recorder()
      combinations(of: sources)[way].subscribe(recorder)
      sources[1].send(1)
      cross(
        { meet in
          recorder.onValue = { tuple in
            guard tuple == [1, 1] else { return .none }
            meet()
            sources[0].send(2)
            sources[0].send(completion: .finished)
            return .none
          }
          sources[0].send(1)
        },
        {
          sources[1].send(5)
          sources[1].send(completion: completion)
        })
      #expect(recorder.values == [[1, 1], [2, 5]])
      #expect(recorder.completions == [completion])
    }
  }
}
