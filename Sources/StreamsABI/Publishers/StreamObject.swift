import Streams

/// A publisher, carried as a value.
final class StreamObject: ForeignObject {
  let publisher: PublisherObject
  /// The key of the values, if they are a group.
  let key: Value?

  init(_ publisher: some Publisher<Value, StreamError>, key: Value? = nil) {
    self.publisher = PublisherObject(
      publisher.eraseToAnyPublisher(), depth: 1, by: "streams_value_publisher")
    self.key = key
    super.init(pointer: nil)
  }

  override func equals(_ other: ForeignObject) -> Bool { self === other }

  override func hashed() -> Int { ObjectIdentifier(self).hashValue }

  override func describe() -> String { "publisher" }
}
