extension Future where Failure == Never {
  /// The value, once the promise has been kept.
  ///
  /// A cancelled task goes on waiting for it. A loop over `values` ends with its task.
  ///
  ///     let number = await future.value
  public nonisolated(nonsending) final var value: Output {
    get async {
      await withUnsafeContinuation { continuation in
        subscribe(
          Subscribers.Sink(
            receiveCompletion: { _ in },
            receiveValue: { value in
              nonisolated(unsafe) let value = value
              continuation.resume(returning: value)
            }))
      }
    }
  }
}

extension Future {
  /// The value, once the promise has been kept; throws the failure.
  ///
  /// A cancelled task goes on waiting for it. A loop over `values` ends with its task.
  ///
  ///     let number = try await future.value
  public nonisolated(nonsending) final var value: Output {
    get async throws {
      try await withUnsafeThrowingContinuation { continuation in
        subscribe(
          Subscribers.Sink(
            receiveCompletion: { completion in
              if case .failure(let error) = completion { continuation.resume(throwing: error) }
            },
            receiveValue: { value in
              nonisolated(unsafe) let value = value
              continuation.resume(returning: value)
            }))
      }
    }
  }
}
