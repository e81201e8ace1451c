import CStreams

@_cdecl("streams_status_name") @implementation
public func streams_status_name(_ status: streams_status) -> UnsafePointer<CChar>! {
  status.name.cString
}

@_cdecl("streams_version") @implementation
public func streams_version() -> UInt32 { UInt32(STREAMS_VERSION) }

@_cdecl("streams_version_string") @implementation
public func streams_version_string() -> UnsafePointer<CChar>! { StaticString("1.0.0").cString }
