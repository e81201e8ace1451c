import CStreams
import Streams

/// Makes lists of the same size, one after the other. A list of numbers that nobody has kept is used again: the next one then
/// allocates nothing.
final class ListMaker {
  /// The list that was made last, unless its items have owners, which it would keep alive.
  private let last = Cell<ListStorage?>(nil)

  /// A list of values that come from streams. It fails if it would be nested too deep.
  @inline(__always)
  func list(_ count: Int, _ item: (Int) -> Value) -> Result<Value, StreamError> {
    guard _fastPath(isKnownUniquelyReferenced(&last.value)), let list = last.value else {
      return newList(count, item)
    }
    if _fastPath(list.fill(count, item)) { return .success(Value(list)) }
    last.value = nil
    return Value.of(list)
  }

  @inline(never)
  private func newList(_ count: Int, _ item: (Int) -> Value) -> Result<Value, StreamError> {
    let made = Value.list(count, item)
    if case .success(let list) = made, let storage = list.owner, list.items.allSatisfy({ $0.owner == nil }) {
      last.value = unsafeDowncast(storage, to: ListStorage.self)
    }
    return made
  }
}
