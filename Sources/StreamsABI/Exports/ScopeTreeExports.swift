import CStreams
import Streams
import StreamsScopes

@_cdecl("streams_scope_tree_create") @implementation
public func streams_scope_tree_create(
  _ scheduler: OpaquePointer!, _ input: UnsafePointer<streams_value>!, _ body: streams_body_fn!,
  _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  let call = Call("streams_scope_tree_create")
  return Trampoline.through {
    let callback = Callback(context, destroy)
    guard let definition = call.definition(body, callback, input), call.hasStack else { return nil }
    guard scheduler != nil else { return call.tree(definition, on: nil) }
    guard let object = call.object(scheduler, "scheduler", Kind.scheduler) else { return nil }
    let clock = object.clockForStream
    if clock.isImmediate {
      return call.null(
        STREAMS_INVALID_ARGUMENT, "scheduler is immediate: an update would run within what asks for it")
    }
    return call.tree(definition, on: clock.inCurrentContext)
  }
}

@_cdecl("streams_scope_tree_update") @implementation
public func streams_scope_tree_update(_ tree: OpaquePointer!) -> streams_status {
  let call = Call("streams_scope_tree_update")
  return call.with(UnsafeRawPointer(tree), "tree", Kind.scopeTree) { object in
    guard call.hasStack else { return STREAMS_LIMIT }
    let core = object.core
    core.tree.update()
    return core.failure.map { call.fail($0) } ?? STREAMS_OK
  }
}

@_cdecl("streams_scope_tree_updates") @implementation
public func streams_scope_tree_updates(_ tree: OpaquePointer!) -> OpaquePointer! {
  let call = Call("streams_scope_tree_updates")
  return call.object(tree, "tree", Kind.scopeTree).flatMap { call.publish($0.core.updates) }
}

@_cdecl("streams_scope_tree_get_shown") @implementation
public func streams_scope_tree_get_shown(
  _ tree: OpaquePointer!, _ out: UnsafeMutablePointer<streams_value>!
) -> streams_status {
  let call = Call("streams_scope_tree_get_shown")
  guard call.isPresent(out, "out") else { return streams_last_status() }
  out.initialize(to: streams_value())
  return call.with(UnsafeRawPointer(tree), "tree", Kind.scopeTree) { object in
    let list = Result { () throws(StreamError) in
      var items: [Value] = []
      for (depth, value) in object.core.shown { items.append(try .list([Value(Int64(depth)), value])) }
      return try Value.list(items)
    }
    return call.store(list, out)
  }
}

@_cdecl("streams_scope_tree_set_environment_value") @implementation
public func streams_scope_tree_set_environment_value(
  _ tree: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ value: UnsafePointer<streams_value>!
) -> streams_status {
  let call = Call("streams_scope_tree_set_environment_value")
  return call.with(UnsafeRawPointer(tree), "tree", Kind.scopeTree) { object in
    guard call.hasStack, let key = call.text(key, "key") else { return streams_last_status() }
    let adopted = value == nil ? nil : call.adopt(value, "value")
    if value != nil && adopted == nil { return streams_last_status() }
    object.core.setEnvironment(object.core.key(key), adopted)
    return STREAMS_OK
  }
}

extension Call {
  /// A scope's definition: a body, its callback and an input.
  func definition(
    _ body: streams_body_fn?, _ callback: Callback, _ input: UnsafePointer<streams_value>?
  ) -> ScopeBody.Definition? {
    guard let body = required(body, "body"), let input = optional(input, "input") else { return nil }
    return ScopeBody.Definition(body: body, callback: callback, input: input)
  }

  /// A value; NULL stands for the null value.
  func optional(_ value: UnsafePointer<streams_value>?, _ argument: StaticString) -> Value? {
    value == nil ? Value.null : adopt(value, argument)
  }

  /// Makes a tree that a scheduler updates.
  fileprivate func tree(_ definition: ScopeBody.Definition, on clock: SchedulerClock?) -> OpaquePointer? {
    if let refusal = clock?.presence.refusal {
      return null(streams_status(rawValue: UInt32(refusal.code)), refusal.text)
    }
    let core = ScopeTreeCore(
      schedule: clock.map { clock in { action in clock.schedule(options: nil, action) } })
    core.mount(definition)
    return handle(ScopeTreeObject(core), Kind.scopeTree)
  }
}
