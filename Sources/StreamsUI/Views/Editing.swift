import Foundation

/// Views that are made of the elements of a collection, as those of a ``ForEach`` are.
public protocol DynamicViewContent: View {
  /// The type of the collection.
  associatedtype Data: Collection
  /// The elements.
  nonisolated var data: Data { get }

  nonisolated func _editing(_ change: (inout _Edits) -> Void) -> Self
}

extension DynamicViewContent {
  nonisolated public func _editing(_ change: (inout _Edits) -> Void) -> Self { self }

  /// Lets a user delete the rows of a ``List``. The action gets the offsets of their elements; nil forbids it.
  ///
  ///     List {
  ///       ForEach(songs) { Text($0.title) }
  ///         .onDelete { songs.remove(atOffsets: $0) }
  ///     }
  ///
  /// With a ``ViewHost`` a row is deleted by `delete("Air")`.
  nonisolated public func onDelete(perform action: ((IndexSet) -> Void)?) -> some DynamicViewContent {
    _editing { $0.delete = action }
  }

  /// Lets a user move the rows of a ``List``. The action gets the offsets of their elements, and the offset of the one before
  /// which they are to be; nil forbids it.
  ///
  ///     List {
  ///       ForEach(songs) { Text($0.title) }
  ///         .onMove { songs.move(fromOffsets: $0, toOffset: $1) }
  ///     }
  ///
  /// With a ``ViewHost`` a row is moved by `move("Air", toOffset: 0)`.
  nonisolated public func onMove(perform action: ((IndexSet, Int) -> Void)?) -> some DynamicViewContent {
    _editing { $0.move = action }
  }
}

extension ForEach: DynamicViewContent where Content: View {
  nonisolated public func _editing(_ change: (inout _Edits) -> Void) -> Self {
    var changed = self
    change(&changed.edits)
    return changed
  }
}

/// What a user can do with the elements of a ``ForEach``.
public struct _Edits {
  var delete: ((IndexSet) -> Void)?
  var move: ((IndexSet, Int) -> Void)?

  func row(at offset: Int, of count: Int) -> ViewHost.Node.Row? {
    if delete == nil && move == nil { return nil }
    let offsets = IndexSet(integer: offset)
    return ViewHost.Node.Row(
      offset: offset, count: count, delete: delete.map { delete in { delete(offsets) } },
      move: move.map { move in { move(offsets, $0) } })
  }
}

extension ViewHost.Node {
  /// A row's place among the elements of its ``ForEach``, and what a user can do with it.
  public struct Row {
    /// The offset of its element.
    public let offset: Int
    /// The number of elements.
    public let count: Int
    /// Deletes it; nil if that is not allowed.
    public internal(set) var delete: (() -> Void)?
    /// Moves it before the element that has an offset now; nil if that is not allowed.
    public internal(set) var move: ((_ destination: Int) -> Void)?

    func restricted<V: View>(by view: V) -> Row? {
      var row = self
      if trait(IsDeleteDisabled.self, of: view)?.isDisabled == true { row.delete = nil }
      if trait(IsMoveDisabled.self, of: view)?.isDisabled == true { row.move = nil }
      return row.delete == nil && row.move == nil ? nil : row
    }
  }
}

private struct IsDeleteDisabled { let isDisabled: Bool }
private struct IsMoveDisabled { let isDisabled: Bool }

nonisolated private struct RestrictionModifier<Trait>: TraitModifier {
  typealias Body = Never
  let trait: Trait
}

extension View {
  /// Forbids to delete this row, or allows it.
  nonisolated public func deleteDisabled(_ isDisabled: Bool) -> some View {
    modifier(RestrictionModifier(trait: IsDeleteDisabled(isDisabled: isDisabled)))
  }

  /// Forbids to move this row, or allows it.
  nonisolated public func moveDisabled(_ isDisabled: Bool) -> some View {
    modifier(RestrictionModifier(trait: IsMoveDisabled(isDisabled: isDisabled)))
  }
}
