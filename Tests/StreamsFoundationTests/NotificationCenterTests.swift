import Foundation
import StreamsFoundation
import StreamsTesting
import Testing

@Suite struct NotificationCenterTests {
  let center = NotificationCenter()
  let name = Notification.Name("test")

  @Test func sendsWhatIsDemandedAndLosesTheRest() {
    let recorder = RecordingSubscriber<Notification, Never>(initialDemand: .none)
    center.publisher(for: name).subscribe(recorder)
    center.post(name: name, object: nil)
    recorder.request(.none)
    recorder.request(.max(1))
    center.post(name: name, object: nil, userInfo: ["key": 1])
    center.post(name: name, object: nil)
    recorder.onValue = { _ in .max(1) }
    recorder.request(.max(1))
    for _ in 0..<3 { center.post(name: name, object: nil) }
    #expect(recorder.values.count == 4)
    #expect(recorder.values.first?.userInfo?["key"] as? Int == 1)
    #expect(recorder.overdrawn == 0)
    #expect(recorder.subscriptions.map { "\($0)" } == ["NotificationCenter Observer"])
    let labels = Mirror(reflecting: recorder.subscriptions[0]).children.map(\.label)
    #expect(labels == ["center", "name", "object", "demand"])
    recorder.request(.max(9))
    let demand = Mirror(reflecting: recorder.subscriptions[0]).descendant("demand")
    #expect(demand as? Subscribers.Demand == .max(10))
  }

  @Test func sendsOneObjectsNotificationsOnly() {
    let sender = NSObject()
    let recorder = RecordingSubscriber<Notification, Never>()
    center.publisher(for: name, object: sender).subscribe(recorder)
    center.post(name: name, object: NSObject())
    center.post(name: name, object: sender)
    center.post(name: Notification.Name("other"), object: sender)
    #expect(recorder.values.count == 1)
  }

  @Test func isSilentAfterCancellation() {
    let recorder = RecordingSubscriber<Notification, Never>()
    center.publisher(for: name).subscribe(recorder)
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(1))
    center.post(name: name, object: nil)
    #expect(recorder.values.isEmpty)
  }

  @Test func theCenterDoesNotKeepTheSubscriber() {
    let lifetimes = LifetimeTracker()
    do {
      let token = lifetimes.token()
      let cancellable = center.publisher(for: name).sink { _ in token.keep() }
      center.post(name: name, object: nil)
      #expect(lifetimes.liveCount == 1)
      withExtendedLifetime(cancellable) {}
    }
    #expect(lifetimes.liveCount == 0)
    center.post(name: name, object: nil)
  }

  @Test func equality() {
    let (one, two) = (NSObject(), NSObject())
    #expect(center.publisher(for: name, object: one) == center.publisher(for: name, object: one))
    #expect(center.publisher(for: name, object: one) != center.publisher(for: name, object: two))
    #expect(center.publisher(for: name) != NotificationCenter().publisher(for: name))
  }
}
