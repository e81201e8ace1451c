import CStreams
import Streams
import StreamsExtras

@_cdecl("streams_track") @implementation
public func streams_track(
  _ publisher: OpaquePointer!, _ label: UnsafePointer<CChar>!, _ write: streams_write_fn!,
  _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  let call = Call("streams_track")
  return Trampoline.through {
    let writer = lines(write, context, destroy)
    return call.attach(publisher) { upstream -> Tracker<Value, StreamError, ValuePublisher>? in
      call.tracking(label, writer).map { Tracker(upstream, $0) }
    }
  }
}

@_cdecl("streams_track_subject") @implementation
public func streams_track_subject(
  _ subject: OpaquePointer!, _ label: UnsafePointer<CChar>!, _ write: streams_write_fn!,
  _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  let call = Call("streams_track_subject")
  return Trampoline.through {
    let writer = lines(write, context, destroy)
    guard let subject = call.object(subject, "subject", Kind.subject) else { return nil }
    return call.tracking(label, writer).flatMap { call.handle(subject.tracked($0), Kind.subject) }
  }
}

@_cdecl("streams_trace_start") @implementation
public func streams_trace_start(
  _ write: streams_write_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) {
  Trampoline.through { Trace.set(lines(write, context, destroy)) }
}

@_cdecl("streams_trace_stop") @implementation
public func streams_trace_stop() {
  Trampoline.through { Trace.set(nil) }
}

@_cdecl("streams_publisher_describe") @implementation
public func streams_publisher_describe(
  _ publisher: OpaquePointer!, _ buffer: UnsafeMutablePointer<CChar>!, _ capacity: Int,
  _ needed: UnsafeMutablePointer<Int>!
) -> streams_status {
  let call = Call("streams_publisher_describe")
  return call.fill(buffer, capacity, needed) { write in
    guard let object = call.object(publisher, "publisher", Kind.publisher) else {
      return streams_last_status()
    }
    var text = object.tree
    text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    return STREAMS_OK
  }
}

/// Passes each line, with a line end, to a C callback, or writes it to the standard error output.
private func lines(
  _ write: streams_write_fn?, _ context: UnsafeMutableRawPointer?, _ destroy: streams_destroy_fn?
) -> Trace.Writer {
  let callback = Callback(context, destroy)
  guard let write else {
    // There is no callback, but the context is owned all the same.
    return { line in withExtendedLifetime(callback) { Tracking.writeToStandardError(line) } }
  }
  // Lines also report releases, and a call that releases something keeps its own last error.
  return { line in UserCallback.releasing { callback.write("\(line)\n", write) } }
}

extension Call {
  /// A tracker's name and writer, with a C label, or nil with the last error set.
  fileprivate func tracking(
    _ label: UnsafePointer<CChar>?, _ writer: @escaping Trace.Writer
  ) -> Tracking? {
    let label = label == nil ? "" : text(label, "label")
    return label.map { Tracking($0, .c, to: writer) }
  }
}

extension PublisherObject {
  /// The publisher and those that it is made of, one in a line. Publishers that are already in the text are not shown again.
  fileprivate var tree: String {
    var shown: Set<ObjectIdentifier> = []
    return indentedTree(self) { node in
      let isNew = shown.insert(ObjectIdentifier(node)).inserted
      let name = node.function.nameOfPublisher
      let sources = node.sources
      return isNew || sources.isEmpty ? (name, sources) : ("\(name) (see above)", [])
    }
  }

  private var sources: [PublisherObject] { (previous.map { [$0] } ?? []) + others }
}
