import Synchronization

/// A unique identifier for a publisher's streams.
///
/// Subscriptions and subscribers have one, so that they can be distinguished where their types are not known.
/// Two identifiers are equal if one is a copy of the other, or if both were made from the same object.
public struct CombineIdentifier: Hashable, CustomStringConvertible, Sendable {
  private static let counter = Atomic<UInt64>(0)

  private let rawValue: UInt64

  /// A new identifier, different from all others made this way.
  public init() {
    rawValue = Self.counter.wrappingAdd(1, ordering: .relaxed).oldValue
  }

  /// The identifier of an object, the same for as long as the object lives.
  public init(_ object: AnyObject) {
    rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(object)))
  }

  /// The number in hexadecimal.
  public var description: String { "0x" + String(rawValue, radix: 16) }
}

/// A type whose instances can be distinguished in a chain of publishers.
///
/// Classes get an implementation for free; a structure stores an identifier:
///
///     let combineIdentifier = CombineIdentifier()
public protocol CustomCombineIdentifierConvertible {
  /// The identifier of this instance.
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// The identity of the object, the same for as long as it lives.
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
