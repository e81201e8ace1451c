/// Where values come from. Names and numbers tell the sources of one pipeline apart.
public enum Source: Hashable, Sendable {
  /// A publisher that does what the script says and writes down what is asked of it.
  case probe(Int, ProbeMode)
  case passthrough(Int)
  case currentValue(Int, Int)
  /// The script fulfils it.
  case future(Int)
  case futureNow(Int, succeeds: Bool)
  case just(Int)
  case optional(Int?)
  case result(Int, succeeds: Bool)
  case empty(completes: Bool)
  case fail(Int)
  case sequence(Int)
  case record(Int, fails: Bool)
  /// A source with an operator that it may have of its own, not erased in between.
  case special(SpecialSource, Step)
}

public enum ProbeMode: String, Hashable, CaseIterable, Sendable, CustomStringConvertible {
  /// Sends when the script says so, and only what was asked for.
  case polite
  /// Answers requests at once, some of them.
  case eager
  /// Sends its subscription only when the script says so.
  case late
}

public enum SpecialSource: String, Hashable, CaseIterable, Sendable, CustomStringConvertible {
  case just
  case optional
  case none
  case success
  case failure
  case sequence

  /// Whether its type says that it can fail.
  var canFail: Bool { [.success, .failure, .sequence].contains(self) }
}

/// An operator of `operators.txt` with its numbers.
public struct Step: Hashable, Sendable, CustomStringConvertible {
  public let name: String
  public let numbers: [Int]

  public init(name: String, numbers: [Int] = []) {
    self.name = name
    self.numbers = numbers
  }

  /// A number; 0 where there is none.
  public subscript(_ index: Int) -> Int { index < numbers.count ? numbers[index] : 0 }

  public var description: String {
    numbers.isEmpty ? name : "\(name)(\(numbers.map(String.init).joined(separator: ", ")))"
  }

  enum Family { case transform, filter, reduce, failing, special, timed, fused }

  /// Behind which sources an operator stands with nothing erased in between.
  enum Place {
    case anywhere
    /// Behind those that can fail, and those that cannot.
    case fails, safe
    case erased
  }

  /// An operator that can be chosen, and its numbers.
  struct Kind {
    let family: Family
    let name: String
    let numbers: [ClosedRange<Int>]
    let place: Place

    init(_ family: Family, _ name: String, _ numbers: [ClosedRange<Int>], _ place: Place) {
      self.family = family
      self.name = name
      self.numbers = numbers
      self.place = place
    }
  }
}

/// Operators with several downstreams.
public enum Sharing: Hashable, Sendable {
  case share
  case autoconnect(SubjectKind)
  case multicast(Int, SubjectKind)
  case makeConnectable(Int)
  case makeConnectableAutoconnect
  case throughSubject(SubjectKind)
}

public enum SubjectKind: String, Hashable, CaseIterable, Sendable, CustomStringConvertible {
  case passthrough
  case currentValue
}

/// Operators with several upstreams, or with publishers made on the way.
public enum Join: Hashable, Sendable {
  case zip(transforms: Bool)
  case append
  case prepend
  case appendValues(Int)
  case prependValues(Int)
  case prefixUntilOutput
  case dropUntilOutput
  case flatMap(Int?)
  case switchToLatest
  case deferred
  case catching
  case tryCatching(Int)
}

public enum Operator: Hashable, Sendable {
  case source(Source)
  case step(Step)
  case sharing(Sharing)
  case join(Join)

  public static func step(_ name: String, _ numbers: Int...) -> Operator {
    .step(Step(name: name, numbers: numbers))
  }

  private var detail: Any {
    switch self {
    case .source(let detail): detail
    case .step(let detail): detail
    case .sharing(let detail): detail
    case .join(let detail): detail
    }
  }

  /// The operator that a special source is followed by.
  public var stepName: String? {
    if case .source(.special(_, let step)) = self { step.name } else { nil }
  }

  /// The operator's name without its arguments.
  public var name: String { String(description.prefix { $0 != "(" }) }
}

extension Operator: CustomStringConvertible {
  public var description: String {
    "\(detail)"
  }
}

extension CustomStringConvertible where Self: RawRepresentable<String> {
  public var description: String { rawValue }
}
