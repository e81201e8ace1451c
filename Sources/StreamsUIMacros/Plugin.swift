#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The program that the compiler runs to expand this package's macros. It takes requests at its standard input, and answers at its
/// standard output: eight bytes with the length, the lowest first, and that much JSON.
@main
enum Plugin {
  static func main() throws { try serve(from: STDIN_FILENO, to: STDOUT_FILENO) }

  /// Answers requests until there are no more.
  static func serve(from input: Int32, to output: Int32) throws {
    while let message = nextMessage(from: input) {
      let request = try JSONDecoder().decode(Request.self, from: message)
      send(try JSONEncoder().encode(answer(request)), to: output)
    }
  }

  static func answer(_ request: Request) -> Answer {
    if request.getCapability != nil { return .capability }
    guard let expansion = request.expandAttachedMacro else {
      return .expansion(nil, [Diagnostic("StreamsUI has no macro of this kind", at: nil)])
    }
    do throws(EntryMacro.Problem) {
      return .expansion(try EntryMacro.expand(expansion), [])
    } catch {
      // Each role is asked for by itself; one complaint is enough.
      let isFirst = expansion.macroRole == "accessor"
      return .expansion(
        nil, isFirst ? [Diagnostic(error.description, at: expansion.declSyntax.location)] : [])
    }
  }

  /// The next request; nil when there are no more.
  private static func nextMessage(from input: Int32) -> Data? {
    guard let header = bytes(8, from: input) else { return nil }
    let count = header.reversed().reduce(0) { $0 << 8 | Int($1) }
    // With an empty message the compiler says that it is done.
    return count == 0 ? nil : bytes(count, from: input).map { Data($0) }
  }

  private static func bytes(_ count: Int, from input: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let part = [UInt8](unsafeUninitializedCapacity: count - bytes.count) {
        $1 = max(0, read(input, $0.baseAddress, $0.count))
      }
      if part.isEmpty { return nil }
      bytes += part
    }
    return bytes
  }

  private static func send(_ message: Data, to output: Int32) {
    let header = (0..<8).map { UInt8(truncatingIfNeeded: message.count >> (8 * $0)) }
    var bytes = (header + message)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
      if count <= 0 { return }
      bytes = bytes.dropFirst(count)
    }
  }
}
