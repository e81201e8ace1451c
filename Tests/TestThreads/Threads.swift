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
  let isPadded = dlsym(nil, "__asan_init") != nil
  _ = withoutActuallyEscaping(body) {
    pthread_join(startThread(stackSize: (isPadded ? 6 : 1) * size << 10, $0), nil)
  }
}

private final class ThreadBody {
  let run: () -> Void
  init(_ run: @escaping () -> Void) { self.run = run }
}
