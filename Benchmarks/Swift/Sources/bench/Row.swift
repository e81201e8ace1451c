/// The rows of the table: each is one pipeline that both sides build, as far as they have what it takes.
enum Row: String, CaseIterable {
  case sink = "subject → sink"
  case mapFilter = "subject → map → filter → sink"
  case fiveMaps = "subject → 5 × map → sink"
  case sequence = "sequence → sink"
  case sequenceMapFilter = "sequence → map → filter → sink"
  case erased = "subject → map → filter → map, each erased → sink"
  case fiveErased = "subject → 5 × map, each erased → sink"
  case strings = "strings → filter → map → sink"
  case tryMap = "subject → tryMap → compactMap → sink"
  case scan = "subject → scan → sink"
  case removeDuplicates = "subject → removeDuplicates → sink"
  case collect = "subject → collect(16) → sink"
  case flatMap = "subject → flatMap(just) → sink"
  case flatMapSequence = "subject → flatMap(sequence of 8) → sink"
  case switchToLatest = "subject → switchToLatest, 16 values each → sink"
  case switchToJust = "subject → map(just) → switchToLatest → sink"
  case zip = "two subjects → zip → sink"
  case combineLatest = "two subjects → combineLatest → sink"
  case merge = "two subjects → merge → sink"
  case bufferKeepFull = "subject → buffer(16, keepFull) → sink"
  case bufferByRequest = "subject → buffer(16, byRequest) → sink"
  case bufferKept = "subject → buffer(16), 16 values kept, then requested"
  case share = "subject → share → 2 sinks"
  case fanOut = "subject → 100 sinks"
  case currentValue = "current value subject → sink"
  case currentValueTen = "current value subject → 10 sinks"
  case currentValueHundred = "current value subject → 100 sinks"
  case published = "published → sink"
  case publishedTen = "published → 10 sinks"
  case publishedHundred = "published → 100 sinks"
  case chain = "property → chain of 10 → sink"
  case diamond = "property → diamond of 10 → sink"
  case views10 = "10 views → change one, update"
  case views100 = "100 views → change one, update"
  case views1000 = "1000 views → change one, update"
  case views10000 = "10000 views → change one, update"
  case views100000 = "100000 views → change one, update"
  case observables10 = "10 views of observables → change one, update"
  case observables1000 = "1000 views of observables → change one, update"
  case subscribe = "subscribe to subject → map → filter, cancel"
  case batchSink = "batches of 1024 → sink"
  case batchMapFilter = "batches of 1024 → map → filter → sink"
  case batchFiveMaps = "batches of 1024 → 5 × map → sink"
  case batchErased = "batches of 1024 → 5 × map, each erased → sink"
  case batchScan = "batches of 1024 → scan → sink"

  /// How many times as fast as its peer it is to be.
  var bar: Double? {
    switch self {
    case .sink, .mapFilter, .fiveMaps, .sequence, .sequenceMapFilter, .erased, .fiveErased: return 8
    case .strings, .tryMap, .scan, .removeDuplicates, .collect, .flatMap, .flatMapSequence, .switchToLatest,
      .switchToJust,
      .zip, .bufferKeepFull, .bufferByRequest, .bufferKept, .share, .fanOut, .currentValue,
      .currentValueTen, .currentValueHundred, .published, .publishedTen, .publishedHundred, .chain, .diamond:
      return 5
    case .subscribe: return 3
    // An observable object's update has a floor above that of an `ObservableObject`: see Docs/performance.md.
    case .combineLatest, .merge, .views10, .views100, .views1000, .views10000, .views100000, .observables10,
      .observables1000, .batchSink, .batchMapFilter, .batchFiveMaps, .batchErased, .batchScan:
      return nil
    }
  }

  /// The row of this library that this one is measured against.
  var alternative: Row? {
    switch self {
    case .observables10: return .views10
    case .observables1000: return .views1000
    default: return nil
    }
  }

  /// The row whose peer this row is measured against too: a peer without batches sends the values one by one.
  var peer: Row {
    switch self {
    case .batchSink: return .sink
    case .batchMapFilter: return .mapFilter
    case .batchFiveMaps: return .fiveMaps
    case .batchErased: return .fiveErased
    case .batchScan: return .scan
    default: return self
    }
  }
}

/// A pipeline that has been built and waits for values.
struct Pipeline {
  /// What the time is divided by.
  var valuesPerCall = 1
  /// Sends values: as many calls as it is told.
  let run: (_ calls: Int) -> Void
}

/// What every sink adds to, so that no work is dead.
nonisolated(unsafe) var total = 0

@inline(__always)
func add(_ value: Int) { total &+= value }
