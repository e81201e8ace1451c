import Streams
import StreamsTesting
import Testing

@Suite struct DemandLedgerTests {
  private func ledger(_ entries: DemandLedger.Entry...) -> DemandLedger {
    var ledger = DemandLedger()
    for entry in entries { ledger.record(entry) }
    return ledger
  }

  @Test func isEmptyAtFirst() {
    let ledger = DemandLedger()
    #expect(ledger.entries == [])
    #expect(ledger.total == .none && ledger.outstanding == .none)
    #expect(ledger.delivered == 0 && ledger.overdrawn == 0)
    #expect(!ledger.isCancelled && ledger.cancelCount == 0)
  }

  @Test func addsUpWhatIsRequestedAndReturned() {
    let ledger = ledger(
      .requested(.max(2)), .delivered(1), .returned(.max(3)), .requested(.none), .delivered(2))
    #expect(ledger.total == .max(5))
    #expect(ledger.delivered == 3)
    #expect(ledger.outstanding == .max(2))
    #expect(ledger.overdrawn == 0)
    #expect(ledger.requests == [.max(2), .none])
  }

  @Test func doesNotWriteDownThatNothingWasReturned() {
    #expect(ledger(.delivered(1), .returned(.none)).entries == [.delivered(1)])
  }

  @Test func unlimitedDemandIsNotUsedUp() {
    let ledger = ledger(.requested(.unlimited), .delivered(1_000_000), .returned(.max(1)))
    #expect(ledger.total == .unlimited && ledger.outstanding == .unlimited)
    #expect(ledger.overdrawn == 0)
  }

  /// Later demand does not make up for what came too early.
  @Test func countsWhatWasNotDemanded() {
    #expect(ledger(.delivered(1)).overdrawn == 1)
    let mixed = ledger(.requested(.max(2)), .delivered(5), .delivered(1))
    #expect(mixed.overdrawn == 4)
    #expect(mixed.outstanding == .none)
    #expect(ledger(.delivered(2), .requested(.max(9)), .delivered(7)).overdrawn == 2)
  }

  @Test func countsCancellations() {
    let ledger = ledger(.cancelled, .requested(.max(1)), .cancelled)
    #expect(ledger.isCancelled && ledger.cancelCount == 2)
    #expect(ledger.entries == [.cancelled, .requested(.max(1)), .cancelled])
  }

  @Test func equalsWhatHasTheSameEntries() {
    #expect(ledger(.requested(.max(1))) == ledger(.requested(.max(1))))
    #expect(ledger(.requested(.max(1))) != ledger(.returned(.max(1))))
  }
}
