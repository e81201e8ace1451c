import Foundation
import StreamsFoundation
import Testing

@Suite struct CoderTests {
  struct Reading: Codable, Equatable {
    var station: String
    var celsius: Double
  }

  let reading = Reading(station: "Seattle", celsius: 11.5)

  @Test func jsonThereAndBack() {
    var results: [Reading] = []
    let cancellable = Just(reading)
      .encode(encoder: JSONEncoder())
      .decode(type: Reading.self, decoder: JSONDecoder())
      .sink(receiveCompletion: { _ in }, receiveValue: { results.append($0) })
    withExtendedLifetime(cancellable) {}
    #expect(results == [reading])
  }

  @Test func propertyListThereAndBack() {
    var results: [Reading] = []
    let cancellable = Just(reading)
      .encode(encoder: PropertyListEncoder())
      .decode(type: Reading.self, decoder: PropertyListDecoder())
      .sink(receiveCompletion: { _ in }, receiveValue: { results.append($0) })
    withExtendedLifetime(cancellable) {}
    #expect(results == [reading])
  }

  @Test func badInputFails() {
    var completion: Subscribers.Completion<any Error>?
    let cancellable = Just(Data("{".utf8))
      .decode(type: Reading.self, decoder: JSONDecoder())
      .sink(receiveCompletion: { completion = $0 }, receiveValue: { _ in })
    withExtendedLifetime(cancellable) {}
    guard case .failure(let error) = completion else {
      Issue.record("no failure")
      return
    }
    #expect(error is DecodingError)
  }
}
