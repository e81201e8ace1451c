/// What is known of a change of an object.
@usableFromInline
package enum ObjectChange: Equatable, Sendable {
  /// It has been made.
  case made
  /// The object has said by hand that it will change. Nobody says when it has.
  /// It is over if all subscribers have been told.
  case announced(isOver: Bool)
  /// Another thread is changing something, which may be this object.
  case underWay
}

extension ObservableObject {
  /// Calls `changed` after each change of a published property, and for each change that is announced by hand, when all
  /// subscribers have been told of it.
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
    // Now the published properties are told that somebody watches.
    _ = objectWillChange
    return changes.sink(receiveValue: changed)
  }

  /// What is announced already, the publisher may have told others of.
  private func missed(_ changed: @escaping (ObjectChange) -> Void) {
    if AnnouncedChange.isUnderWayHere {
      AnnouncedChange.whenOver { changed($0 ? .made : .announced(isOver: false)) }
    } else if AnnouncedChange.isUnderWay {
      changed(.underWay)
    }
  }
}
