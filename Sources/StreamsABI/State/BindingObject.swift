import CStreams
import Streams
import StreamsProperty

/// The binding behind a handle.
///
/// A program sets it only to values. If a function that makes the value fails, its error is set instead: it goes where the value
/// would have gone, and there is reported to the call that sets the binding.
final class BindingObject {
  let binding: Binding<Outcome>
  /// The number of bindings that it is derived through.
  let depth: Int

  init(_ binding: Binding<Outcome>, depth: Int) { (self.binding, self.depth) = (binding, depth) }

  /// A derived binding reads, writes and releases the one that it is derived from recursively. This many do not exhaust the
  /// stack.
  static let greatestDepth = 100

  /// Sets the binding. Throws the error of a function that fails.
  func set(_ value: Value) throws(StreamError) {
    let state = ThreadState.current
    state.settings += 1
    binding.wrappedValue = .success(value)
    state.settings -= 1
    guard let error = state.settingError else { return }
    state.settingError = nil
    throw error
  }

  /// Reports an error to the call that sets the binding, if it is on this thread. Errors of work left to other threads are lost.
  static func note(_ error: StreamError) {
    if let state = ThreadState.existing, state.settings > 0 { state.settingError = error }
  }
}

extension Outcome {
  /// Passes a value to a function that assigns.
  @inline(__always)
  func set(_ set: (Value) throws(StreamError) -> Void) {
    do throws(StreamError) {
      try set(get())
    } catch {
      BindingObject.note(error)
    }
  }

  /// The item of a list at an index, or nil if there is none; an error stays as it is.
  func item(at index: Int) -> Outcome? {
    guard case .success(let list) = self else { return self }
    guard list.hasItem(at: index) else { return nil }
    return .success(list.items[index])
  }

  /// The list with another item at an index. Without an item there it is nil, and the call that sets the binding fails.
  func replacingItem(at index: Int, by item: Outcome) -> Outcome? {
    if case .success(let list) = self, !list.hasItem(at: index) {
      BindingObject.note(
        StreamError(status: STREAMS_INVALID_ARGUMENT, "the list has no item \(index) any more"))
      return nil
    }
    return flatMap { list in
      item.flatMap { item in Value.list(Int(list.size)) { $0 == index ? item : list.items[$0] } }
    }
  }
}

extension Value {
  fileprivate func hasItem(at index: Int) -> Bool {
    kind == STREAMS_VALUE_LIST.rawValue && index >= 0 && index < Int(size)
  }
}

extension Kind {
  static let binding = HandleKind<BindingObject>(STREAMS_KIND_BINDING)
}
