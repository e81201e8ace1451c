import Streams
import Testing

/// What every publisher must keep to. The numbers are those of Reactive Streams, adapted to Combine.
enum Rule: String, CaseIterable, Sendable, CustomTestStringConvertible {
  // Demand
  case demandIsKept = "1.1 sends no more than is demanded"
  case demandAddsUp = "3.8 demand adds up and none is lost"
  case returnedDemandAddsUp = "3.8 returned demand adds up and none is lost"
  case demandOfLastValueCounts = "3.8 demand counts that is returned for a value in which an upstream ends"
  case unlimitedStaysUnlimited = "3.17 unlimited demand stays unlimited, whatever is added"
  case asksForEverything = "3.17 asks its upstreams for everything if everything is demanded"
  case asksBesideSlowThread = "3.17 asks for everything while a thread is slow in asking for it"
  case sendsBesideSlowThread = "3.17 asks for all that is sent while a thread is slow in subscribing"
  case requestInSubscription = "3.2 takes a request from within receive(subscription:)"
  case requestInValue = "3.2 takes requests from within receive(_:)"
  case boundedRecursion = "3.3 requests from within receive(_:) do not nest"
  // Order
  case subscriptionComesFirst = "1.9 sends the subscription first, and once"
  case subscribersAreEqual = "2.12 serves each subscriber alike"
  case finishes = "1.5 finishes when its upstreams do"
  case fails = "1.4 fails when its upstreams do"
  case endIsFinal = "1.7 sends nothing after the end"
  case lateSignalsAfterEnd = "2.8 sends nothing after the end, whatever its upstreams do"
  case finishNeedsNoDemand = "2.9 finishes without demand"
  case failureNeedsNoDemand = "2.10 fails without demand"
  // Cancellation
  case cancelStops = "3.12 sends nothing after it was cancelled, at whichever value"
  case cancelStopsBatches = "3.12 sends nothing after it was cancelled, at whichever value of a batch"
  case cancelInSubscription = "3.12 sends nothing after it was cancelled in receive(subscription:)"
  case cancelInCompletion = "3.6 may be cancelled and asked for more in receive(completion:)"
  case cancelReachesUpstreams = "3.12 cancels its upstreams"
  case cancelOnce = "3.7 cancels its upstreams once"
  case requestAfterCancel = "3.6 requests nothing after it was cancelled"
  case lateSignalsAfterCancel = "2.8 sends nothing after it was cancelled, whatever its upstreams do"
  case refusesAfterCancel = "2.8 tells the sender of a value that it was cancelled before"
  // Upstreams
  case secondSubscription = "2.5 cancels a second subscription"
  case obeysUpstreams = "4.1 asks nothing of an upstream that is over"
  case behindReplaceEmpty = "1.1 gets no more than it demands from an operator that Combine lets send more"
  case behindEarlyEnd = "1.9 gets a subscription first from an operator that Combine lets end without one"
  case behindNestedRequests = "3.2 may request during a request to an operator that Combine lets trap"
  case batches = "a batch is what its values are"
  case arrays = "an array is what as many single sends are, whoever acts amid it"
  // Reentrance
  case sendInValue = "takes a value from within receive(_:)"
  case finishInValue = "takes the end from within receive(_:)"
  case failInValue = "takes a failure from within receive(_:)"
  case endsInLastValue = "finishes with its last value, whatever its upstreams do meanwhile"
  case callsInClosure = "takes a request and a cancellation from within its closures"
  case sendsInClosure = "takes a value from within its closures, and ends once"
  case endsInClosure = "takes the end from within its closures, and ends once"
  case signalsInCancel = "takes signals while it cancels another upstream"
  case cancelInAnyCall = "3.12 may be cancelled in any call, and stops"
  case callsInRelease = "takes signals, requests and cancellations while something is released"
  case answersInSubscription = "3.2 may be answered at once when it requests in receive(subscription:)"
  // Lifetimes
  case releasesDownstream = "3.13 releases its subscriber after the end"
  case releasesClosures = "3.13 releases its closures after the end"
  case releasesUpstreams = "3.13 releases its upstreams after the end"
  // Threads
  case raceOfCancel = "1.3 two threads send while a third cancels"
  case raceOfRequest = "1.3 two threads send while a third requests"
  case raceOfEnd = "1.3 two threads end the stream while a third requests"
  case raceOfSubscription = "1.9 two threads send and end the stream while a third subscribes"
  case greetingIsSerial = "1.3 answers no other thread before receive(subscription:) returns"
  case endInValueIsSerial =
    "1.3 answers no other thread before a value in which an upstream ends has been taken"
  case leftComesFirst = "1.3 sends what was left to a thread before what that thread sends next"
  case leftArrays = "1.3 sends what was left in an array as what was left one by one, whoever acts amid it"
  case noLocks = "holds no lock while it calls others"
  case raceOfCancels = "3.5 three threads cancel and request"

  var testDescription: String { rawValue }

  func check(_ entry: Entry, _ findings: Findings) {
    switch self {
    case .demandIsKept: Self.demandIsKept(entry, findings)
    case .demandAddsUp: Self.demandAddsUp(entry, findings)
    case .returnedDemandAddsUp: Self.returnedDemandAddsUp(entry, findings)
    case .demandOfLastValueCounts: Self.demandOfLastValueCounts(entry, findings)
    case .unlimitedStaysUnlimited: Self.unlimitedStaysUnlimited(entry, findings)
    case .asksForEverything: Self.asksForEverything(entry, findings)
    case .asksBesideSlowThread: Self.asksBesideSlowThread(entry, findings)
    case .sendsBesideSlowThread: Self.sendsBesideSlowThread(entry, findings)
    case .requestInSubscription: Self.requestInSubscription(entry, findings)
    case .requestInValue: Self.requestInValue(entry, findings)
    case .boundedRecursion: Self.boundedRecursion(entry, findings)
    case .subscriptionComesFirst: Self.subscriptionComesFirst(entry, findings)
    case .subscribersAreEqual: Self.subscribersAreEqual(entry, findings)
    case .finishes: Self.finishes(entry, findings)
    case .fails: Self.fails(entry, findings)
    case .endIsFinal: Self.endIsFinal(entry, findings)
    case .lateSignalsAfterEnd: Self.lateSignalsAfterEnd(entry, findings)
    case .finishNeedsNoDemand: Self.finishNeedsNoDemand(entry, findings)
    case .failureNeedsNoDemand: Self.failureNeedsNoDemand(entry, findings)
    case .cancelStops: Self.cancelStops(entry, findings)
    case .cancelStopsBatches: Self.cancelStopsBatches(entry, findings)
    case .cancelInSubscription: Self.cancelInSubscription(entry, findings)
    case .cancelInCompletion: Self.cancelInCompletion(entry, findings)
    case .cancelReachesUpstreams: Self.cancelReachesUpstreams(entry, findings)
    case .cancelOnce: Self.cancelOnce(entry, findings)
    case .requestAfterCancel: Self.requestAfterCancel(entry, findings)
    case .lateSignalsAfterCancel: Self.lateSignalsAfterCancel(entry, findings)
    case .refusesAfterCancel: Self.refusesAfterCancel(entry, findings)
    case .secondSubscription: Self.secondSubscription(entry, findings)
    case .obeysUpstreams: Self.obeysUpstreams(entry, findings)
    case .behindReplaceEmpty: Self.behindReplaceEmpty(entry, findings)
    case .behindEarlyEnd: Self.behindEarlyEnd(entry, findings)
    case .behindNestedRequests: Self.behindNestedRequests(entry, findings)
    case .batches: Self.batches(entry, findings)
    case .arrays: Self.arrays(entry, findings)
    case .sendInValue: Self.sendInValue(entry, findings)
    case .finishInValue: Self.endInValue(entry, findings) { $0.finish() }
    case .failInValue: Self.endInValue(entry, findings) { $0.fail() }
    case .endsInLastValue: Self.endsInLastValue(entry, findings)
    case .callsInClosure: Self.callsInClosure(entry, findings)
    case .sendsInClosure: Self.sendsInClosure(entry, findings)
    case .endsInClosure: Self.endsInClosure(entry, findings)
    case .signalsInCancel: Self.signalsInCancel(entry, findings)
    case .cancelInAnyCall: Self.cancelInAnyCall(entry, findings)
    case .callsInRelease: Self.callsInRelease(entry, findings)
    case .answersInSubscription: Self.answersInSubscription(entry, findings)
    case .releasesDownstream: Self.releasesDownstream(entry, findings)
    case .releasesClosures: Self.releasesClosures(entry, findings)
    case .releasesUpstreams: Self.releasesUpstreams(entry, findings)
    case .raceOfCancel: Self.raceOfCancel(entry, findings)
    case .raceOfRequest: Self.raceOfRequest(entry, findings)
    case .raceOfEnd: Self.raceOfEnd(entry, findings)
    case .raceOfSubscription: Self.raceOfSubscription(entry, findings)
    case .greetingIsSerial: Self.greetingIsSerial(entry, findings)
    case .endInValueIsSerial: Self.endInValueIsSerial(entry, findings)
    case .leftComesFirst: Self.leftComesFirst(entry, findings)
    case .leftArrays: Self.leftArrays(entry, findings)
    case .noLocks: Self.noLocks(entry, findings)
    case .raceOfCancels: Self.raceOfCancels(entry, findings)
    }
  }

  /// Whether the rule says anything about such an entry.
  func applies(to entry: Entry) -> Bool {
    switch self {
    case .signalsInCancel, .cancelInAnyCall, .answersInSubscription, .lateSignalsAfterEnd,
      .lateSignalsAfterCancel,
      .cancelReachesUpstreams, .cancelOnce,
      .requestAfterCancel, .asksForEverything, .asksBesideSlowThread, .sendsBesideSlowThread,
      .behindReplaceEmpty, .behindEarlyEnd,
      .secondSubscription, .obeysUpstreams, .releasesUpstreams, .raceOfCancels:
      entry.kind == .attached
    case .refusesAfterCancel:
      entry.kind == .attached && !entry.traits.contains(.sendsNoValues)
    case .behindNestedRequests:
      // It traps where the subscriber is the end of the stream.
      entry.kind == .attached && entry.exceptions[.behindEarlyEnd] == nil
    case .finishNeedsNoDemand, .failureNeedsNoDemand:
      entry.kind != .fixed && !entry.traits.contains(.neverEnds)
    case .finishes:
      !entry.traits.contains(.neverEnds)
    case .fails:
      entry.kind != .fixed && entry.canFail
    case .batches, .cancelStopsBatches, .raceOfSubscription, .leftComesFirst, .leftArrays:
      entry.kind != .fixed
    case .arrays:
      entry.kind == .attached || entry.type is any Subject.Type
    case .boundedRecursion:
      entry.kind != .hot && !entry.traits.contains(.sendsNoValues)
    case .requestInValue, .returnedDemandAddsUp, .demandOfLastValueCounts, .endInValueIsSerial, .cancelStops,
      .sendInValue, .finishInValue, .failInValue,
      .endsInLastValue:
      !entry.traits.contains(.sendsNoValues)
    default: true
    }
  }
}
