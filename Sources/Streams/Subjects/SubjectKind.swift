/// What tells subjects apart that share one implementation.
@frozen
@usableFromInline
enum SubjectKind: String {
  case passthrough = "PassthroughSubject"
  case currentValue = "CurrentValueSubject"
  case published = "PublishedSubject"
  case objectWillChange = "ObservableObjectPublisher"
  case replay = "ReplaySubject"

  /// Whether a subscriber that was behind on demand is given the latest value, or several, when it requests.
  @inlinable
  var keepsLatest: Bool {
    switch self {
    case .currentValue, .published, .replay: true
    case .passthrough, .objectWillChange: false
    }
  }

  /// Whether that is the latest value alone.
  var keepsOnlyLatest: Bool { keepsLatest && self != .replay }

  /// Whether a request for any number of values, also for none, is a request for all.
  var ignoresDemand: Bool {
    switch self {
    case .objectWillChange: true
    case .passthrough, .currentValue, .published, .replay: false
    }
  }
}
