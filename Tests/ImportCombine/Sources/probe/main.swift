import Bystander
import Combine
import Extensions
import Foundation
import Indirect
import Modern
import Preconcurrency

var cancellables = Set<AnyCancellable>()

let numbers = PassthroughSubject<Int, Never>()
numbers.pairwise().print("pairwise").sink { print("pair", $0.0, $0.1) }.store(in: &cancellables)
for number in 1...3 { numbers.send(number) }
numbers.send(completion: .finished)

let source = PassthroughSubject<Void, Never>()
let shared = source.scan(0) { count, _ in count + 1 }.shareLatest()
shared.sink { print("early", $0) }.store(in: &cancellables)
source.send()
source.send()
shared.sink { print("late", $0) }.store(in: &cancellables)

let clock = DispatchQueue.manual
let values = PassthroughSubject<String, Never>()
values.debounce(for: .seconds(1), scheduler: clock).sink { print("debounced", $0) }.store(in: &cancellables)
values.collect(.byTime(clock, 2)).sink { print("collected", $0) }.store(in: &cancellables)
values.send("a")
clock.advance(by: .milliseconds(500))
values.send("b")
clock.advance(by: 2)

let form = Form()
form.summary.sink { print("form", $0) }.store(in: &cancellables)
form.field = "filled"
form.isOpen = false
print("valid", form.isValid, form.log.count)

Readings.decoded(from: [#"{"celsius":4.1}"#, "mild"])
  .sink(
    receiveCompletion: { if case .failure(let error) = $0 { print("failed", error is DecodingError) } },
    receiveValue: { print("decoded", $0.celsius) }
  )
  .store(in: &cancellables)

let name = Notification.Name("probe")
NotificationCenter.default.publisher(for: name).sink { print("notified", $0.name.rawValue) }.store(
  in: &cancellables)
NotificationCenter.default.post(name: name, object: nil)

Just(1).map { Just($0 + 1) }.switchToLatest().zip(Just("one")).sinkSingle { print("single", $0) }
  .store(in: &cancellables)

ZipMany([Just(1), Just(2)]).sink { print("own zip", $0) }.store(in: &cancellables)
CombineLatestMany([Just(1), Just(2)]).sink { print("own latest", $0) }.store(in: &cancellables)

print("named", namedTypes.count, "made", madeByName().count)

let record = Record<Int, Never> { recording in
  recording.receive(1)
  recording.receive(completion: .finished)
}
print("record", record.recording.output, record.recording.completion)

// Before anything is awaited: from then on, this is not the main thread any more.
Readings.tick(2) { print("tick", $0) }

print("promised", try await Readings.promised())
let counter = Counter()
await counter.count([1, 2, 3].publisher.eraseToAnyPublisher())
print("counted", await counter.count)
print("firsts", await Readings.first(of: [Just(1), [2, 3].publisher, CurrentValueSubject<Int, Never>(4)]))

let meter = Meter()
print("measured", meter.measure(), Sending.fromQueues(), await meter.reading().value)
for await level in Meter.stream(of: meter.$level.first()) { print("level", level) }
for await number in Sending.stream(of: [1, 2].publisher) { print("streamed", number) }

// Which does not depend on the product, and is not to find the module, whatever is built first.
print("a bystander finds Combine: \(findsCombine)")
print("one that depends on one that does: \(indirectlyFindsCombine)")
