import Plan

#if STREAMS
  import Streams
#else
  import OpenCombine
#endif

extension Builder {
  func apply<Value: Element>(_ step: Filter, to upstream: AnyPublisher<Value, Fault>) -> Pipe {
    switch step {
    case .filter(let number): upstream.filter(test("filter", number)).packed()
    case .tryFilter(let number): upstream.tryFilter(tryTest("tryFilter", number)).packedErrors()
    case .compactMap(let number):
      upstream.compactMap { test("compactMap", number)($0) ? $0 : nil }.packed()
    case .tryCompactMap(let number):
      upstream.tryCompactMap { try tryTest("tryCompactMap", number)($0) ? $0 : nil }.packedErrors()
    case .removeDuplicates: upstream.removeDuplicates().packed()
    case .removeDuplicatesBy: upstream.removeDuplicates(by: compare("removeDuplicates")).packed()
    case .tryRemoveDuplicates(let number):
      upstream.tryRemoveDuplicates(by: tryCompare("tryRemoveDuplicates", number)).packedErrors()
    case .replaceEmpty(let number): upstream.replaceEmpty(with: Value(number: number)).packed()
    case .ignoreOutput: upstream.ignoreOutput().map { (value: Never) -> Value in }.packed()
    case .dropFirst(let count): upstream.dropFirst(count).packed()
    case .dropWhile(let number): upstream.drop(while: test("drop", number)).packed()
    case .tryDropWhile(let number): upstream.tryDrop(while: tryTest("tryDrop", number)).packedErrors()
    case .prefix(let count): upstream.prefix(count).finishingWith(count).packed()
    case .prefixWhile(let number): upstream.prefix(while: test("prefix", number)).packed()
    case .tryPrefixWhile(let number): upstream.tryPrefix(while: tryTest("tryPrefix", number)).packedErrors()
    case .outputAt(let index): upstream.output(at: index).finishingWith(1).packed()
    case .outputIn(let start, let count):
      upstream.output(in: start..<(start + count)).finishingWith(count).packed()
    }
  }

  func apply<Value: Element>(_ step: Reduce, to upstream: AnyPublisher<Value, Fault>) -> Pipe {
    switch step {
    case .collect: upstream.collect().map(list).packed()
    case .reduce: upstream.reduce(Value(number: 1), add("reduce")).packed()
    case .tryReduce(let number):
      upstream.tryReduce(Value(number: 1), tryAdd("tryReduce", number)).packedErrors()
    case .count: upstream.count().packed()
    case .min: upstream.min().packed()
    case .max: upstream.max().packed()
    case .minBy: upstream.min(by: compare("min")).packed()
    case .maxBy: upstream.max(by: compare("max")).packed()
    case .tryMinBy(let number): upstream.tryMin(by: tryCompare("tryMin", number)).packedErrors()
    case .tryMaxBy(let number): upstream.tryMax(by: tryCompare("tryMax", number)).packedErrors()
    case .contains(let number): upstream.contains(Value(number: number)).map(truth).packed()
    case .containsWhere(let number): upstream.contains(where: test("contains", number)).map(truth).packed()
    case .tryContainsWhere(let number):
      upstream.tryContains(where: tryTest("tryContains", number)).map(truth).packedErrors()
    case .allSatisfy(let number): upstream.allSatisfy(test("allSatisfy", number)).map(truth).packed()
    case .tryAllSatisfy(let number):
      upstream.tryAllSatisfy(tryTest("tryAllSatisfy", number)).map(truth).packedErrors()
    case .first: upstream.first().packed()
    case .last: upstream.last().packed()
    case .firstWhere(let number): upstream.first(where: test("first", number)).packed()
    case .tryFirstWhere(let number): upstream.tryFirst(where: tryTest("tryFirst", number)).packedErrors()
    case .lastWhere(let number): upstream.last(where: test("last", number)).packed()
    case .tryLastWhere(let number): upstream.tryLast(where: tryTest("tryLast", number)).packedErrors()
    }
  }

  func truth(_ value: Bool) -> Int { value ? 1 : 0 }
}
