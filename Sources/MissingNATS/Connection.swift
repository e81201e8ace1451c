/// What StreamsNATS is without NATS' client library.
@available(
  *, unavailable,
  message:
    "StreamsNATS needs libnats: install Debian's libnats-dev, and run `swift package purge-cache` for SwiftPM to look for it again"
)
public final class Connection {
  /// Cannot be called.
  public init(servers: String...) throws {}
}
