import Plan

/// A difference that is meant to be.
///
/// It looks at the first lines that differ, in traces that say what passed each operator. What comes after them is not
/// compared any more, so an exclusion covers as little as it can.
struct Exclusion {
  let name: String
  /// A small case with this difference, which `--shown` runs.
  var shownBy: Case?
  let covers: (Difference) -> Bool
}

let exclusions: [Exclusion] =
  orderExclusions + endExclusions + zipExclusions + flatMapExclusions + sharingExclusions
  + handshakeExclusions + otherExclusions

/// Combine goes through its subscribers in their order, so that is what Streams does.
private let orderExclusions = [
  Exclusion(name: "OpenCombine's subjects and flatMap go through hash tables") {
    $0.ours.anonymous == $0.theirs.anonymous
      || $0.streams.map(\.anonymous).sorted() == $0.openCombine.map(\.anonymous).sorted()
  }
]

/// What `print` and `handleEvents` say at an end.
private let endings = [
  "receive finished", "receive error", "receive cancel", "handle finished", "handle fault", "handle cancel",
]

/// After the end nothing is sent, and what is asked for has no effect: Reactive Streams' rules 1.7, 1.8, 3.5 and 3.6.
/// (Where Combine's own tests say that an operator goes on, both libraries do, and there is no difference.)
private let endExclusions = [
  Exclusion(name: "OpenCombine sends something after a completion or cancellation") {
    ($0.theirs.isValue || $0.theirs.isCompletion) && $0.theirs.name != "source"
      && $0.isOver($0.theirs.instance)
  },
  Exclusion(name: "only one of the two asks or cancels an upstream that is over") { difference in
    [difference.ours, difference.theirs].contains {
      ($0.isRequest || $0.isCancel) && difference.isOver($0.instance)
    }
  },
  Exclusion(name: "OpenCombine passes a request or cancellation on that comes after the completion") {
    guard $0.has("print", "printPrint", "handleEvents") else { return false }
    let start = $0.openCombine.prefix(2).map(\.text)
    let isLate = ["written", "handle request", "handle cancel"].contains { start[0].contains($0) }
    return isLate && start.contains { $0.contains("request") || $0.contains("cancel") }
      && $0.before.contains { line in endings.contains { line.text.contains($0) } }
  },
  Exclusion(
    name: "a publisher whose subscription comes after the end is cancelled; OpenCombine requests values"
  ) {
    $0.has("flatMap", "dropUntilOutput", "switchToLatest") && $0.ours.isCancel
      && ($0.ours.instance == $0.last.instance
        || $0.ours.instance == $0.theirs.instance && $0.theirs.isRequest)
  },
  Exclusion(name: "OpenCombine's dropUntilOutput passes requests on after its completion") {
    $0.theirs.isRequest && $0.hasCompleted(any: "dropUntilOutput")
  },
  Exclusion(name: "OpenCombine's timeout schedules a second completion too, as dropUntilOutput can send") {
    $0.has("timeout") && $0.theirs.text.hasPrefix("    clock: schedule")
      && $0.hasCompleted(any: "dropUntilOutput")
  },
  Exclusion(name: "OpenCombine's timeout begins anew at a request that comes after the upstream's completion")
  {
    $0.last.name == "timeout" && $0.last.isRequest && $0.theirs.text == "    clock: now"
  },
  Exclusion(name: "a sink that is cancelled before its subscription is over; OpenCombine's takes it") {
    $0.last.isSubscription && $0.ours.isCancel && $0.theirs.isRequest
      && $0.ours.instance == $0.last.instance && $0.theirs.instance == $0.last.instance
  },
  Exclusion(name: "buffer tells an end that comes at once when its subscription has been received") {
    ["buffer", "bufferBuffer"].contains($0.theirs.name) && $0.theirs.isCompletion
      && !($0.isSubscribed($0.theirs.instance) && $0.isAsked($0.theirs.instance))
  },
  Exclusion(name: "flatMap keeps a place until its last value is taken; OpenCombine asks at once") {
    $0.has("flatMap") && $0.theirs.isRequest
  },
  Exclusion(name: "buffer sends in turn what comes while it sends; OpenCombine's lets it overtake") {
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
  Exclusion(name: "drop(untilOutputFrom:) leaves its upstream when it ends; OpenCombine's stays subscribed") {
    $0.has("dropUntilOutput") && $0.ours.isCancel
  },
  Exclusion(
    name: "zip asks the others for what a delivery returns; OpenCombine's only the one that sent last"
  ) {
    $0.has("zip") && ($0.ours.isRequest || $0.theirs.isRequest)
  },
  Exclusion(name: "an upstream is asked when the subscription has been given; OpenCombine's also in between")
  {
    let waits = $0.has(
      "receiveOn", "receiveOnReceiveOn", "delay", "timeout", "buffer", "bufferBuffer", "subscribeOn")
    return waits && $0.theirs.isRequest && !$0.isAsked($0.theirs.instance)
  },
  Exclusion(name: "prefix(untilOutputFrom:) ends after its subscription; OpenCombine's also before it") {
    $0.theirs.name == "prefixUntilOutput" && $0.theirs.isCompletion && !$0.isSubscribed($0.theirs.instance)
  },
  Exclusion(name: "a second buffer gets that end too; OpenCombine's loses what comes before its subscription")
  {
    let follows = $0.last.isRequest || $0.last.isSubscription
    return $0.ours.name == "bufferBuffer" && follows && $0.last.instance == $0.ours.instance
      || $0.has("bufferBuffer") && $0.last.isSubscription && $0.theirs.text.contains("terminal=nil")
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
          Pipeline(.just(5), .step(Step(name: "subscribeOn")), .step(Step(name: "breakpoint"))),
        ]),
      Pipeline(.empty(completes: true)),
    ]),
  script: Script(initial: .unlimited, actions: [.advance(20)]))

private let zipExclusions = [
  Exclusion(name: "OpenCombine's zip does not expect to be called while it sends") {
    $0.isSending(any: "zip")
  },
  Exclusion(name: "zip ends after its subscription; OpenCombine also before it") {
    $0.theirs.name == "zip" && $0.theirs.isCompletion && !$0.isSubscribed($0.theirs.instance)
  },
  Exclusion(name: "zip is over when it has sent its completion; OpenCombine's still asks, cancels and sends")
  {
    $0.hasCompleted(any: "zip")
  },
  Exclusion(name: "zip returns what was requested while it sent too") {
    $0.has("zip") && $0.ours.isReturn && $0.theirs.isReturn && $0.ours.instance == $0.theirs.instance
  },
  Exclusion(
    name: "OpenCombine's zip traps on late subscriptions, values sent while it sends, and its release"
  ) {
    $0.has("zip") && $0.theirs.isTrap
  },
]

private let flatMapExclusions = [
  Exclusion(name: "flatMap asks a child for unlimited once; OpenCombine whenever it is itself asked") {
    let theirs = $0.theirs
    return $0.has("flatMap") && theirs.event == "is asked for unlimited"
      && $0.last.event == "is asked for unlimited" && $0.before.contains { $0.text == theirs.text }
  },
  Exclusion(name: "flatMap goes by what it was asked for while it sent; OpenCombine at the next request") {
    let isAsked = $0.ours.event == "is asked for unlimited"
    return $0.last.name == "flatMap" && $0.last.isReturn
      && (isAsked || $0.ours.name == "flatMap" && $0.ours.isValue)
      || isAsked && $0.has("flatMap") && $0.last.isRequest
  },
  Exclusion(name: "OpenCombine's flatMap goes on after its completion or cancellation") {
    $0.hasEnded(any: "flatMap")
  },
  Exclusion(name: "flatMap sends one thing after the other; OpenCombine also one within another") {
    $0.theirs.name == "flatMap" && ($0.theirs.isValue || $0.theirs.isCompletion)
      && $0.isSending($0.theirs.instance)
  },
  Exclusion(name: "flatMap notices a child that ends before its subscription, as prefixUntilOutput can") {
    difference in
    difference.ours.name == "flatMap" && difference.ours.isCompletion
      && difference.before.contains { end in
        end.name == "prefixUntilOutput" && end.isCompletion
          && !difference.before.prefix { $0.text != end.text }.contains {
            $0.instance == end.instance && $0.isSubscription
          }
      }
  },
]

private let sharingNames: Set<Substring> = [
  "share", "shareShare", "autoconnect", "makeConnectableAutoconnect", "multicast", "makeConnectable",
  "throughSubject",
]

private let sharingExclusions = [
  Exclusion(name: "OpenCombine's autoconnect counts a second cancellation, or one after the end, again") {
    ($0.theirs.isCancel || $0.theirs.isSubscription || $0.theirs.name == "source")
      && $0.isEndedTwice(sharingNames)
  },
  // The subscriber's cancellation finds no connection to give up, and so the connection is made for nobody.
  Exclusion(
    name:
      "who cancels before the connection is made gives it up; OpenCombine's autoconnect makes it anyway",
    shownBy: cancelledAtOnce(.probe(1, .polite), .sharing(.share))
  ) {
    $0.theirs.begins && $0.isCancelled(any: sharingNames)
  },
  // Here it finds none because that is just being made; what is then kept, nobody can cancel any more.
  Exclusion(
    name: "who cancels while the connection is made gives it up; OpenCombine's autoconnect keeps it",
    shownBy: Case(
      pipeline: Pipeline(.probe(1, .eager), .sharing(.share)),
      script: Script(initial: .unlimited, reactions: [Reaction(.value(0), .cancel(recorder: 0))]))
  ) {
    $0.ours.isCancel && !$0.theirs.isRequest && $0.isCancelled(any: sharingNames)
  },
  Exclusion(
    name:
      "who subscribes after that connects anew; OpenCombine's autoconnect takes the old connection for alive",
    shownBy: Case(
      pipeline: Pipeline(.result(3, succeeds: true), .step(Step(name: "print")), .sharing(.share)),
      script: Script(
        initial: .unlimited, reactions: [Reaction(.completion, .cancel(recorder: 0))], actions: [.subscribe]))
  ) {
    $0.ours.begins && $0.isCancelled(any: sharingNames)
  },
  // OpenCombine's knows of its connection only when that has been made.
  Exclusion(
    name:
      "who subscribes while the connection is made joins it; OpenCombine's autoconnect connects once more",
    shownBy: Case(
      pipeline: Pipeline(
        .fail(3), .step(Step(name: "print")), .sharing(.share), .step(Step(name: "retry", numbers: [2]))),
      script: Script(initial: .unlimited))
  ) {
    $0.theirs.begins && $0.countOfInstances(of: sharingNames) > 1
  },
]

// MARK: - Cancelled in the handshake

/// A subscriber that asks for a value in its handshake, and cancels there.
private func cancelledAtOnce(_ source: Source, _ last: Operator) -> Case {
  Case(
    pipeline: Pipeline(source, last),
    script: Script(
      initial: .max(1), reactions: [Reaction(.subscription, .cancel(recorder: 0))],
      actions: [.advance(4), .greet(source: 1)]))
}

private let handshakeExclusions = [
  // OpenCombine's has no subscription to cancel then, and takes the next as if nothing had happened.
  Exclusion(
    name:
      "dropFirst that was cancelled in its handshake takes no upstream; OpenCombine's subscribes and asks",
    shownBy: cancelledAtOnce(.probe(1, .polite), .step(Step(name: "dropFirst", numbers: [1])))
  ) {
    let isCancelled = $0.isCancelled(any: ["dropFirst", "dropFirstDropFirst"])
    return isCancelled && ($0.theirs.begins || $0.theirs.isRequest && $0.ours.isCancel)
  },
  // With a scheduler that runs actions at once, values would come within the handshake.
  Exclusion(
    name: "subscribe(on:) schedules what is requested in its handshake after that; OpenCombine's at once",
    shownBy: cancelledAtOnce(.probe(1, .polite), .step(Step(name: "subscribeOn")))
  ) {
    $0.last.name == "subscribeOn" && $0.last.isRequest && $0.theirs.text.hasPrefix("    clock: schedule,")
  },
]

/// Operators that subscribe to one publisher after another.
private let successions = ["append", "prepend", "catch", "tryCatch", "retry"]

/// Each attempt fails while its own handshake is under way.
private let retriedWithinTheHandshake = Case(
  pipeline: Pipeline(
    .step(Step(name: "timeout", numbers: [5, 0])),
    [
      Pipeline(
        .step(Step(name: "retry", numbers: [3])),
        [
          Pipeline(
            .join(.dropUntilOutput), [Pipeline(.record(1, fails: false)), Pipeline(.record(0, fails: true))])
        ])
    ]),
  script: Script(actions: [.request(recorder: 0, .unlimited)]))

private let otherExclusions = [
  // Here the timeout, too, begins anew in OpenCombine, for a stream that is over: see the end exclusions.
  Exclusion(
    name: "a second publisher is subscribed to after the handshake; OpenCombine's also within it",
    shownBy: retriedWithinTheHandshake
  ) {
    difference in
    let follows = difference.names.contains { name in successions.contains { name.hasPrefix($0) } }
    let comesLater = difference.streams.contains { $0.anonymous == difference.theirs.anonymous }
    // What the subscriber does in its handshake may be an end; OpenCombine's second publisher came before.
    let reaction = difference.streams.first { !$0.isReturn }
    let isFirst = difference.openCombine.contains { $0.isAction && $0.text == reaction?.text }
    let goesOn =
      difference.theirs.begins
      || (successions + ["special"]).contains { difference.theirs.name.hasPrefix($0) }
    return follows && (comesLater || isFirst && goesOn)
  },
  Exclusion(name: "switchToLatest asks the new publisher for what is returned for a value of the old one") {
    $0.last.name == "switchToLatest" && $0.last.isReturn
      && ($0.ours.isRequest || $0.ours.isReturn && $0.ours.instance == $0.theirs.instance)
  },
  Exclusion(name: "replaceError and replaceEmpty send their value once; OpenCombine at each request") {
    let theirs = $0.theirs
    return ["replaceError", "replaceEmpty", "setFailureTypeTwice"].contains(theirs.name) && theirs.isValue
      && $0.before.contains { $0.text == theirs.text }
  },
  Exclusion(name: "throttle sends the latest value; OpenCombine the latest for which there was demand") {
    $0.ours.name == "throttle" && $0.ours.isValue && $0.ours.instance == $0.theirs.instance
      && $0.theirs.isValue
  },
]
