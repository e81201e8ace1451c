internal import CStreams
internal import CStreamsNATS
internal import Streams
internal import StreamsABI

extension Connection {
  /// Publishes a message to a subject. The server confirms nothing; while the connection is down, up to 8 MB wait for it.
  ///
  ///     try connection.publish("hello", to: "greetings")
  ///     try connection.publish(OutgoingMessage(json: order), to: "orders.new")
  ///
  /// Throws if the subject is none to publish to, the message is larger than the server takes, or the connection is closed.
  public func publish(_ payload: some Payload, to subject: String) throws(NATSError) {
    let value = try payload.outgoing.value()
    let texts = Texts()
    let to = try texts(subject, "subject")
    try check(value.withC { streams_nats_publish(handle, to, $0) })
    withExtendedLifetime(texts) {}
  }

  /// Publishes a message to a subject of a stream, and then the number under which the server has stored it.
  ///
  ///     let sequence = try await connection.store("hello", in: "greetings").value
  ///
  /// It is published when a subscriber demands the number. Fails if it cannot be stored, as when no stream takes the subject; that
  /// takes the server and this module 1.25 s to find out.
  public func store(_ payload: some Payload, in subject: String) -> Answer<UInt64> {
    answer { () throws(NATSError) in
      let value = try payload.outgoing.value()
      let texts = Texts()
      let to = try texts(subject, "subject")
      let handle = value.withC { streams_nats_publish_confirmed(self.handle, to, $0) }
      return publisher(handle) { UInt64(bitPattern: $0.integer ?? 0) }
    }
  }

  /// Sends a request when its answer is demanded, and publishes the answer.
  ///
  ///     let answer = try await connection.request("now", to: "time").value
  ///     print(answer.text)
  ///
  /// Fails with ``NATSError/Code/timedOut`` when the time is over, and at once with ``NATSError/Code/noResponders`` if nobody
  /// listens. The answer comes on a thread of nats.c's.
  public func request(
    _ payload: some Payload, to subject: String, timeout: Duration = .seconds(5)
  ) -> Answer<Message> {
    answer { () throws(NATSError) in
      let value = try payload.outgoing.value()
      let texts = Texts()
      let to = try texts(subject, "subject")
      let handle = value.withC { streams_nats_request(self.handle, to, $0, timeout.nanoseconds) }
      return publisher(handle, Message.init(held:))
    }
  }

  private func answer<Output>(
    _ make: () throws(NATSError) -> AnyPublisher<Output, NATSError>
  ) -> Answer<Output> {
    do throws(NATSError) {
      return Answer(publisher: try make())
    } catch {
      return Answer(publisher: Fail(error: error).eraseToAnyPublisher())
    }
  }
}
