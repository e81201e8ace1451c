import Glibc

/// Starts a thread with a stack of this size.
///
/// The closure need not be sendable: that it shares state is what a test is about.
public func startThread(stackSize: Int = 8 << 20, _ body: @escaping () -> Void) -> pthread_t {
  var thread = pthread_t()
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  pthread_attr_setstacksize(&attributes, stackSize)
  let status = pthread_create(
    &thread, &attributes,
    { context in
      Unmanaged<ThreadBody>.fromOpaque(context!).takeRetainedValue().run()
      return nil
    }, Unmanaged.passRetained(ThreadBody(body)).toOpaque())
  precondition(status == 0, "no thread could be started")
  return thread
}

/// Runs the closure on a thread with a stack of this size; returns when it is done.
///
/// AddressSanitizer makes each frame larger, several times over.
public func onStack(ofKilobytes size: Int, _ body: () -> Void) {
  _ = withoutActuallyEscaping(body) { pthread_join(startThread(stackSize: padded(size), $0), nil) }
}

/// Runs the closure when so much more of the thread's stack is in use.
public func usingStack(ofKilobytes size: Int, _ body: () -> Void) {
  withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) { memory in
    guard let here = memory.baseAddress else { return }
    deepen(to: UnsafeRawPointer(here) - padded(size), body)
  }
}

private func deepen(to end: UnsafeRawPointer, _ body: () -> Void) {
  withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) { memory in
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    if let here = memory.baseAddress, here > end { deepen(to: end, body) } else { body() }
  }
}

private func padded(_ kilobytes: Int) -> Int {
  (dlsym(nil, "__asan_init") != nil ? 6 : 1) * kilobytes << 10
}

private final class ThreadBody {
  let run: () -> Void
  init(_ run: @escaping () -> Void) { self.run = run }
}
