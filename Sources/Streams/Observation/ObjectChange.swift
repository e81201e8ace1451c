/// What is known of a change of an object.
@usableFromInline
package enum ObjectChange: Equatable, Sendable {
  /// It has been made.
  case made
  /// The object has announced a change by hand; when the change is made is unknown. The announcement is over if all
  /// subscribers have been notified.
  case announced(isOver: Bool)
  /// Another thread is changing something, which may be this object.
  case underWay
}

extension ObservableObject {
  /// Calls `changed` after each change of a published property, and for each change that is announced by hand, when all
  /// subscribers have been notified of it.
  package func watchChanges(_ changed: @escaping (ObjectChange) -> Void) -> AnyCancellable {
    let publisher = objectWillChange
    guard let own = publisher as? ObservableObjectPublisher else {
      let cancellable = publisher.sink { _ in
        AnnouncedChange.whenOver { changed($0 ? .made : .announced(isOver: false)) }
      }
      missed(changed)
      return cancellable
    }
    let changes = own.changes
    // This notifies the published properties that they are watched.
    _ = objectWillChange
    return changes.sink(receiveValue: changed)
  }

  /// Reports a change whose announcement is under way: the publisher may have notified its other subscribers already.
  private func missed(_ changed: @escaping (ObjectChange) -> Void) {
    if AnnouncedChange.isUnderWayHere {
      AnnouncedChange.whenOver { changed($0 ? .made : .announced(isOver: false)) }
    } else if AnnouncedChange.isUnderWay {
      changed(.underWay)
    }
  }
}
