import Plan

/// One line of a trace, taken apart: who, and what.
///
/// Operators are numbered in the order in which they were subscribed to, so two lines may be the same but for the
/// numbers.
struct Line {
  let text: String
  /// `flatMap` of `flatMap#2 sends 3`, `source` of `source 1/0 value 3`; empty in other lines.
  let name: Substring
  /// `flatMap#2`, `source 1/0`
  let instance: Substring
  /// `sends 3`, `value 3`
  let event: Substring

  init(_ text: String) {
    self.text = text
    let line = text.drop { $0 == " " }
    let words = line.split(separator: " ", maxSplits: 1)
    if words.count == 2, words[0] == "source" {
      let more = words[1].split(separator: " ", maxSplits: 1)
      name = words[0]
      instance = "source \(more[0])"
      event = more.count == 2 ? more[1] : ""
    } else if words.count == 2, let hash = words[0].firstIndex(of: "#") {
      name = words[0][..<hash]
      instance = words[0]
      event = words[1]
    } else {
      (name, instance, event) = ("", "", "")
    }
  }

  var isRequest: Bool { event.hasPrefix("is asked for") || event.hasPrefix("request ") }
  var isCancel: Bool { event == "is cancelled" || event == "cancel" }
  var isReturn: Bool { event.hasPrefix("is returned") }
  var isSubscription: Bool { event == "sends its subscription" || event == "subscription" }
  /// Whether it may be the first that is heard of an upstream that is being subscribed to.
  var begins: Bool {
    isSubscription || event == "has a subscriber" || text.hasPrefix("    clock: ")
      || text.hasPrefix("    catch of") || text.hasPrefix("    tryCatch of")
      || ["    deferred", "    makes a subject", "    written: \"\"", "    breakpoint at subscription"]
        .contains(text)
  }
  var isCompletion: Bool {
    ["sends finished", "finished"].contains(event) || event.hasPrefix("sends fault")
      || event.hasPrefix("fault")
  }
  var isValue: Bool {
    event.hasPrefix("value") || event.hasPrefix("sends ") && !isCompletion && !isSubscription
  }
  /// Whether it is something that the script does.
  var isAction: Bool { text.drop { $0 == " " }.hasPrefix("-- ") }
  var isTrap: Bool { text == "trapped" }

  /// The line without the numbers that tell instances apart.
  var anonymous: String {
    var previous = Substring()
    return text.split(separator: " ").map { word in
      defer { previous = word }
      if ["recorder", "sink", "source"].contains(previous) { return "" }
      return String(word.prefix { $0 != "#" })
    }.joined(separator: " ")
  }
}

/// Where two traces part.
struct Difference {
  let plan: Case
  let names: Set<String>
  /// Whether there is none with taps, which hold what they stand between.
  let goesWithTaps: Bool
  /// The lines before the difference, the same in both.
  let before: [Line]
  /// The first line that differs, and what follows it; never empty.
  let streams: [Line]
  let openCombine: [Line]

  init(plan: Case, goesWithTaps: Bool, streams: [String], openCombine: [String]) {
    self.plan = plan
    self.goesWithTaps = goesWithTaps
    names = plan.pipeline.names
    let common = zip(streams, openCombine).prefix { $0 == $1 }.count
    before = streams[..<common].map(Line.init)
    self.streams = (streams[common...] + ["(nothing)"]).map(Line.init)
    self.openCombine = (openCombine[common...] + ["(nothing)"]).map(Line.init)
  }

  var ours: Line { streams[0] }
  var theirs: Line { openCombine[0] }
  var last: Line { before.last ?? Line("") }

  /// Whether the pipeline has one of these operators.
  func has(_ names: String...) -> Bool { !self.names.isDisjoint(with: names) }

  /// Whether an operator has sent its completion.
  func hasCompleted(_ instance: Substring) -> Bool {
    before.contains { $0.instance == instance && $0.isCompletion }
  }

  func isCancelled(_ instance: Substring) -> Bool {
    before.contains { $0.instance == instance && $0.isCancel }
  }

  /// Whether an operator has completed or was cancelled.
  func isOver(_ instance: Substring) -> Bool { hasCompleted(instance) || isCancelled(instance) }

  func isSubscribed(_ instance: Substring) -> Bool {
    before.contains { $0.instance == instance && $0.isSubscription }
  }

  func isAsked(_ instance: Substring) -> Bool { before.contains { $0.instance == instance && $0.isRequest } }

  /// Whether an operator waits for a value that it sent to be received.
  func isSending(_ instance: Substring) -> Bool {
    let own = before.filter { $0.instance == instance }
    return own.count(where: \.isValue) > own.count(where: \.isReturn)
  }

  func isSending(any name: Substring) -> Bool {
    Set(before.filter { $0.name == name }.map(\.instance)).contains { isSending($0) }
  }

  func isCancelled(any names: Set<Substring>) -> Bool {
    before.contains { names.contains($0.name) && $0.isCancel }
  }

  func countOfInstances(of names: Set<Substring>) -> Int {
    Set(before.filter { names.contains($0.name) }.map(\.instance)).count
  }

  func hasCompleted(any name: Substring) -> Bool { before.contains { $0.name == name && $0.isCompletion } }

  func hasEnded(any name: Substring) -> Bool {
    before.contains { $0.name == name && ($0.isCompletion || $0.isCancel) }
  }

  /// Whether one of these operators was cancelled after it was over.
  func isEndedTwice(_ names: Set<Substring>) -> Bool {
    var over: Set<Substring> = []
    for line in before where names.contains(line.name) && (line.isCancel || line.isCompletion) {
      if !over.insert(line.instance).inserted { return true }
    }
    return false
  }
}
