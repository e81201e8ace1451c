import Plan

let zipExclusions = [
  Exclusion(
    name: "OpenCombine's zip does not expect to be called while it sends",
    shownBy: Case(
      pipeline: Pipeline(
        .join(.zip(transforms: true)), [Pipeline(.probe(1, .eager)), Pipeline(.probe(2, .polite))]),
      script: Script(
        initial: .unlimited, reactions: [Reaction(.value(0), .send(source: 2, value: 6, to: nil))],
        actions: [.send(source: 2, value: 6, to: nil)]))
  ) {
    $0.isSending(any: "zip")
  },
  Exclusion(
    name: "zip ends after its subscription; OpenCombine also before it",
    shownBy: Case(
      pipeline: Pipeline(.join(.zip(transforms: true)), [Pipeline(.fail(2)), Pipeline(.optional(7))]),
      script: Script(initial: .unlimited))
  ) {
    $0.theirs.name == "zip" && $0.theirs.isCompletion && !$0.isSubscribed($0.theirs.instance)
  },
  Exclusion(
    name: "zip is over when it has sent its completion; OpenCombine's still asks, cancels and sends",
    shownBy: Case(
      pipeline: Pipeline(
        .join(.zip(transforms: false)), [Pipeline(.probe(1, .polite)), Pipeline(.optional(7))]),
      script: Script(
        initial: .unlimited, actions: [.send(source: 1, value: 9, to: nil)],
        returned: [.max(2), .max(0), .max(0)]))
  ) {
    $0.hasCompleted(any: "zip")
  },
  Exclusion(
    name: "OpenCombine's zip traps on late subscriptions, values sent while it sends, and its release",
    shownBy: Case(
      pipeline: Pipeline(
        .join(.zip(transforms: false)),
        [Pipeline(.probe(1, .late)), Pipeline(.probe(2, .polite), .step("subscribeOn"))]),
      script: Script(initial: .unlimited, actions: [.advance(20)]))
  ) {
    $0.has("zip") && $0.theirs.isTrap
  },
  Exclusion(
    name: "zip returns what was requested while it sent too; OpenCombine's what its subscriber returned",
    shownBy: Case(
      pipeline: Pipeline(
        .join(.zip(transforms: false)), [Pipeline(.probe(1, .polite)), Pipeline(.sequence(3))]),
      script: Script(
        initial: .unlimited, reactions: [Reaction(.value(0), .request(recorder: 0, .max(1)))],
        actions: [.send(source: 1, value: 1, to: nil)], returned: [.max(1)]))
  ) {
    $0.has("zip") && $0.ours.isReturn && $0.theirs.isReturn && $0.ours.instance == $0.theirs.instance
  },
]

let flatMapExclusions = [
  Exclusion(
    name: "flatMap goes by what it was asked for while it sent; OpenCombine at the next request",
    shownBy: Case(
      pipeline: Pipeline(
        .join(.flatMap(nil)), [Pipeline(.result(0, succeeds: true)), Pipeline(.probe(2, .eager))]),
      script: Script(initial: .max(3), returned: [.max(0), .max(0), .unlimited]))
  ) {
    let isAsked = $0.ours.event == "is asked for unlimited"
    return $0.last.name == "flatMap" && $0.last.isReturn
      && (isAsked || $0.ours.name == "flatMap" && $0.ours.isValue)
      || isAsked && $0.has("flatMap") && $0.last.isRequest
  },
  Exclusion(
    name: "OpenCombine's flatMap goes on after its completion or cancellation",
    shownBy: Case(
      pipeline: Pipeline(
        .step("tryFilter", 4),
        [
          Pipeline(
            .join(.flatMap(1)),
            [
              Pipeline(.result(5, succeeds: true)),
              Pipeline(.probe(2, .polite), .sharing(.autoconnect(.currentValue))),
            ])
        ]),
      script: Script(initial: .unlimited))
  ) {
    $0.hasEnded(any: "flatMap")
  },
  Exclusion(
    name: "flatMap sends one thing after the other; OpenCombine also one within another",
    shownBy: Case(
      pipeline: Pipeline(
        .join(.flatMap(nil)), [Pipeline(.probe(1, .eager)), Pipeline(.record(3, fails: true))]),
      script: Script(
        reactions: [Reaction(.value(0), .send(source: 1, value: 7, to: nil))],
        actions: [.request(recorder: 0, .max(3))]))
  ) {
    $0.theirs.name == "flatMap" && ($0.theirs.isValue || $0.theirs.isCompletion)
      && $0.isSending($0.theirs.instance)
  },
]

let sharingNames: Set<Substring> = [
  "share", "shareShare", "autoconnect", "makeConnectableAutoconnect", "multicast", "makeConnectable",
  "throughSubject",
]

let sharingExclusions = [
  Exclusion(
    name: "OpenCombine's autoconnect counts a second cancellation, or one after the end, again",
    shownBy: Case(
      pipeline: Pipeline(.probe(1, .polite), .sharing(.makeConnectableAutoconnect)),
      script: Script(initial: .unlimited, actions: [.subscribe, .cancel(recorder: 0), .cancel(recorder: 0)]))
  ) {
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
      pipeline: Pipeline(.result(3, succeeds: true), .step("print"), .sharing(.share)),
      script: Script(
        initial: .unlimited, reactions: [Reaction(.completion, .cancel(recorder: 0))], actions: [.subscribe]))
  ) {
    $0.ours.begins && $0.isCancelled(any: sharingNames)
  },
  // OpenCombine's knows of its connection only when that has been made. The second one replaces it, and counts one.
  Exclusion(
    name:
      "who subscribes while the connection is made joins it; OpenCombine's autoconnect connects once more",
    shownBy: Case(
      pipeline: Pipeline(
        .fail(3), .step("print"), .sharing(.share), .step("retry", 2)),
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

let handshakeExclusions = [
  // OpenCombine's has no subscription to cancel then, and takes the next as if nothing had happened.
  Exclusion(
    name:
      "dropFirst that was cancelled in its handshake takes no upstream; OpenCombine's subscribes and asks",
    shownBy: cancelledAtOnce(.probe(1, .polite), .step("dropFirst", 1))
  ) {
    let isCancelled = $0.isCancelled(any: ["dropFirst", "dropFirstDropFirst"])
    return isCancelled && ($0.theirs.begins || $0.theirs.isRequest && $0.ours.isCancel)
  },
  // With a scheduler that runs actions at once, values would come within the handshake.
  Exclusion(
    name: "subscribe(on:) schedules what is requested in its handshake after that; OpenCombine's at once",
    shownBy: cancelledAtOnce(.probe(1, .polite), .step("subscribeOn"))
  ) {
    $0.last.name == "subscribeOn" && $0.last.isRequest && $0.theirs.text.hasPrefix("    clock: schedule,")
  },
]

/// Operators that subscribe to one publisher after another.
private let successions = ["append", "prepend", "catch", "tryCatch", "retry"]

/// Each attempt fails while its own handshake is under way.
private let retriedWithinTheHandshake = Case(
  pipeline: Pipeline(
    .step("timeout", 5, 0),
    [
      Pipeline(
        .step("retry", 3),
        [
          Pipeline(
            .join(.dropUntilOutput), [Pipeline(.record(1, fails: false)), Pipeline(.record(0, fails: true))])
        ])
    ]),
  script: Script(actions: [.request(recorder: 0, .unlimited)]))

let otherExclusions = [
  // Here the timeout, too, begins anew in OpenCombine, for a stream that is over: see the end exclusions.
  Exclusion(
    name: "a second publisher is subscribed to after the handshake; OpenCombine's also within it",
    shownBy: retriedWithinTheHandshake
  ) {
    difference in
    let follows = difference.names.contains { name in successions.contains { name.hasPrefix($0) } }
    let comesLater = difference.streams.contains { $0.anonymous == difference.theirs.anonymous }
    // What the subscriber does in its handshake may be an end; OpenCombine's second publisher came before.
    let reaction = difference.streams.first(where: \.isAction)
    let isFirst = difference.openCombine.contains { $0.isAction && $0.text == reaction?.text }
    let goesOn =
      difference.theirs.begins
      || (successions + ["special"]).contains { difference.theirs.name.hasPrefix($0) }
    return follows && (comesLater || isFirst && goesOn)
  },
  Exclusion(
    name: "switchToLatest asks the new publisher for what is returned for a value of the old one",
    shownBy: Case(
      pipeline: Pipeline(.join(.switchToLatest), [Pipeline(.probe(1, .eager)), Pipeline(.probe(2, .eager))]),
      script: Script(
        initial: .unlimited, reactions: [Reaction(.value(0), .send(source: 1, value: 4, to: 0))],
        returned: [.max(2), .max(0), .max(0)]))
  ) {
    $0.last.name == "switchToLatest" && $0.last.isReturn
      && ($0.ours.isRequest || $0.ours.isReturn && $0.ours.instance == $0.theirs.instance)
  },
  Exclusion(
    name: "throttle sends the latest value; OpenCombine the latest for which there was demand",
    shownBy: Case(
      pipeline: Pipeline(.probe(1, .eager), .step("throttle", 2, 1)),
      script: Script(initial: .max(1), actions: [.advance(2)]))
  ) {
    $0.ours.name == "throttle" && $0.ours.isValue && $0.ours.instance == $0.theirs.instance
      && $0.theirs.isValue
  },
  Exclusion(
    name: "retry takes nothing of an attempt that has failed; OpenCombine's passes it on",
    shownBy: Case(
      pipeline: Pipeline(.currentValue(1, 7), .step("receiveOn"), .step("tryMap", 4), .step("retry", 2)),
      script: Script(
        initial: .unlimited,
        actions: [
          .send(source: 1, value: 5, to: 2), .send(source: 1, value: 2, to: nil), .fail(source: 1, value: 2),
          .advance(20),
        ]))
  ) {
    $0.theirs.isValue && $0.theirs.name == "retry" && $0.ours.isReturn && $0.hasCompleted($0.ours.instance)
  },
  Exclusion(
    name: "replaceError and replaceEmpty send their value once; OpenCombine's again when asked within that",
    shownBy: Case(
      pipeline: Pipeline(.fail(3), .step("replaceError", 9)),
      script: Script(
        reactions: [Reaction(.value(0), .request(recorder: 0, .max(2)))],
        actions: [.request(recorder: 0, .max(2))]))
  ) {
    $0.theirs.isValue && $0.isSending($0.theirs.instance)
      && ["replaceError", "replaceEmpty", "setFailureTypeTwice"].contains($0.theirs.name)
  },
  // What the subscriber does at the end then stands within the request, or after it.
  Exclusion(
    name: "buffer ends when what it answers is over; OpenCombine's ends within that",
    shownBy: Case(
      pipeline: Pipeline(.sequence(2), .step("buffer", 3, 1, 2)),
      script: Script(
        reactions: [
          Reaction(.subscription, .request(recorder: 0, .unlimited)),
          Reaction(.completion, .send(source: 1, value: 6, to: 1)),
        ]))
  ) {
    let isLater = $0.ours.isAction && $0.ours.text.count < $0.theirs.text.count
    return isLater && $0.theirs.text.hasSuffix($0.ours.text) && $0.has("buffer", "bufferBuffer")
  },
]
