/// A type that encodes whole values, such as a JSON encoder.
///
/// `encode(encoder:)` takes one. `StreamsFoundation` makes `JSONEncoder` and `PropertyListEncoder` adopt this
/// protocol.
public protocol TopLevelEncoder {
  /// What values are encoded into.
  associatedtype Output

  /// Encodes a value. An error that it throws fails the stream.
  func encode<T: Encodable>(_ value: T) throws -> Output
}

/// A type that decodes whole values, such as a JSON decoder.
///
/// `decode(type:decoder:)` takes one. `StreamsFoundation` makes `JSONDecoder` and `PropertyListDecoder` adopt
/// this protocol.
public protocol TopLevelDecoder {
  /// What values are decoded from.
  associatedtype Input

  /// Decodes a value of the given type. An error that it throws fails the stream.
  func decode<T: Decodable>(_ type: T.Type, from input: Input) throws -> T
}
