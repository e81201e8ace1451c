/// A publisher that plays back values and a completion that were recorded before.
///
/// Values are sent on demand; the completion follows the last one without another request. A recording without
/// values completes immediately.
///
///     let record = Record<Int, Never> { recording in
///       recording.receive(1)
///       recording.receive(2)
///       recording.receive(completion: .finished)
///     }
public struct Record<Output, Failure: Error>: Publisher {
  /// What is played back.
  public let recording: Recording

  /// Makes a publisher of what `record` puts into a new recording.
  public init(record: (inout Recording) -> Void) {
    var recording = Recording()
    record(&recording)
    self.init(recording: recording)
  }

  /// Makes a publisher of a recording.
  public init(recording: Recording) {
    self.recording = recording
  }

  /// Makes a publisher of values and a completion.
  public init(output: [Output], completion: Subscribers.Completion<Failure>) {
    self.init(recording: Recording(output: output, completion: completion))
  }

  /// Plays the recording back to `subscriber`, as fast as it requests values.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    SequenceLoop.start(
      subscriber, sequence: recording.output, completion: recording.completion,
      reflection: .init(
        ended: "Cancelled Events", emptySequence: [Output](), completion: recording.completion))
  }

  /// Values and a completion.
  ///
  /// It is either being recorded, and takes values until it gets its completion, or complete. If the values
  /// and the failure can be encoded, so can a recording.
  public struct Recording {
    /// The values recorded are the publisher's.
    public typealias Input = Output

    /// The values recorded.
    public private(set) var output: [Output]
    /// The completion recorded; `.finished` until there is one.
    public private(set) var completion: Subscribers.Completion<Failure>
    private var isComplete: Bool

    /// Makes an empty recording, to which values can be added.
    public init() {
      output = []
      completion = .finished
      isComplete = false
    }

    /// Makes a complete recording, to which nothing can be added.
    public init(output: [Output], completion: Subscribers.Completion<Failure> = .finished) {
      self.output = output
      self.completion = completion
      isComplete = true
    }

    /// Records a value. Traps when the recording is complete.
    public mutating func receive(_ input: Input) {
      precondition(!isComplete, "a complete recording takes no more values")
      output.append(input)
    }

    /// Records the completion. Traps when the recording is complete.
    public mutating func receive(completion: Subscribers.Completion<Failure>) {
      precondition(!isComplete, "a complete recording takes no second completion")
      self.completion = completion
      isComplete = true
    }
  }
}

extension Record: Codable where Output: Codable, Failure: Codable {}

extension Record.Recording: Codable where Output: Codable, Failure: Codable {
  private enum CodingKeys: CodingKey {
    case output
    case completion
  }

  /// Decodes a complete recording: its values and its completion.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      output: try container.decode([Output].self, forKey: .output),
      completion: try container.decode(Subscribers.Completion<Failure>.self, forKey: .completion))
  }

  /// Encodes the recording, as ``encode(to:)`` does.
  public func encode(into encoder: any Encoder) throws { try encode(to: encoder) }

  /// Encodes the values under `output` and the completion under `completion`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(output, forKey: .output)
    try container.encode(completion, forKey: .completion)
  }
}
