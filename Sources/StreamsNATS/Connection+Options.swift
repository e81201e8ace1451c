internal import CStreams
internal import CStreamsNATS

extension Connection {
  /// How to connect. What is nil has its default.
  ///
  ///     var options = Connection.Options(servers: ["tls://nats.example.org"])
  ///     options.credentialsFile = "/etc/worker.creds"
  ///     let connection = try Connection(options)
  public struct Options: Sendable {
    /// Addresses, 64 at most; `nats://127.0.0.1:4222` if there are none. A user with a password, or a token, may be in one, before
    /// an `@`: there `%40` is an `@`, and so on for each byte, and a comma has to be `%2C`.
    public var servers: [String]
    /// Shown by the server's tools.
    public var name: String?
    /// The name of a user.
    public var user: String?
    /// The user's password.
    public var password: String?
    /// A token, where the server wants one instead of a user.
    public var token: String?
    /// The path of a file with a JWT and a seed.
    public var credentialsFile: String?
    /// A public key, which needs ``nkeySeedFile``.
    public var nkey: String?
    /// The path of the file with the seed of ``nkey``.
    public var nkeySeedFile: String?
    /// The path of a PEM file with those who certify servers. It makes the connection use TLS.
    public var tlsCAFile: String?
    /// The path of a PEM file with the program's own certificate. It makes the connection use TLS, and needs ``tlsKeyFile``.
    public var tlsCertificateFile: String?
    /// The path of a PEM file with the key of the certificate.
    public var tlsKeyFile: String?
    /// How long an attempt at one server takes at most; 2 seconds.
    public var connectTimeout: Duration?
    /// How long to wait between two attempts at one server; 2 seconds.
    public var reconnectWait: Duration?
    /// How often each server is tried before the connection is given up, at the start too; 60. Negative: for ever.
    public var maxReconnects: Int?
    /// How often an idle connection is checked; 2 minutes.
    public var pingInterval: Duration?
    /// How many messages a core subject's stream may leave in nats.c's memory while its thread is busy; 65,536. What comes beyond
    /// is dropped, and counted by ``Connection/dropped``.
    public var pendingMessages: Int?
    /// How many bytes these may have; 64 MB.
    public var pendingBytes: Int?

    /// Default options, for servers.
    public init(servers: [String] = []) { self.servers = servers }

    func raw(_ texts: Texts) throws(NATSError) -> streams_nats_options {
      var raw = streams_nats_options()
      raw.size = MemoryLayout<streams_nats_options>.size
      raw.servers = try texts(servers.isEmpty ? nil : servers.joined(separator: ","), "servers")
      raw.name = try texts(name, "name")
      raw.user = try texts(user, "user")
      raw.password = try texts(password, "password")
      raw.token = try texts(token, "token")
      raw.credentials_file = try texts(credentialsFile, "credentialsFile")
      raw.nkey = try texts(nkey, "nkey")
      raw.nkey_seed_file = try texts(nkeySeedFile, "nkeySeedFile")
      raw.tls_ca_file = try texts(tlsCAFile, "tlsCAFile")
      raw.tls_certificate_file = try texts(tlsCertificateFile, "tlsCertificateFile")
      raw.tls_key_file = try texts(tlsKeyFile, "tlsKeyFile")
      raw.connect_timeout = connectTimeout?.nanoseconds ?? 0
      raw.reconnect_wait = reconnectWait?.nanoseconds ?? 0
      raw.max_reconnects = Int64(maxReconnects ?? 0)
      raw.ping_interval = pingInterval?.nanoseconds ?? 0
      raw.pending_messages = Int64(pendingMessages ?? 0)
      raw.pending_bytes = Int64(pendingBytes ?? 0)
      return raw
    }
  }
}
