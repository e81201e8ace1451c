import CStreams
import Streams
import StreamsScopes

@_cdecl("streams_scope_child") @implementation
public func streams_scope_child(
  _ scope: OpaquePointer!, _ key: UnsafePointer<streams_value>!, _ input: UnsafePointer<streams_value>!,
  _ body: streams_body_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> streams_status {
  let call = Call("streams_scope_child")
  return Trampoline.through {
    let callback = Callback(context, destroy)
    guard let definition = call.definition(body, callback, input), let key = call.optional(key, "key"),
      let content = call.running(scope)
    else { return streams_last_status() }
    do throws(StreamError) {
      if try content.child(key, definition) { return STREAMS_OK }
      return call.fail(STREAMS_LIMIT, "scope is \(ScopeBody.greatestDepth) deep in others already")
    } catch {
      return call.fail(error)
    }
  }
}

@_cdecl("streams_scope_state") @implementation
public func streams_scope_state(
  _ scope: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ initial: UnsafePointer<streams_value>!
) -> OpaquePointer! {
  let call = Call("streams_scope_state")
  guard let name = call.text(name, "name"), let initial = call.adopt(initial, "initial"),
    let content = call.running(scope)
  else { return nil }
  return call.handle(content.state(name, initial), Kind.binding)
}

@_cdecl("streams_scope_task") @implementation
public func streams_scope_task(
  _ scope: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ input: UnsafePointer<streams_value>!,
  _ action: streams_action_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> streams_status {
  let call = Call("streams_scope_task")
  return Trampoline.through {
    let callback = Callback(context, destroy)
    guard let name = call.text(name, "name"), let action = call.required(action, "action"),
      let input = call.optional(input, "input"), let content = call.running(scope)
    else { return streams_last_status() }
    content.task(name, ScopeTask.Action(run: action, callback: callback), input)
    return STREAMS_OK
  }
}

@_cdecl("streams_scope_get_environment_value") @implementation
public func streams_scope_get_environment_value(
  _ scope: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ out: UnsafeMutablePointer<streams_value>!
) -> streams_status {
  let call = Call("streams_scope_get_environment_value")
  guard call.isPresent(out, "out") else { return streams_last_status() }
  out.initialize(to: streams_value())
  guard let key = call.text(key, "key"), let content = call.running(scope, isReading: true) else {
    return streams_last_status()
  }
  out.store(content.environmentValue(content.core.key(key)))
  return STREAMS_OK
}

@_cdecl("streams_scope_set_environment_value") @implementation
public func streams_scope_set_environment_value(
  _ scope: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ value: UnsafePointer<streams_value>!
) -> streams_status {
  let call = Call("streams_scope_set_environment_value")
  return Trampoline.through {
    guard let key = call.text(key, "key"), let value = call.adopt(value, "value"),
      let content = call.running(scope)
    else { return streams_last_status() }
    content.setEnvironment(content.core.key(key), value)
    return STREAMS_OK
  }
}

@_cdecl("streams_scope_invalidate") @implementation
public func streams_scope_invalidate(_ scope: OpaquePointer!) -> streams_status {
  let call = Call("streams_scope_invalidate")
  guard let scope = call.object(scope, "scope", Kind.scope) else { return streams_last_status() }
  guard call.hasStack else { return STREAMS_LIMIT }
  scope.invalidate()
  return STREAMS_OK
}

extension Call {
  /// The body behind a scope, if it runs on this thread. With `isReading`, also within calls whose reads do not count.
  @inline(never)
  fileprivate func running(_ scope: OpaquePointer?, isReading: Bool = false) -> ScopeBody? {
    guard let scope = object(scope, "scope", Kind.scope) else { return nil }
    if isReading ? scope.isRunningHere : scope.isEvaluated, let content = scope.content as? ScopeBody {
      return hasStack ? content : nil
    }
    _ = fail(STREAMS_PROTOCOL_VIOLATION, "the body of scope does not run on this thread")
    return nil
  }
}
