internal import CStreams
internal import CStreamsNATS
internal import StreamsABI

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Message {
  /// What JetStream says about a message.
  public struct Delivery: Hashable, Sendable {
    /// Its number in the stream.
    public let sequence: UInt64
    /// Its number among the deliveries of the consumer.
    public let consumerSequence: UInt64
    /// How often it has been delivered; 1 the first time.
    public let deliveries: UInt64
    /// How many more wait for the consumer.
    public let pending: UInt64
    /// When it was stored.
    public let time: Date
  }

  /// What JetStream says about the message; nil if it does not come from JetStream.
  public var delivery: Delivery? {
    var data = streams_nats_metadata()
    data.size = MemoryLayout<streams_nats_metadata>.size
    guard held.withC({ streams_nats_get_metadata($0, &data) }) == STREAMS_OK else { return nil }
    return Delivery(
      sequence: data.sequence, consumerSequence: data.consumer_sequence, deliveries: data.deliveries,
      pending: data.pending, time: Date(nanoseconds: data.time))
  }

  /// Says that the message is done: it is not delivered again.
  ///
  /// It does not wait for the server. A message can be settled once: this throws if that was done before, also by its stream or by
  /// the end of that, and if the message does not come from a consumer.
  public func acknowledge() throws(NATSError) { try check(held.withC { streams_nats_acknowledge($0) }) }

  /// Gives the message back: it is delivered again, after a while or at once. Throws as ``acknowledge()``.
  public func reject(after delay: Duration = .zero) throws(NATSError) {
    try check(held.withC { streams_nats_reject($0, delay.nanoseconds) })
  }

  /// Says that the message must never be delivered again, though it is not done. Throws as ``acknowledge()``.
  public func terminate() throws(NATSError) { try check(held.withC { streams_nats_terminate($0) }) }

  /// Asks for more time: the consumer's wait for an acknowledgement begins anew. Throws as ``acknowledge()``, but settles nothing.
  public func inProgress() throws(NATSError) { try check(held.withC { streams_nats_in_progress($0) }) }

  /// Answers a request.
  ///
  ///     connection.subject("time").sink { try? $0.reply(with: "\(Date.now)") }
  ///
  /// Throws if the sender wants no answer, and as ``Connection/publish(_:to:)``.
  public func reply(with payload: some Payload) throws(NATSError) {
    let answer = try payload.outgoing.value()
    try check(held.withC { request in answer.withC { streams_nats_reply(request, $0) } })
  }
}
