import Plan

/// A difference that is meant to be.
///
/// It looks at the first lines that differ, in traces that say what passed each operator. What comes after them is not
/// compared any more, so an exclusion covers as little as it can.
struct Exclusion {
  let name: String
  /// A small case with this difference, which `--shown` runs.
  let shownBy: Case
  let covers: (Difference) -> Bool
}

let exclusions: [Exclusion] =
  orderExclusions + endExclusions + zipExclusions + flatMapExclusions + sharingExclusions
  + handshakeExclusions + otherExclusions

/// Combine goes through its subscribers in their order, so that is what Streams does.
private let orderExclusions = [
  Exclusion(
    name: "OpenCombine's subjects and flatMap go through hash tables",
    shownBy: Case(
      pipeline: Pipeline(.join(.flatMap(nil)), [Pipeline(.sequence(9)), Pipeline(.probe(2, .polite))]),
      script: Script(initial: .unlimited, actions: [.cancel(recorder: 0)]))
  ) {
    guard !$0.names.isDisjoint(with: withSubjects) else { return false }
    return $0.ours.anonymous == $0.theirs.anonymous
      || $0.streams.map(\.anonymous).sorted() == $0.openCombine.map(\.anonymous).sorted()
  }
]

/// What has several subscribers, or publishers, at a time.
private let withSubjects = Set(
  [
    "passthrough", "currentValue", "future", "flatMap",
  ] + sharingNames.map(String.init))

/// What `print` and `handleEvents` say at an end.
private let endings = [
  "receive finished", "receive error", "receive cancel", "handle finished", "handle fault", "handle cancel",
]

/// After the end nothing is sent, and what is asked for has no effect: Reactive Streams' rules 1.7, 1.8, 3.5 and 3.6.
/// (Where Combine's own tests say that an operator goes on, both libraries do, and there is no difference.)
private let endExclusions = [
  Exclusion(
    name: "OpenCombine sends something after a completion or cancellation",
    shownBy: Case(
      pipeline: Pipeline(.fail(0), .step("replaceError", 8)),
      script: Script(actions: [.request(recorder: 0, .max(1)), .request(recorder: 0, .unlimited)]))
  ) {
    ($0.theirs.isValue || $0.theirs.isCompletion) && $0.theirs.name != "source"
      && $0.isOver($0.theirs.instance)
  },
  Exclusion(
    name: "only one of the two asks or cancels an upstream that is over",
    shownBy: Case(
      pipeline: Pipeline(.probe(1, .eager), .step("throttle", 4, 0)),
      script: Script(
        initial: .unlimited, reactions: [Reaction(.value(0), .cancel(recorder: 0))],
        actions: [.finish(source: 1), .advance(4)]))
  ) { difference in
    [difference.ours, difference.theirs].contains {
      ($0.isRequest || $0.isCancel) && difference.isOver($0.instance)
    }
  },
  Exclusion(
    name: "OpenCombine passes a request or cancellation on that comes after the completion",
    shownBy: Case(
      pipeline: Pipeline(.passthrough(1), .step("print"), .step("tryScan", 4)),
      script: Script(initial: .unlimited, actions: [.finish(source: 1), .request(recorder: 0, .unlimited)]))
  ) {
    guard $0.has("print", "printPrint", "handleEvents") else { return false }
    let start = $0.openCombine.prefix(2).map(\.text)
    let isLate = ["written", "handle request", "handle cancel"].contains { start[0].contains($0) }
    return isLate && start.contains { $0.contains("request") || $0.contains("cancel") }
      && $0.before.contains { line in endings.contains { line.text.contains($0) } }
  },
  Exclusion(
    name: "a publisher whose subscription comes after the end is cancelled; OpenCombine requests values",
    shownBy: Case(
      pipeline: Pipeline(.join(.dropUntilOutput), [Pipeline(.probe(1, .eager)), Pipeline(.fail(6))]),
      script: Script(initial: .unlimited))
  ) {
    $0.has("flatMap", "dropUntilOutput", "switchToLatest") && $0.ours.isCancel
      && ($0.ours.instance == $0.last.instance
        || $0.ours.instance == $0.theirs.instance && $0.theirs.isRequest)
  },
  Exclusion(
    name: "OpenCombine's dropUntilOutput passes requests on after its completion",
    shownBy: Case(
      pipeline: Pipeline(
        .join(.dropUntilOutput),
        [
          Pipeline(.probe(1, .polite), .step("delay", 2), .step("buffer", 2, 1, 2)),
          Pipeline(.empty(completes: true)),
        ]),
      script: Script(initial: .unlimited))
  ) {
    $0.theirs.isRequest && $0.hasCompleted(any: "dropUntilOutput")
  },
  Exclusion(
    name: "OpenCombine's timeout begins anew at a request that comes after the upstream's completion",
    shownBy: Case(
      pipeline: Pipeline(.fail(8), .step("timeout", 3, 0)),
      script: Script(actions: [.request(recorder: 0, .max(2))]))
  ) {
    $0.last.name == "timeout" && $0.last.isRequest && $0.theirs.text == "    clock: now"
  },
  Exclusion(
    name: "a sink that is cancelled before its subscription is over; OpenCombine's takes it",
    shownBy: Case(
      pipeline: Pipeline(.probe(1, .polite), .step("subscribeOn"), .sharing(.share)),
      script: Script(initial: .unlimited, actions: [.cancel(recorder: 0), .advance(2)]))
  ) {
    $0.last.isSubscription && $0.ours.isCancel && $0.theirs.isRequest
      && $0.ours.instance == $0.last.instance
  },
  Exclusion(
    name: "buffer tells an end that comes at once when its subscription has been received",
    shownBy: Case(
      pipeline: Pipeline(.probe(1, .eager), .step("tryMap", 3), .step("buffer", 3, 1, 1)),
      script: Script(initial: .unlimited))
  ) {
    ["buffer", "bufferBuffer"].contains($0.theirs.name) && $0.theirs.isCompletion
      && !($0.isSubscribed($0.theirs.instance) && $0.isAsked($0.theirs.instance))
  },
  Exclusion(
    name: "flatMap keeps a place until its last value is taken; OpenCombine asks at once",
    shownBy: Case(
      pipeline: Pipeline(.join(.flatMap(2)), [Pipeline(.probe(1, .eager)), Pipeline(.probe(2, .eager))]),
      script: Script(
        initial: .max(1), actions: [.request(recorder: 0, .max(2))], returned: [.max(0), .max(0), .unlimited])
    )
  ) {
    $0.has("flatMap") && $0.theirs.isRequest
  },
  Exclusion(
    name: "buffer sends in turn what comes while it sends; OpenCombine's lets it overtake",
    shownBy: Case(
      pipeline: Pipeline(.sequence(1), .step("bufferBuffer")),
      script: Script(initial: .unlimited))
  ) {
    let names: Set<Substring> = ["buffer", "bufferBuffer"]
    return names.contains($0.ours.name) || names.contains($0.theirs.name) || $0.has("bufferBuffer")
  },
  // What has sent its completion and is held by nobody is released here; a tap would hold it. The other's
  // subscription that comes then finds nobody to ask for a value.
  Exclusion(
    name: "drop(untilOutputFrom:) is not held by its other publisher; OpenCombine's is",
    shownBy: releasedDrop
  ) {
    $0.goesWithTaps && $0.has("dropUntilOutput")
  },
  Exclusion(
    name: "drop(untilOutputFrom:) leaves its upstream when it ends; OpenCombine's stays subscribed",
    shownBy: Case(
      pipeline: Pipeline(.join(.dropUntilOutput), [Pipeline(.probe(1, .polite)), Pipeline(.fail(7))]),
      script: Script(initial: .unlimited))
  ) {
    $0.has("dropUntilOutput") && $0.ours.isCancel
  },
  Exclusion(
    name: "zip asks the others for what a delivery returns; OpenCombine's only the one that sent last",
    shownBy: Case(
      pipeline: Pipeline(
        .join(.zip(transforms: false)),
        [Pipeline(.currentValue(1, 5), .step("receiveOn")), Pipeline(.probe(2, .eager))]),
      script: Script(initial: .unlimited, actions: [.advance(6)], returned: [.max(1)]))
  ) {
    $0.has("zip") && ($0.ours.isRequest || $0.theirs.isRequest)
  },
  Exclusion(
    name: "an upstream is asked when the subscription has been given; OpenCombine's also in between",
    shownBy: Case(
      pipeline: Pipeline(.just(9), .step("receiveOn")),
      script: Script(initial: .unlimited, reactions: [Reaction(.subscription, .cancel(recorder: 0))]))
  ) {
    let waits = $0.has(
      "receiveOn", "receiveOnReceiveOn", "delay", "timeout", "buffer", "bufferBuffer", "subscribeOn")
    return waits && $0.theirs.isRequest && !$0.isAsked($0.theirs.instance)
  },
  Exclusion(
    name: "prefix(untilOutputFrom:) ends after its subscription; OpenCombine's also before it",
    shownBy: Case(
      pipeline: Pipeline(.join(.prefixUntilOutput), [Pipeline(.just(5)), Pipeline(.currentValue(2, 6))]),
      script: Script(initial: .unlimited))
  ) {
    $0.theirs.name == "prefixUntilOutput" && $0.theirs.isCompletion && !$0.isSubscribed($0.theirs.instance)
  },
  Exclusion(
    name:
      "prefix(untilOutputFrom:) gives operators a subscription before its end; OpenCombine's lets them trap",
    shownBy: Case(
      pipeline: Pipeline(
        .step("removeDuplicates"),
        [Pipeline(.join(.prefixUntilOutput), [Pipeline(.probe(1, .late)), Pipeline(.passthrough(2))])]),
      script: Script(initial: .unlimited, actions: [.send(source: 2, value: 4, to: nil)]))
  ) {
    $0.has("prefixUntilOutput") && $0.goesWithTaps
  },
  Exclusion(
    name: "replaceEmpty asks for no more than operators do; OpenCombine's asks for everything",
    shownBy: Case(
      pipeline: Pipeline(.probe(1, .polite), .step("replaceEmpty", 1), .step("outputIn", 4, 4)),
      script: Script(initial: .unlimited))
  ) {
    $0.has("replaceEmpty") && $0.goesWithTaps
  },
]

/// One that is over before its other publisher's subscription has come.
private let releasedDrop = Case(
  pipeline: Pipeline(
    .join(.flatMap(nil)),
    [
      Pipeline(
        .join(.dropUntilOutput),
        [
          Pipeline(.just(5)),
          Pipeline(.just(5), .step("subscribeOn"), .step("breakpoint")),
        ]),
      Pipeline(.empty(completes: true)),
    ]),
  script: Script(initial: .unlimited, actions: [.advance(20)]))
