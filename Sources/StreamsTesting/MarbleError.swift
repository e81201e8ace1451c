/// A mistake in a text in marble notation, with its position.
///
///     try scheduler.cold("--a-(bc")
///     // character 5 of the marbles: the group is not closed
///     //   --a-(bc
///     //       ^
public struct MarbleError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The text.
  public let notation: String
  /// The number of characters before the mistake.
  public let position: Int
  /// A description of the mistake.
  public let reason: String

  /// Describes a mistake in `notation`, `position` characters from its beginning.
  public init(notation: String, position: Int, reason: String) {
    self.notation = notation
    self.position = position
    self.reason = reason
  }

  /// The mistake, and below it the text with a mark at the position.
  public var description: String {
    """
    character \(position + 1) of the marbles: \(reason)
      \(notation)
      \(String(repeating: " ", count: position))^
    """
  }
}
