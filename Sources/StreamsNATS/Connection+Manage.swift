internal import CStreams
internal import CStreamsNATS

/// These functions ask the server and wait. They throw for a bad name, if there is no answer, and if the server refuses.
extension Connection {
  /// Makes a stream; one that is there with the same options is left alone.
  public func createStream(_ options: StreamOptions) throws(NATSError) {
    try options.withRaw { streams_nats_stream_create(handle, $0) }
  }

  /// Removes a stream with its messages and consumers.
  public func deleteStream(_ stream: String) throws(NATSError) {
    try call(stream) { streams_nats_stream_delete(handle, $0) }
  }

  /// Removes the messages of a stream.
  public func purgeStream(_ stream: String) throws(NATSError) {
    try call(stream) { streams_nats_stream_purge(handle, $0) }
  }

  /// What is in a stream.
  public func streamInfo(_ stream: String) throws(NATSError) -> StreamInfo {
    var raw = streams_nats_stream_info()
    raw.size = MemoryLayout<streams_nats_stream_info>.size
    try call(stream) { streams_nats_stream_get_info(handle, $0, &raw) }
    return StreamInfo(
      messages: raw.messages, bytes: raw.bytes, firstSequence: raw.first_sequence,
      lastSequence: raw.last_sequence, consumers: Int(raw.consumers), subjects: Int(raw.subjects))
  }

  /// Makes a durable consumer, as ``consume(_:)`` does if it is not there. Throws if one exists with other options.
  public func createConsumer(_ consumer: Consumer) throws(NATSError) {
    let texts = Texts()
    var raw = try consumer.raw(texts)
    try check(withExtendedLifetime(texts) { streams_nats_consumer_create(handle, &raw) })
  }

  /// Removes a consumer of a stream.
  public func deleteConsumer(_ consumer: String, of stream: String) throws(NATSError) {
    try call(stream, consumer) { streams_nats_consumer_delete(handle, $0, $1) }
  }

  /// Where a consumer of a stream is.
  public func consumerInfo(_ consumer: String, of stream: String) throws(NATSError) -> ConsumerInfo {
    var raw = streams_nats_consumer_info()
    raw.size = MemoryLayout<streams_nats_consumer_info>.size
    try call(stream, consumer) { streams_nats_consumer_get_info(handle, $0, $1, &raw) }
    return ConsumerInfo(
      delivered: raw.delivered, acknowledged: raw.acknowledged, pending: raw.pending,
      acknowledgePending: Int(raw.acknowledge_pending), redelivered: Int(raw.redelivered),
      waiting: Int(raw.waiting))
  }

  private func call(
    _ name: String, _ body: (UnsafePointer<CChar>?) -> streams_status
  ) throws(NATSError) {
    let texts = Texts()
    let name = try texts(name, "a name")
    try check(withExtendedLifetime(texts) { body(name) })
  }

  private func call(
    _ stream: String, _ consumer: String,
    _ body: (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> streams_status
  ) throws(NATSError) {
    let texts = Texts()
    let (stream, consumer) = (try texts(stream, "a name"), try texts(consumer, "a name"))
    try check(withExtendedLifetime(texts) { body(stream, consumer) })
  }
}
