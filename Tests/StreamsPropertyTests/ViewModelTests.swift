// The view model stands as it was written; only its import is another.
// swift-format-ignore-file
import Streams
import StreamsProperty
import StreamsTesting
import Testing

struct ViewModel {
    let viewState: Property<ViewState>
    let cellContents: Property<[CellContent]>
    let isActivityIndicatorVisible: Property<Bool>
    let emptyListPlaceholder: Property<String?>

    init(
        loadImpulses: PassthroughSubject<APIParams, Never>,
        fetchFromAPI: @escaping (APIParams) -> AnyPublisher<APIResult, APIError>
    ) {
        let loadingStates = loadImpulses
            .flatMap { params -> AnyPublisher<ViewState, Never> in
                let loadingState = Just(ViewState.loading(earlierResult: nil))
                let fetchStates = fetchFromAPI(params)
                    .map(ViewState.loaded)
                    .catch { Just(ViewState.error($0)) }
                return loadingState.append(fetchStates).eraseToAnyPublisher()
            }
        viewState = Property(initial: .initial, then: loadingStates)
        isActivityIndicatorVisible = viewState.map {
            switch $0 {
            case .initial, .loading(.none):
                return true
            case .loading, .loaded, .error:
                return false
            }
        }
        cellContents = viewState.map {
            switch $0 {
            case let .loaded(result), let .loading(earlierResult: .some(result)):
                return result.lines
            case .initial, .error, .loading:
                return []
            }
        }
        emptyListPlaceholder = viewState.map {
            switch $0 {
            case let .loaded(result), let .loading(earlierResult: .some(result)):
                return result.lines.isEmpty ? "No items found" : nil
            case .initial, .error, .loading:
                return nil
            }
        }
    }
}

enum ViewState {
    case initial
    case loading(earlierResult: APIResult?)
    case loaded(APIResult)
    case error(APIError)
}

// Simple placeholder types so the example compiles:
struct APIResult {
    let lines: [String]
}
typealias CellContent = String
typealias APIParams = Int
enum APIError: Error {
    case wrapped(Error)
}

@Suite struct ViewModelTests {
  private struct Offline: Error {}

  @Test func showsWhatItLoads() {
    let impulses = PassthroughSubject<APIParams, Never>()
    var answers: [PassthroughSubject<APIResult, APIError>] = []
    let model = ViewModel(
      loadImpulses: impulses,
      fetchFromAPI: { _ in
        answers.append(PassthroughSubject())
        return answers[answers.count - 1].eraseToAnyPublisher()
      })
    // The model is a value: a copy shows the same.
    let copy = model
    let contents = Log(copy.cellContents.allValues)
    let indicator = Log(copy.isActivityIndicatorVisible.removeDuplicates().allValues)
    #expect(model.emptyListPlaceholder.value == nil)

    impulses.send(1)
    answers[0].send(APIResult(lines: []))
    #expect(model.emptyListPlaceholder.value == "No items found")
    answers[0].send(completion: .finished)

    impulses.send(2)
    #expect(model.isActivityIndicatorVisible.value)
    answers[1].send(APIResult(lines: ["a", "b"]))
    #expect(model.cellContents.value == ["a", "b"])
    #expect(model.emptyListPlaceholder.value == nil)

    impulses.send(3)
    answers[2].send(completion: .failure(.wrapped(Offline())))
    guard case .error(.wrapped(let error)) = model.viewState.value else {
      Issue.record("\(model.viewState.value)")
      return
    }
    #expect(error is Offline)
    #expect(contents.values == [[], [], [], [], ["a", "b"], [], []])
    #expect(indicator.values == [true, false, true, false, true, false])
  }
}
