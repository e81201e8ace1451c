/// Makes a variable with a default a value of the environment, or of a transaction: its key is written by the compiler.
///
///     extension EnvironmentValues {
///       @Entry var volume: Int = 5
///     }
///
///     extension Transaction {
///       @Entry var isUndo = false
///     }
///
/// The default of an optional is nil. Where the type is written, the default is computed each time it is read.
@attached(accessor)
@attached(peer, names: prefixed(__Key_))
public macro Entry() = #externalMacro(module: "StreamsUIMacros", type: "EntryMacro")
