import Streams
import Testing

/// A publisher, operator or subject that the rules are applied to.
struct Entry: Sendable, CustomTestStringConvertible {
  /// Where an entry's values come from.
  enum Kind {
    /// It has them itself.
    case fixed
    /// Somebody sends them to it, without a subscription in between.
    case hot
    /// It subscribes to upstreams.
    case attached
  }

  enum Trait {
    /// It never completes of its own accord, or at all.
    case neverEnds
    /// It has no values to send.
    case sendsNoValues
    /// Each of its upstreams may complete it, as in Combine, if that ends before it has sent a value.
    case completesWithEach
  }

  /// The rules that an entry breaks, as Combine does, each with the reason.
  typealias Exceptions = [Rule: String]

  let name: String
  /// The type that the entry covers.
  let type: any Any.Type
  /// Whether what it sends can be a failure.
  let canFail: Bool
  let kind: Kind
  let traits: Set<Trait>
  let exceptions: Exceptions
  /// Builds the publisher.
  let make: @Sendable (Bench) -> any Publisher
  /// What it is in the cases of the catalogue.
  private(set) var operation: CaseOperator?

  /// An entry covers the type of what its closure builds: there is no other way to name it.
  init<P: Publisher>(
    _ name: String, _ kind: Kind = .attached, _ traits: Set<Trait> = [], except exceptions: Exceptions = [:],
    make: @escaping @Sendable (Bench) -> P
  ) {
    self.name = name
    type = P.self
    canFail = P.Failure.self != Never.self
    self.kind = kind
    self.traits = traits
    self.exceptions = exceptions
    self.make = make
  }

  /// This entry, which also says how the operator of this name is applied where a case has it: one that is `failing`
  /// if its function can fail.
  func runs<P: Publisher>(
    _ name: String, failing: Bool = false, _ apply: @escaping (Stream, Given) -> P
  ) -> Entry where P.Output == JSONValue {
    var entry = self
    entry.operation = CaseOperator(name: name, isFailing: failing) { apply($0, $1).eraseToStream() }
    return entry
  }

  var testDescription: String { name }

  /// All entries.
  static let all = [
    sources, subjects, oneUpstream, failing, reductions, severalUpstreams, timed, extras, foundation,
  ].flatMap { $0 }
}

extension Entry.Exceptions {
  /// Both sets of exceptions.
  static func + (first: Self, second: Self) -> Self { first.merging(second) { $1 } }
}
