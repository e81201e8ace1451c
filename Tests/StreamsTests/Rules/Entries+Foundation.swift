import Foundation
import Streams
import StreamsFoundation

extension Entry {
  static let foundation: [Entry] = [
    Entry("NotificationCenter.Publisher", .hot, [.neverEnds]) { bench in
      let center = NotificationCenter()
      let name = Notification.Name("value")
      bench.register(ClosureFeed { center.post(name: name, object: nil, userInfo: ["value": $0]) })
      return center.publisher(for: name)
    }
  ]
}
