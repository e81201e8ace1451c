internal import CStreams
internal import CStreamsNATS
public import Streams
internal import StreamsABI

extension Publisher {
  /// Publishes all values to JetStream, and then how many the server has confirmed.
  ///
  ///     orders.publish(to: connection, subject: { "orders.\($0.region)" }) { try OutgoingMessage(json: $0, id: $0.id) }
  ///       .sink { print($0) } receiveValue: { print("stored", $0) }
  ///
  /// **Demand**: this publisher is asked for as many values as the window has room for: those that are published and not
  /// confirmed. It is subscribed to when there is demand for the result.
  ///
  /// **Completion**: when all values are confirmed. Fails with this publisher's failure, after what came before it has been
  /// confirmed; if a value cannot be stored, or no message be made of it, the error says which one; and when the connection is
  /// closed.
  ///
  /// **Order**: values are stored in their order; after a lost connection what was not confirmed is published anew, in order. With
  /// ids nothing is stored twice.
  ///
  /// **Cancellation**: cancels this publisher; what has been sent is stored.
  ///
  /// **Threads**: confirmations and the result come on a thread of nats.c's.
  ///
  /// - Parameters:
  ///   - connection: The connection of the server.
  ///   - options: The window, and what happens without confirmations.
  ///   - subject: The subject of each value. Order holds for each subject, so values of one key should have one.
  ///   - message: The message of each value.
  public func publish(
    to connection: Connection, options: PublishOptions = PublishOptions(),
    subject: @escaping (Output) -> String, message: @escaping (Output) throws -> OutgoingMessage
  ) -> AnyPublisher<Int, PublishError<Failure>> {
    published(to: connection, options, nil) { (value) throws in
      try message(value).value(to: subject(value))
    }
  }

  /// Publishes all values to one subject of JetStream. See ``publish(to:options:subject:message:)``.
  ///
  ///     readings.publish(to: connection, subject: "readings") { try OutgoingMessage(json: $0) }
  public func publish(
    to connection: Connection, subject: String, options: PublishOptions = PublishOptions(),
    message: @escaping (Output) throws -> OutgoingMessage
  ) -> AnyPublisher<Int, PublishError<Failure>> {
    published(to: connection, options, subject) { (value) throws in try message(value).value() }
  }

  /// Publishes text, bytes or messages to one subject of JetStream. See ``publish(to:options:subject:message:)``.
  ///
  ///     ["a", "b"].publisher.publish(to: connection, subject: "letters")
  public func publish(
    to connection: Connection, subject: String, options: PublishOptions = PublishOptions()
  ) -> AnyPublisher<Int, PublishError<Failure>> where Output: Payload {
    published(to: connection, options, subject) { (value) throws in try value.outgoing.value() }
  }

  /// With a subject of all values, or with messages that have theirs.
  private func published(
    to connection: Connection, _ options: PublishOptions, _ subject: String?,
    _ value: @escaping (Output) throws -> HeldValue
  ) -> AnyPublisher<Int, PublishError<Failure>> {
    Deferred { () -> AnyPublisher<Int, PublishError<Failure>> in
      do throws(NATSError) {
        let texts = Texts()
        let to = try texts(subject, "subject")
        var raw = try options.raw()
        raw.subject = to
        if subject == nil { raw.subject_of = streams_nats_own_subject }
        let handle = streams_nats_publish_all(
          SwiftFace.handle(of: self, value: numbered(value)), connection.handle, &raw)
        withExtendedLifetime(texts) {}
        guard let handle else { throw .last }
        return SwiftFace.publisher(
          consuming: handle, value: { held in withExtendedLifetime(connection) { Int(held.integer ?? 0) } },
          failure: { PublishError($0) })
      } catch {
        return Fail(error: .connection(error)).eraseToAnyPublisher()
      }
    }
    .eraseToAnyPublisher()
  }

  /// The function, with the number of the value in what it throws. Values of one stream come one after another.
  private func numbered(
    _ value: @escaping (Output) throws -> HeldValue
  ) -> (Output) throws -> HeldValue {
    var index = 0
    return { output in
      defer { index += 1 }
      do {
        return try value(output)
      } catch {
        throw BadMessage(index: index, error: error)
      }
    }
  }
}
