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
  /// A source with the operator that it has of its own, not erased in between; the number chooses the operator.
  case special(SpecialSource, Int)
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
}

/// Operators that give one value for one, or let it be.
public enum Transform: Hashable, Sendable {
  case map(Int)
  case tryMap(Int)
  case mapKeyPath(Int)
  case scan(Int)
  case tryScan(Int)
  case replaceNil(Int)
  case collectByCount(Int)
  case encode
  case decode
  case print
  case handleEvents
  case handleNothing
  case breakpoint
  case breakpointOnError
  case buffer(Int, keepFull: Bool, BufferStrategy)
  case text
  case list
}

public enum BufferStrategy: String, Hashable, CaseIterable, Sendable, CustomStringConvertible {
  case dropOldest
  case dropNewest
  case fails
}

/// Operators that drop values or end early.
public enum Filter: Hashable, Sendable {
  case filter(Int)
  case tryFilter(Int)
  case compactMap(Int)
  case tryCompactMap(Int)
  case removeDuplicates
  case removeDuplicatesBy(Int)
  case tryRemoveDuplicates(Int)
  case replaceEmpty(Int)
  case ignoreOutput
  case dropFirst(Int)
  case dropWhile(Int)
  case tryDropWhile(Int)
  case prefix(Int)
  case prefixWhile(Int)
  case tryPrefixWhile(Int)
  case outputAt(Int)
  case outputIn(Int, Int)
}

/// Operators that give one value at most.
public enum Reduce: Hashable, Sendable {
  case collect
  case reduce
  case tryReduce(Int)
  case count
  case min
  case max
  case minBy
  case maxBy
  case tryMinBy(Int)
  case tryMaxBy(Int)
  case contains(Int)
  case containsWhere(Int)
  case tryContainsWhere(Int)
  case allSatisfy(Int)
  case tryAllSatisfy(Int)
  case first
  case last
  case firstWhere(Int)
  case tryFirstWhere(Int)
  case lastWhere(Int)
  case tryLastWhere(Int)
}

/// Operators on failures.
public enum Failing: Hashable, Sendable {
  case mapError
  case replaceError(Int)
  case assertNoFailure
  case retry(Int)
}

/// Operators that need a scheduler.
public enum Timed: Hashable, Sendable {
  case debounce(Int)
  case throttle(Int, latest: Bool)
  case delay(Int)
  case timeout(Int, fails: Bool)
  case measureInterval
  case receiveOn
  case subscribeOn
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

/// Pairs of operators that are not erased in between.
public enum Fused: String, Hashable, CaseIterable, Sendable {
  case mapMap
  case mapTryMap
  case tryMapMap
  case tryMapTryMap
  case filterFilter
  case filterTryFilter
  case tryFilterFilter
  case tryFilterTryFilter
  case compactMapCompactMap
  case compactMapMap
  case mapFilterMap
  case dropFirstDropFirst
  case ignoreOutputIgnoreOutput
  case prefixPrefix
  case scanScan
  case appendAppend
  case prependPrepend
  case mapErrorMapError
  case setFailureTypeTwice
  case removeDuplicatesTwice
  case bufferBuffer
  case receiveOnReceiveOn
  case shareShare
  case printPrint
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
  case transform(Transform)
  case filter(Filter)
  case reduce(Reduce)
  case failing(Failing)
  case timed(Timed)
  case sharing(Sharing)
  case fused(Fused)
  case join(Join)

  private var detail: Any {
    switch self {
    case .source(let detail): detail
    case .transform(let detail): detail
    case .filter(let detail): detail
    case .reduce(let detail): detail
    case .failing(let detail): detail
    case .timed(let detail): detail
    case .sharing(let detail): detail
    case .fused(let detail): detail
    case .join(let detail): detail
    }
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
