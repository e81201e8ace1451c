import Streams
import StreamsTesting
import Testing

/// `switchToLatest` gives a publisher of one known value no subscriber of its own where it need not; nobody may notice.
@Suite struct SwitchToLatestJustTests {
  typealias Upstream = TestPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  /// A switchToLatest over one form of such a publisher.
  struct Form: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let attach: @Sendable (Upstream, Recorder) -> Void

    init<P: Publisher<Int, TestFailure> & SendableMetatype>(
      _ name: String, _ publisher: @escaping @Sendable (Int) -> P
    ) {
      testDescription = name
      attach = { $0.map(publisher).switchToLatest().subscribe($1) }
    }

    static let all = [
      Form("Result.Publisher") { Result<Int, TestFailure>.Publisher($0) },
      Form("Result.Publisher, erased") { Result<Int, TestFailure>.Publisher($0).eraseToAnyPublisher() },
      Form("Just, erased") { Just($0).setFailureType(to: TestFailure.self).eraseToAnyPublisher() },
      // Some are known, some are subscribed to: one is replaced by the other.
      Form("now and then") {
        let single = Result<Int, TestFailure>.Publisher($0)
        return $0 & 1 == 0
          ? single.eraseToAnyPublisher() : Deferred { single }.append([$0 * 100]).eraseToAnyPublisher()
      },
    ]

    /// The forms whose values are not known beforehand, so that each publisher is subscribed to.
    static let references = [
      all[0].plain("Result.Publisher"), all[1].plain("erased"), all[2].plain("Just"),
      Form("now and then") {
        let single = Deferred { [value = $0] in Result<Int, TestFailure>.Publisher(value) }
        return $0 & 1 == 0 ? single.eraseToAnyPublisher() : single.append([$0 * 100]).eraseToAnyPublisher()
      },
    ]

    private func plain(_ name: String) -> Form {
      Form(name) { value in Deferred { Result<Int, TestFailure>.Publisher(value) } }
    }
  }

  /// What happens to a stream, from outside and within its values.
  private enum Action: CaseIterable { case send, sendTwo, request, requestAll, cancel, finish, fail, demand }

  /// Subscribes, does what the seed says, and returns what the subscriber and the upstream have seen.
  private func run(_ form: Form, seed: UInt64) -> (events: String, ledger: String, overdrawn: Int) {
    var random = SplitMix(state: seed)
    let upstream = Upstream()
    let recorder = Recorder(
      initialDemand: [.none, .max(1), .max(3), .unlimited].randomElement(using: &random)!)
    var (sent, isOver) = (0, false)
    var returned = Subscribers.Demand.none
    func act(_ isNested: Bool) {
      switch Action.allCases.randomElement(using: &random)! {
      case .send, .sendTwo:
        guard sent < 30, !isOver else { return }
        sent += 1
        upstream.send(sent)
      case .request: recorder.request(.max(2))
      case .requestAll: if Int.random(in: 0..<4, using: &random) == 0 { recorder.request(.unlimited) }
      case .cancel: if Int.random(in: 0..<6, using: &random) == 0 { recorder.cancel() }
      case .finish, .fail:
        guard Int.random(in: 0..<6, using: &random) == 0, !isOver else { return }
        isOver = true
        upstream.send(completion: Bool.random(using: &random) ? .finished : .failure(TestFailure()))
      case .demand: if isNested { returned = .max(1) }
      }
    }
    recorder.onValue = { _ in
      returned = .none
      act(true)
      return returned
    }
    form.attach(upstream, recorder)
    for _ in 0..<12 { act(false) }
    recorder.onValue = { _ in .none }
    return ("\(recorder.events)", "\(upstream.ledger.entries)", recorder.overdrawn)
  }

  @Test(arguments: 0..<Form.all.count) func nobodyNotices(number: Int) {
    for seed in 0..<3000 as Range<UInt64> {
      let (found, expected) = (run(Form.all[number], seed: seed), run(Form.references[number], seed: seed))
      #expect(found == expected, "\(Form.all[number].testDescription), seed \(seed)")
      if found != expected { return }
    }
  }

  @Test func aFinishWithinAValueComesAfterIt() {
    let (upstream, recorder) = (Upstream(), Recorder())
    recorder.onValue = { [unowned recorder] _ in
      upstream.send(completion: .finished)
      #expect(recorder.completions.isEmpty)
      return .none
    }
    Form.all[0].attach(upstream, recorder)
    upstream.send(1)
    #expect(recorder.events == [.subscription("SwitchToLatest"), .value(1), .completion(.finished)])
  }
}
