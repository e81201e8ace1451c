/// A demand, as the script says it.
public enum Amount: Hashable, Sendable {
  case max(Int)
  case unlimited
}

extension Amount: CustomStringConvertible {
  public var description: String {
    switch self {
    case .max(let count): "\(count)"
    case .unlimited: "unlimited"
    }
  }
}

/// Something that happens to a pipeline.
public enum Action: Hashable, Sendable {
  /// A source sends a value: to all its subscribers, or to one of them.
  case send(source: Int, value: Int, to: Int?)
  case finish(source: Int)
  case fail(source: Int, value: Int)
  /// A late source sends its subscription.
  case greet(source: Int)
  case request(recorder: Int, Amount)
  case cancel(recorder: Int)
  case advance(Int)
  case connect(Int)
  case disconnect(Int)
  /// One more subscriber.
  case subscribe
}

/// When a subscriber reacts to what it receives.
public enum Moment: Hashable, Sendable {
  case subscription
  /// The value with this number, from 0.
  case value(Int)
  case completion
}

public struct Reaction: Hashable, Sendable {
  public var moment: Moment
  public var action: Action

  public init(_ moment: Moment, _ action: Action) {
    self.moment = moment
    self.action = action
  }
}

public struct Script: Hashable, Sendable {
  /// What happens once the first subscriber has subscribed.
  public var actions: [Action] = []
  /// What the first subscriber does while it is being called.
  public var reactions: [Reaction] = []
  /// What subscribers ask for in `receive(subscription:)`; nil: nothing.
  public var initial: Amount?
  /// What subscribers return from `receive(_:)`, over and over.
  public var returned: [Amount] = [.max(0)]
  /// Whether the last subscriber is a sink, which knows no demand.
  public var sinks = false

  public init(
    initial: Amount? = nil, reactions: [Reaction] = [], actions: [Action] = [], returned: [Amount] = [.max(0)]
  ) {
    self.initial = initial
    self.reactions = reactions
    self.actions = actions
    self.returned = returned
  }
}

extension Script: CustomStringConvertible {
  public var description: String {
    var lines = ["demand at first \(initial.map(\.description) ?? "none"), returned \(returned)"]
    if sinks { lines.append("a sink") }
    lines += reactions.map { "at \($0.moment): \($0.action)" }
    lines += actions.map { "\($0)" }
    return lines.joined(separator: "\n")
  }
}

/// All that one comparison needs.
public struct Case: Hashable, Sendable {
  public var pipeline: Pipeline
  public var script: Script

  public init(pipeline: Pipeline, script: Script) {
    self.pipeline = pipeline
    self.script = script
  }
}

/// How a case is run.
public struct RunOptions: Sendable {
  /// Whether all that passes between two operators is written down too.
  public var taps = false
  /// Memory is laid out in another way for each number. What depends on addresses, as the order in a hash table
  /// does, comes out in another way too.
  public var disturbance = 0

  public init(taps: Bool = false, disturbance: Int = 0) {
    self.taps = taps
    self.disturbance = disturbance
  }
}
