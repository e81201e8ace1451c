// The contents of a screen, derived from one state: a view model that is a value.
import Streams
import StreamsProperty

struct ViewModel {
  let viewState: Property<ViewState>
  let cellContents: Property<[CellContent]>
  let isActivityIndicatorVisible: Property<Bool>
  let emptyListPlaceholder: Property<String?>

  init(
    loadImpulses: PassthroughSubject<APIParams, Never>,
    fetchFromAPI: @escaping (APIParams) -> AnyPublisher<APIResult, APIError>
  ) {
    let loadingStates =
      loadImpulses
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
      case .loaded(let result), .loading(earlierResult: .some(let result)):
        return result.lines
      case .initial, .error, .loading:
        return []
      }
    }
    emptyListPlaceholder = viewState.map {
      switch $0 {
      case .loaded(let result), .loading(earlierResult: .some(let result)):
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

struct APIResult {
  let lines: [String]
}
typealias CellContent = String
typealias APIParams = Int
enum APIError: Error {
  case wrapped(Error)
}

struct Offline: Error {}

/// Page 1 is empty, page 2 has two lines, and for further pages the network fails.
func fetch(_ page: APIParams) -> AnyPublisher<APIResult, APIError> {
  switch page {
  case 1, 2:
    Just(APIResult(lines: page == 1 ? [] : ["bread", "milk"]))
      .setFailureType(to: APIError.self).eraseToAnyPublisher()
  default:
    Fail(error: .wrapped(Offline())).eraseToAnyPublisher()
  }
}

let impulses = PassthroughSubject<APIParams, Never>()
let model = ViewModel(loadImpulses: impulses, fetchFromAPI: fetch)
let screen = model.isActivityIndicatorVisible
  .combineLatest(model.cellContents, model.emptyListPlaceholder)
  .allValues
  .sink { isLoading, cells, placeholder in
    print(
      isLoading ? "loading" : "ready  ", cells.joined(separator: " "), placeholder ?? "", separator: " | ")
  }
for page in 1...3 {
  print("page \(page)")
  impulses.send(page)
}
