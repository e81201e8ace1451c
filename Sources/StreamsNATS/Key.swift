internal import CStreams
internal import CStreamsNATS
public import Streams
internal import StreamsABI
public import StreamsProperty

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A key of a bucket: a value that several programs read, set and watch. Made by ``Bucket/key(_:)``.
///
///     let count = connection.bucket("state").key("count")
///     let (value, revision) = try count.getWithRevision()
///     try count.set("1", at: revision)
///
/// The functions ask the server and wait, except those that return publishers and the binding. They throw for a bad name, if there
/// is no answer, and if the server refuses.
public struct Key: Sendable {
  /// Its name.
  public let name: String
  /// The bucket that it is in.
  public let bucket: Bucket

  /// The value; nil if there is none.
  public func get() throws(NATSError) -> Data? { try getWithRevision().value }

  /// The value, and its revision, which ``set(_:at:)`` takes; nil and 0 if there is none.
  public func getWithRevision() throws(NATSError) -> (value: Data?, revision: UInt64) {
    var revision: UInt64 = 0
    let held = try HeldValue { (out) throws(NATSError) in
      try call { streams_nats_key_get($0, $1, $2, out, &revision) }
    }
    return (held.bytes.map { Data($0) }, revision)
  }

  /// Sets the value, and returns its revision.
  @discardableResult
  public func set(_ payload: some Payload) throws(NATSError) -> UInt64 {
    try set(payload) { streams_nats_key_put($0, $1, $2, $3, $4) }
  }

  /// Sets the value only if its revision is the given one; with 0, only if there is no value. Otherwise throws
  /// ``NATSError/Code/wrongLastSequence``. Returns the new revision.
  @discardableResult
  public func set(_ payload: some Payload, at revision: UInt64) throws(NATSError) -> UInt64 {
    try set(payload) { streams_nats_key_put_at($0, $1, $2, $3, revision, $4) }
  }

  /// Removes the value, and its history too if it is to be purged.
  public func delete(purge: Bool = false) throws(NATSError) {
    try call { streams_nats_key_delete($0, $1, $2, purge) }
  }

  /// Publishes the last entry, and then each that follows. See ``Bucket/watch(_:)``.
  public var entries: AnyPublisher<Entry, NATSError> { bucket.watch(name) }

  /// Publishes the entries that the bucket has kept, oldest first, and finishes.
  public var history: AnyPublisher<Entry, NATSError> {
    bucket.entries(name) { streams_nats_key_history($0, $1, $2) }
  }

  /// Publishes the value, nil if there is none: first the present one, then each that follows. Otherwise as ``Bucket/watch(_:)``.
  public var values: AnyPublisher<Data?, NATSError> {
    do throws(NATSError) {
      let texts = Texts()
      let (inside, key) = (try texts(bucket.name, "bucket"), try texts(name, "key"))
      let handle = withExtendedLifetime(texts) {
        streams_nats_key_values(bucket.connection.handle, inside, key)
      }
      return bucket.connection.publisher(handle) { held in held.bytes.map { Data($0) } }
    } catch {
      return Fail(error: error).eraseToAnyPublisher()
    }
  }

  private func set(
    _ payload: some Payload,
    _ body: (
      OpaquePointer, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<streams_value>,
      UnsafeMutablePointer<UInt64>
    ) -> streams_status
  ) throws(NATSError) -> UInt64 {
    let value = try payload.outgoing.value()
    var revision: UInt64 = 0
    try call { connection, bucket, key in value.withC { body(connection, bucket, key, $0, &revision) } }
    return revision
  }

  private func call(
    _ body: (OpaquePointer, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> streams_status
  ) throws(NATSError) {
    let texts = Texts()
    let (inside, key) = (try texts(bucket.name, "bucket"), try texts(name, "key"))
    try check(withExtendedLifetime(texts) { body(bucket.connection.handle, inside, key) })
  }
}

extension Key {
  /// The value as a binding: what is shown and changed here is shown and changed in every program.
  ///
  ///     let color = try settings.key("color").binding()
  ///     color.wrappedValue = Data("blue".utf8)
  ///     let cancellable = color.values.sink { print($0 ?? "none") }
  ///
  /// Reading and setting ask the server and wait; setting nil removes the value. Where the server cannot be asked, a value that is
  /// read is the last one that was known, and `onError` hears of it, as it does of a value that cannot be set. Subscribers get each
  /// change, of this program or another, and complete when the connection is closed.
  ///
  /// Throws if the server cannot be asked now.
  public func binding(
    onError: @escaping @Sendable (NATSError) -> Void = { _ in }
  ) throws(NATSError) -> Binding<Data?> {
    let last = CurrentValueSubject<Data?, Never>(try get())
    let changes = values.handleEvents(
      receiveOutput: { last.value = $0 },
      receiveCompletion: { if case .failure(let error) = $0 { onError(error) } }
    )
    .catch { _ in Empty<Data?, Never>() }
    return Binding(
      get: {
        do throws(NATSError) {
          last.value = try get()
        } catch {
          onError(error)
        }
        return last.value
      },
      set: { value in
        do throws(NATSError) {
          if let value { try set(value) } else { try delete() }
          last.value = value
        } catch {
          onError(error)
        }
      }, changes: changes)
  }
}
