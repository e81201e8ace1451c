/// A type that encodes whole values, such as a JSON encoder.
public protocol TopLevelEncoder {
  /// What values are encoded into.
  associatedtype Output

  /// Encodes a value.
  func encode<T: Encodable>(_ value: T) throws -> Output
}

/// A type that decodes whole values, such as a JSON decoder.
public protocol TopLevelDecoder {
  /// What values are decoded from.
  associatedtype Input

  /// Decodes a value of the given type.
  func decode<T: Decodable>(_ type: T.Type, from input: Input) throws -> T
}
