import StreamsShims

extension Subscribers.Demand {
  /// What a subscriber that has ended or was cancelled answers to a value: no demand.
  ///
  /// Counts a refusal for the thread, so that the sender of the value sees that it may have reached nobody: another
  /// thread can cancel a stream while the value is on its way, before the source knows.
  @usableFromInline @inline(never)
  package static func refused() -> Self {
    BatchProgress.noteRefusal()
    return refusedLate()
  }

  /// As ``refused()``, of a value that the subscriber has taken before it has ended: of an array, whoever takes its place
  /// gets only the next ones.
  package static func refusedLate() -> Self {
    streams_note_refusal()
    return .none
  }

  /// Counts a refusal for the rest of an array. Returns false: nobody takes it.
  @usableFromInline
  package static func refusesRest() -> Bool {
    _ = refused()
    return false
  }
}
