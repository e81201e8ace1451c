import StreamsProperty

/// A value that a ``Transaction`` carries, with its default.
///
///     private struct UndoKey: TransactionKey { static let defaultValue = false }
///
///     extension Transaction {
///       var isUndo: Bool {
///         get { self[UndoKey.self] }
///         set { self[UndoKey.self] = newValue }
///       }
///     }
public protocol TransactionKey {
  /// The type of the value.
  associatedtype Value
  /// The value if none was set.
  static var defaultValue: Value { get }
}

/// What is said of a change of state while it is made: an animation, and values of the program's own.
///
/// `withTransaction(_:_:)` sets it for the changes within, and a `Binding` made with a closure that takes one gets it.
public struct Transaction {
  /// The animation of the change.
  public var animation: Animation?
  /// Whether views are to ignore their own animations.
  public var disablesAnimations = false
  /// Whether the change is one of many, as by a gesture.
  public var isContinuous = false
  private var values: [ObjectIdentifier: Any] = [:]

  /// One that says nothing.
  public init() {}
  /// One with an animation.
  public init(animation: Animation?) { self.animation = animation }

  /// The value for a key.
  public subscript<K: TransactionKey>(key: K.Type) -> K.Value {
    get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  @TaskLocal private static var innermost = Carried(Transaction())

  /// The transaction of the change that the calling code makes.
  static var current: Transaction { innermost.transaction }

  fileprivate static func with<Result>(
    _ transaction: Transaction, _ body: () throws -> Result
  ) rethrows -> Result {
    try $innermost.withValue(Carried(transaction), operation: body)
  }
}

/// The values are read only on the thread or task that has set them.
private struct Carried: @unchecked Sendable {
  let transaction: Transaction

  init(_ transaction: Transaction) { self.transaction = transaction }
}

/// Makes changes with a transaction, and returns what `body` does.
///
///     withTransaction(Transaction(animation: .spring)) { isOpen = true }
public func withTransaction<Result>(
  _ transaction: Transaction, _ body: () throws -> Result
) rethrows -> Result {
  try Transaction.with(transaction, body)
}

/// Makes changes with one value of the current transaction changed, and returns what `body` does.
public func withTransaction<V, Result>(
  _ keyPath: WritableKeyPath<Transaction, V>, _ value: V, _ body: () throws -> Result
) rethrows -> Result {
  var transaction = Transaction.current
  transaction[keyPath: keyPath] = value
  return try Transaction.with(transaction, body)
}

/// Makes changes with an animation, which is not seen without a screen, and returns what `body` does.
///
///     withAnimation { isOpen.toggle() }
public func withAnimation<Result>(
  _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result {
  try withTransaction(\.animation, animation, body)
}

extension Binding {
  /// Makes a binding of two functions, the second of which also gets the transaction of the change.
  public init(get: @escaping () -> Value, set: @escaping (Value, Transaction) -> Void) {
    self.init(get: get, set: { set($0, .current) })
  }

  /// A binding that sets the value with a transaction.
  public func transaction(_ transaction: Transaction) -> Binding<Value> {
    let base = self
    return Binding(
      get: { base.wrappedValue },
      set: { value in withTransaction(transaction) { base.wrappedValue = value } },
      changes: base.values)
  }

  /// A binding that sets the value with an animation.
  public func animation(_ animation: Animation? = .default) -> Binding<Value> {
    transaction(Transaction(animation: animation))
  }
}

extension View {
  /// Changes the transactions of the changes in the view, which is not seen without a screen: it returns the view.
  nonisolated public func transaction(_ transform: @escaping (inout Transaction) -> Void) -> some View {
    self
  }
}
