import Foundation
import StreamsProperty
import StreamsUI
import Synchronization
import Testing

/// What subscribers of a state's binding get while threads set the state.
@MainActor @Suite struct StateSubscriberTests {
  /// Sets a value while the tree asks for an update, as another thread may.
  private final class Meddler: Scheduler {
    var act: (() -> Void)?
    var now: ImmediateScheduler.SchedulerTimeType { ImmediateScheduler.shared.now }
    var minimumTolerance: ImmediateScheduler.SchedulerTimeType.Stride { 0 }

    func schedule(options: Never?, _ action: @escaping () -> Void) { act?() }
    func schedule(
      after date: ImmediateScheduler.SchedulerTimeType,
      tolerance: ImmediateScheduler.SchedulerTimeType.Stride,
      options: Never?, _ action: @escaping () -> Void
    ) {}
    func schedule(
      after date: ImmediateScheduler.SchedulerTimeType, interval: ImmediateScheduler.SchedulerTimeType.Stride,
      tolerance: ImmediateScheduler.SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
    ) -> any Cancellable { AnyCancellable {} }
  }

  private final class Access {
    var binding = Binding.constant(0)
    var set: @Sendable (Int) -> Void = { _ in }
  }

  private struct Shared: View {
    let access: Access
    @State var number = 0

    nonisolated static func setter(of state: State<Int>) -> @Sendable (Int) -> Void {
      { state.wrappedValue = $0 }
    }

    var body: some View {
      Text("\(number)").onAppear {
        access.binding = $number
        access.set = Self.setter(of: _number)
      }
    }
  }

  @Test(arguments: [false, true]) func subscribersEndWithTheLastValue(areSetByBinding: Bool) throws {
    let (access, scheduler) = (Access(), Meddler())
    let host = ViewHost(Shared(access: access), scheduler: scheduler)
    try host.update()
    var last = 0
    let cancellable = access.binding.values.sink { last = $0 }
    scheduler.act = { access.set(2) }
    if areSetByBinding { access.binding.wrappedValue = 1 } else { access.set(1) }
    #expect(access.binding.wrappedValue == 2)
    #expect(last == 2)
    cancellable.cancel()
    host.unmount()
  }

  @Test func whoSubscribesWhileAThreadSetsMissesNothing() throws {
    for _ in 0..<300 {
      let access = Access()
      let host = ViewHost(Shared(access: access))
      try host.update()
      let last = Mutex(0)
      let (set, binding) = (access.set, access.binding)
      let line = Atomic(0)
      let done = DispatchSemaphore(value: 0)
      Thread {
        line.add(1, ordering: .sequentiallyConsistent)
        while line.load(ordering: .sequentiallyConsistent) < 2 {}
        set(1)
        done.signal()
      }.start()
      line.add(1, ordering: .sequentiallyConsistent)
      while line.load(ordering: .sequentiallyConsistent) < 2 {}
      let cancellable = binding.values.sink { @Sendable value in last.withLock { $0 = value } }
      done.wait()
      #expect(last.withLock { $0 } == 1)
      cancellable.cancel()
      host.unmount()
    }
  }
}
