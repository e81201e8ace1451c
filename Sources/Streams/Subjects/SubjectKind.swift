/// The subjects that share one implementation.
@frozen
@usableFromInline
enum SubjectKind: String {
  case passthrough = "PassthroughSubject"
  case currentValue = "CurrentValueSubject"
  case published = "PublishedSubject"
  case objectWillChange = "ObservableObjectPublisher"
  case replay = "ReplaySubject"

  /// Whether a subscriber that was behind on demand gets the latest value, or several, when it requests.
  @inlinable
  var keepsLatest: Bool {
    switch self {
    case .currentValue, .published, .replay: true
    case .passthrough, .objectWillChange: false
    }
  }

  /// Whether only the latest value is kept.
  var keepsOnlyLatest: Bool { keepsLatest && self != .replay }

  /// Whether every request, even one for no values, is a request for all.
  var ignoresDemand: Bool {
    switch self {
    case .objectWillChange: true
    case .passthrough, .currentValue, .published, .replay: false
    }
  }
}
