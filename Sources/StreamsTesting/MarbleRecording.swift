import Streams

// MARK: - Recording

extension MarbleScheduler {
  /// Subscribes to `publisher` now, runs all scheduled actions, and returns the recording.
  ///
  ///     #expect(scheduler.record(source.map { $0 + 1 }).marbles == "--2-3|")
  ///
  /// - Parameters:
  ///   - publisher: The publisher to record.
  ///   - initialDemand: The demand at the subscription.
  ///   - length: How far time advances. By default it advances until no action is scheduled any more, which never happens if an
  ///     action repeats itself and is not cancelled.
  @discardableResult
  public func record<P: Publisher>(
    _ publisher: P, initialDemand: Subscribers.Demand = .unlimited, for length: VirtualTime.Stride? = nil
  ) -> RecordingSubscriber<P.Output, P.Failure> {
    let recorder = RecordingSubscriber<P.Output, P.Failure>(initialDemand: initialDemand, scheduler: self)
    publisher.subscribe(recorder)
    play(for: length)
    return recorder
  }

  /// Subscribes to `publisher` at `^`, cancels at `!`, runs all scheduled actions, and returns the recording. The recording
  /// begins now, not at the subscription.
  ///
  ///     let source = try scheduler.hot("a-b-c-d-e|")
  ///     let recorder = try scheduler.record(source, subscription: "-^---!")
  ///     #expect(recorder.marbles == "--b-c")
  ///
  /// Events in the moment of `^` are recorded; events in the moment of `!` are not.
  ///
  /// - Parameters:
  ///   - publisher: The publisher to record.
  ///   - marbles: When to subscribe, `^`, and when to cancel, `!`; both may be missing. `(^!)` does both in one moment.
  ///   - initialDemand: The demand at the subscription.
  ///   - unit: The length of a moment.
  ///   - length: How far time advances. By default it advances until no action is scheduled any more.
  /// - Throws: ``MarbleError`` if `marbles` are wrong.
  @discardableResult
  public func record<P: Publisher>(
    _ publisher: P, subscription marbles: String, initialDemand: Subscribers.Demand = .unlimited,
    every unit: VirtualTime.Stride = 1, for length: VirtualTime.Stride? = nil
  ) throws(MarbleError) -> RecordingSubscriber<P.Output, P.Failure> {
    let span = try MarbleSpan(marbles, every: unit)
    let recorder = RecordingSubscriber<P.Output, P.Failure>(initialDemand: initialDemand, scheduler: self)
    let now = clock.now
    if let offset = span.cancellation, offset > span.subscription {
      clock.scheduleFirst(at: now.advanced(by: offset)) { recorder.cancel() }
    }
    clock.scheduleFirst(at: now.advanced(by: span.subscription)) {
      publisher.subscribe(recorder)
      if span.cancellation == span.subscription { recorder.cancel() }
    }
    play(for: length)
    return recorder
  }

  private func play(for length: VirtualTime.Stride?) {
    if let length { clock.advance(by: length) } else { clock.run() }
  }
}

// MARK: - Rendering

extension RecordingSubscriber {
  /// The recording as marbles, one character a second: see ``marbles(every:)``.
  public var marbles: String { marbles(every: 1) }

  /// The recording as marbles, from the moment when the recorder was made until the last event. See ``MarbleScheduler`` for the
  /// notation.
  ///
  /// A value is named by its description. All events within one `unit` are in one moment. A recorder without a scheduler has no
  /// time, and all its events are in one moment.
  public func marbles(every unit: VirtualTime.Stride) -> String {
    render(every: unit) { String(describing: $0) }
  }

  private func render(every unit: VirtualTime.Stride, _ name: (Input) -> String) -> String {
    var canvas = MarbleCanvas(from: beginning, every: unit)
    for (event, time) in Swift.zip(events, times) {
      switch event {
      case .subscription: break
      case .value(let value): canvas.draw(MarbleCanvas.mark(named: name(value)), at: time)
      case .completion(.finished): canvas.draw("|", at: time)
      case .completion(.failure): canvas.draw("#", at: time)
      }
    }
    return canvas.text
  }
}

extension RecordingSubscriber where Input: Equatable {
  /// The recording as marbles, with names for the values; a value without a name is named by its description. See
  /// ``marbles(every:)``.
  ///
  ///     recorder.marbles(values: ["t": true, "f": false])  // "-t--f|"
  public func marbles(values: [String: Input], every unit: VirtualTime.Stride = 1) -> String {
    let names = values.sorted { $0.key < $1.key }
    return render(every: unit) { value in
      names.first { $0.value == value }?.key ?? String(describing: value)
    }
  }
}
