/// What happens to some chains of operators: chosen at random, and the same for the same seed.
struct ChainProgram: CustomStringConvertible {
  /// What a chain begins with.
  enum Source {
    case subject(Int)
    /// A subject behind values that come at once.
    case prefixed(Int, count: Int)
    case merged(Int, Int)
    /// As merged, by flatMap.
    case flattened(Int, Int)
  }

  struct Chain: CustomStringConvertible {
    let source: Source
    var operators: [PassingOperator]

    /// Whether somebody who subscribes may be told what was sent before: again, if that has reached an operator behind.
    var replays: Bool { operators.contains { $0.traits.contains(.replays) } }
    var isShared: Bool { operators.contains { $0.traits.contains(.isShared) } }
    var description: String { "\(source) → " + operators.map(\.name).joined(separator: " → ") }
  }

  enum Action: CustomStringConvertible {
    case send(Int, count: Int, asArray: Bool)
    case attach(Int)
    /// Attaches somebody who leaves at a value of this number: at 0, when the subscription comes.
    case visit(Int, until: Int)
    /// Cancels the subscriber of this number, of those there are then.
    case cancel(Int)
    case advance
    /// Sends by way of another thread, which leaves it to this one.
    case leave(Int)
    /// Lets the other thread do something first.
    case pause

    var description: String {
      switch self {
      case .send(let subject, let count, let asArray):
        "send \(count) to \(subject)\(asArray ? " together" : "")"
      case .attach(let chain): "attach to \(chain)"
      case .visit(let chain, let count): "attach to \(chain) until \(count)"
      case .cancel(let place): "cancel \(place)"
      case .advance: "advance"
      case .leave(let subject): "leave one to \(subject)"
      case .pause: "pause"
      }
    }
  }

  /// When somebody acts who is called.
  enum Occasion: CaseIterable {
    case value, closure, cancellation, release
  }

  let seed: UInt64
  var chains: [Chain]
  /// What each thread does, one after another.
  var steps: [[Action]]
  /// What is done at occasions of a kind, counted from 0.
  var reactions: [Occasion: [Int: [Action]]]

  static let subjectCount = 2

  /// Whether nothing is done on another thread.
  var hasOneThread: Bool {
    let actions = steps.flatMap { $0 } + reactions.values.flatMap { $0.values.flatMap { $0 } }
    return steps.count == 1 && !actions.contains { if case .leave = $0 { true } else { false } }
  }

  var description: String {
    let reactions = reactions.flatMap { occasion, actions in
      actions.map { "\(occasion) \($0.key): \($0.value)" }
    }
    return "seed \(seed): chains \(chains), steps \(steps), reactions \(reactions)"
  }
}

extension ChainProgram {
  /// The program with as little as possible of what is still wrong.
  func shrunk(while isWrong: (ChainProgram) -> Bool) -> ChainProgram {
    for smaller in smaller where isWrong(smaller) { return smaller.shrunk(while: isWrong) }
    return self
  }

  /// Programs in which one thing is missing.
  private var smaller: [ChainProgram] {
    var programs: [ChainProgram] = []
    func leaveOut(_ change: (inout ChainProgram) -> Void) {
      programs.append(self)
      change(&programs[programs.count - 1])
    }
    for (occasion, actions) in reactions {
      for count in actions.keys { leaveOut { $0.reactions[occasion]![count] = nil } }
    }
    for thread in steps.indices {
      for step in steps[thread].indices { leaveOut { $0.steps[thread].remove(at: step) } }
    }
    for chain in chains.indices {
      for place in chains[chain].operators.indices {
        leaveOut { $0.chains[chain].operators.remove(at: place) }
      }
    }
    return programs
  }

  init(seed: UInt64, threads: Int) {
    var generator = Generator(seed: seed, threads: threads)
    self.seed = seed
    let chains = (0..<generator.number(1...3)).map { _ in generator.chain() }
    self.chains = chains
    steps = (0..<threads).map { _ in
      (0..<generator.number(2...8)).map { _ in generator.action(chains.count, mayLeave: true) }
    }
    var reactions: [Occasion: [Int: [Action]]] = [:]
    for _ in 0..<generator.number(0...8) {
      let occasion = generator.one(of: Occasion.allCases)
      // There are fewer cancellations.
      let count = generator.number(0...(occasion == .cancellation ? 3 : 12))
      for _ in 0..<generator.number(1...2) {
        let action = generator.action(chains.count, mayLeave: occasion == .value)
        reactions[occasion, default: [:]][count, default: []].append(action)
      }
    }
    self.reactions = reactions
  }

  private struct Generator {
    private var random: SplitMix
    private let threads: Int

    init(seed: UInt64, threads: Int) { (random, self.threads) = (SplitMix(state: seed), threads) }

    mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }
    mutating func one<Element>(of elements: [Element]) -> Element { elements.randomElement(using: &random)! }
    private mutating func subject() -> Int { number(0...ChainProgram.subjectCount - 1) }

    mutating func chain() -> Chain {
      let source: Source =
        switch number(0...6) {
        case 0: .merged(0, 1)
        case 1: .flattened(0, 1)
        case 2, 3: .prefixed(subject(), count: number(1...5))
        default: .subject(subject())
        }
      return Chain(
        source: source, operators: (0..<number(1...4)).map { _ in one(of: one(of: PassingOperator.families)) }
      )
    }

    mutating func action(_ chainCount: Int, mayLeave: Bool) -> Action {
      switch number(0...(threads == 1 ? 12 : 14)) {
      case 0...3: .send(subject(), count: number(1...4), asArray: number(0...1) == 0)
      case 4...6: .attach(number(0...chainCount - 1))
      case 7, 8: .visit(number(0...chainCount - 1), until: number(0...1))
      case 9, 10: .cancel(number(0...9))
      case 11: mayLeave && threads == 1 ? .leave(subject()) : .send(subject(), count: 1, asArray: false)
      case 12: .advance
      default: .pause
      }
    }
  }
}
