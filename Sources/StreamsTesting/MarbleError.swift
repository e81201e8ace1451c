/// What is wrong with a text in marble notation, and where.
///
///     try scheduler.cold("--a-(bc")
///     // character 5 of the marbles: the group is not closed
///     //   --a-(bc
///     //       ^
public struct MarbleError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The text.
  public let notation: String
  /// How many characters come before the one that is wrong.
  public let position: Int
  /// What is wrong with it.
  public let reason: String

  /// Describes a mistake in `notation`, `position` characters from its beginning.
  public init(notation: String, position: Int, reason: String) {
    self.notation = notation
    self.position = position
    self.reason = reason
  }

  /// What is wrong, and below it the text with a mark at the place.
  public var description: String {
    """
    character \(position + 1) of the marbles: \(reason)
      \(notation)
      \(String(repeating: " ", count: position))^
    """
  }
}
