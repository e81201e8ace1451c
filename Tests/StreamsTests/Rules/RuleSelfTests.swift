import Testing

/// Whether the rules notice what they are there for.
@Suite struct RuleSelfTests {
  @Test(arguments: Rule.allCases)
  func aFaultIsNoticed(_ rule: Rule) {
    let findings = Findings()
    rule.check(Self.entry(breaking: rule), findings)
    #expect(!findings.violations.isEmpty)
  }

  @Test(arguments: Rule.allCases)
  func anOperatorWithoutFaultsKeepsTheRule(_ rule: Rule) {
    let findings = Findings()
    rule.check(Entry("faultless") { FaultyPublisher($0.source(), .nothing) }, findings)
    #expect(findings.violations == [])
  }

  private static func entry(breaking rule: Rule) -> Entry {
    if rule == .releasesClosures {
      return Entry("keeps closures") { bench in
        // The bench goes on when the stream has ended.
        let closure = bench.tracked { (value: Value) in value }
        bench.register(ClosureFeed { _ = closure($0) }, isQuiet: true)
        return FaultyPublisher(bench.source(), .nothing)
      }
    }
    if rule == .leftComesFirst || rule == .leftArrays {
      return Entry("overtakes") { bench in
        let feed = OvertakingFeed(losesArrays: rule == .leftArrays)
        bench.register(feed)
        return feed.subject
      }
    }
    let fault = fault(against: rule)
    return Entry("\(fault)") { bench in
      FaultyPublisher(bench.source().map(bench.tracked { $0 }).eraseToAnyPublisher(), fault)
    }
  }

  private static func fault(against rule: Rule) -> Fault {
    switch rule {
    case .demandIsKept, .sendInValue, .raceOfRequest, .behindReplaceEmpty: .asksForEverything
    case .demandAddsUp: .losesRequests
    case .returnedDemandAddsUp: .losesReturnedDemand
    case .demandOfLastValueCounts, .endInValueIsSerial: .owesToRequests
    case .unlimitedStaysUnlimited, .asksForEverything: .limitsDemand
    case .asksBesideSlowThread: .asksOnce
    case .sendsBesideSlowThread: .asksInTwoSteps
    case .requestInSubscription: .losesEarlyRequests
    case .requestInValue: .losesNestedRequests
    case .boundedRecursion: .nests
    case .subscriptionComesFirst, .raceOfSubscription: .greetsTwice
    case .subscribersAreEqual: .favorsOne
    case .finishes, .raceOfEnd: .neverFinishes
    case .fails: .hidesFailures
    case .endIsFinal, .sendsInClosure, .endsInClosure, .behindEarlyEnd,
      .behindNestedRequests:
      .completesTwice
    case .lateSignalsAfterEnd, .lateSignalsAfterCancel: .passesEverything
    case .finishNeedsNoDemand, .failureNeedsNoDemand: .completionWaits
    case .cancelStops, .cancelStopsBatches, .cancelInSubscription, .cancelReachesUpstreams, .raceOfCancel:
      .ignoresCancel
    case .refusesAfterCancel: .hidesRefusals
    case .cancelInCompletion, .callsInClosure, .signalsInCancel, .cancelInAnyCall: .completesOnCancel
    case .answersInSubscription: .greetsTwice
    case .callsInRelease: .ignoresEndsInRelease
    case .cancelOnce, .raceOfCancels: .cancelsEachTime
    case .requestAfterCancel, .obeysUpstreams: .requestsAnyway
    case .noLocks: .holdsALock
    case .greetingIsSerial: .answersAtOnce
    case .secondSubscription: .takesEachSubscription
    case .batches: .dropsBatches
    case .arrays: .runsAhead
    case .finishInValue, .failInValue: .ignoresNestedEnds
    case .endsInLastValue: .passesEndsInLastValue
    case .releasesDownstream: .keepsSubscribers
    case .releasesUpstreams: .keepsUpstream
    case .releasesClosures, .leftComesFirst, .leftArrays: .nothing
    }
  }
}
