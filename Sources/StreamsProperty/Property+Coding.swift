public import Streams

extension Property {
  /// A property of each value decoded: an item, or the error that the decoder threw.
  ///
  /// An error is a value like any other, and the next value is decoded again.
  ///
  ///     let person = data.decode(type: Person.self, decoder: JSONDecoder())
  public func decode<Item: Decodable, Coder: TopLevelDecoder>(
    type: Item.Type, decoder: Coder
  ) -> Property<Result<Item, any Error>> where Output == Coder.Input {
    map { input in Result { try decoder.decode(type, from: input) } }
  }
}

extension Property where Output: Encodable {
  /// A property of each value encoded, or the error that the encoder threw.
  ///
  /// An error is a value like any other, and the next value is encoded again.
  public func encode<Coder: TopLevelEncoder>(encoder: Coder) -> Property<Result<Coder.Output, any Error>> {
    map { value in Result { try encoder.encode(value) } }
  }
}
