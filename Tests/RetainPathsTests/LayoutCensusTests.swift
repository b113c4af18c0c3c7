import CRetainPaths
import LifetimeTracer
import Observation
import Testing

@testable import RetainPaths

/// An object that registers its address in the census while it lives.
private final class Counted: @unchecked Sendable {
    static let addresses = Locked<Set<UInt>>([])

    let number = 1

    init() { Self.addresses.withLock { _ = $0.insert(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())) } }
    deinit { Self.addresses.withLock { _ = $0.remove(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())) } }
}

private protocol Chained {
    associatedtype Element
    associatedtype Next: Chained
    var element: Element { get }
}

private struct Link: Chained {
    var element = Counted()
    typealias Next = Link
}

extension Chained {
    func chain(
        _ first: @escaping (Element) -> Next, _ second: @escaping (Next.Element) async throws -> Next.Next,
        _ third: ((Element, Next.Element) -> Void)?
    ) -> Function {
        let counted = Counted()
        let element = self.element
        return Function { use(first(element), counted, self, second, third as Any) }
    }
}

private class Generic<Value: Chained> {
    var value: Value
    var handlers: [(Value.Element) -> Void] = []
    let counted = Counted()

    init(_ value: Value) { self.value = value }

    func weakly() -> Function {
        let other = Counted()
        return Function { [weak self] in use(self as Any, other) }
    }
    func unowned() -> Function {
        let other = Counted()
        let element = value.element
        return Function { [unowned self] in use(self, other, element) }
    }
    func generically<Other>(_ other: Other, _ transform: @escaping (Other, Value) -> Value.Next) -> Function {
        let counted = Counted()
        return Function { use(self, other, counted, transform(other, self.value)) }
    }
}

private enum CountedError: Error {
    case with(Counted)
    case without
}

private struct Loosely<Value> {
    weak var weakly: Counted?
    unowned(unsafe) var unsafely: Counted
    var value: Value
}

@Observable private final class Observed {
    var counted = Counted()
    var number = 3
}

private final class Empties {
    let clock = ContinuousClock()
    var first = Counted()
    let nothing: Void = ()
    let second = Counted()
    var pair = Pair(number: 1, counted: Counted())
    let mode = Mode.only

    enum Mode { case only }
    struct Pair {
        var number: Int8
        var clock = SuspendingClock()
        var counted: Counted
        var nothing: () = ()
        var other = Counted()
    }
}

private final class Publisher<Output> {
    var receivers: [Int: (Output) -> Void] = [:]

    func map<Other>(_ transform: @escaping (Output) -> Other) -> Publisher<Other> {
        let next = Publisher<Other>()
        receivers[receivers.count] = { value in
            for receive in next.receivers.values { receive(transform(value)) }
        }
        return next
    }
}

/// Each word of an object that is the address of a living object must be a strong reference in the layout, unless the
/// property is an exception.
///
/// This holds regardless of how the compiler lays out a shape.
@Suite struct LayoutCensusTests {
    /// Compares the layout's references with the words at an address; follows contexts and boxes.
    private func expectCensus(at address: UInt, exceptions: Int = 0, sourceLocation: SourceLocation = #_sourceLocation)
    {
        var seen: Set<UInt> = []
        var open = [address]
        while let next = open.popLast() {
            guard seen.insert(next).inserted, seen.count < 50,
                let object = UnsafeRawPointer(bitPattern: next),
                let metadata = Metadata(address: object.read(0))
            else { continue }
            let reader = LayoutReader(at: next)
            #expect(reader.unknown.isEmpty, "\(reader.unknown)", sourceLocation: sourceLocation)
            let size = metadata.kind == .aClass ? ClassMetadata(metadata).instanceSize : reader.size
            let living = Counted.addresses.withLock { $0 }
            let words = stride(from: 16, to: size, by: wordSize).map { object.read($0, as: UInt.self) }
                .filter { living.contains($0) }
            let found = reader.references.map(\.address).filter { living.contains($0) }
            let loose = reader.others.count
            #expect(
                found.sorted() == words.sorted() || loose > 0 && words.count - found.count <= loose,
                "\(reader.references) of \(words)", sourceLocation: sourceLocation)
            #expect(Set(found).isSubset(of: words), sourceLocation: sourceLocation)
            for reference in reader.references where reference.address.isMultiple(of: 16) {
                let first: UInt? = UnsafeRawPointer(bitPattern: reference.address)?.read(0)
                let kind = first.flatMap { $0 > 1 << 16 ? Metadata(address: $0)?.kind : nil }
                if kind == .context || kind == .genericBox { open.append(reference.address) }
            }
        }
    }

    private func expectCensus(of function: Function, sourceLocation: SourceLocation = #_sourceLocation) {
        expectCensus(at: function.context, sourceLocation: sourceLocation)
        withExtendedLifetime(function) {}
    }

    private func expectCensus(of object: AnyObject, sourceLocation: SourceLocation = #_sourceLocation) {
        expectCensus(
            at: UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()), sourceLocation: sourceLocation)
        withExtendedLifetime(object) {}
    }

    @Test func layoutFindsReferencesInChainsOfAssociatedTypes() {
        let link = Link()
        expectCensus(of: link.chain({ _ in link }, { _ in link }, { _, _ in }))
        expectCensus(of: link.chain({ _ in link }, { _ in link }, nil))
        let generic = Generic(link)
        expectCensus(of: generic)
        expectCensus(of: generic.weakly())
        expectCensus(of: generic.unowned())
        expectCensus(of: generic.generically(Counted()) { _, link in link })
        expectCensus(of: generic.generically((1, Counted(), "text")) { _, link in link })
    }

    @Test func layoutFindsReferencesOfCapturedFunctions() {
        let counted = Counted()
        let other = Counted()
        let throwing: (Int) throws(CountedError) -> Counted = { _ throws(CountedError) in throw .with(counted) }
        expectCensus(of: Function { use(throwing, other, counted) })
        let sendable: @Sendable (Int) async -> Counted = { _ in
            use(other)
            return counted
        }
        let isolated: @isolated(any) @Sendable () -> Void = { use(counted, other) }
        expectCensus(of: Function { use(sendable, other, isolated) })
        let path = \Counted.number
        expectCensus(of: Function { use(path, other, counted) })
        let type: Any.Type = Counted.self
        expectCensus(of: Function { use(type, Counted.self, other, counted) })
    }

    private func valueGeneric<let count: Int>(_ cells: InlineArray<count, Counted>) -> Function {
        let counted = Counted()
        return Function { use(cells[0], counted) }
    }

    private func inCollections<Value>(
        _ optional: Value?, _ result: Result<Value, any Error>, _ array: [Value?], _ table: [String: (Value, Counted)]
    ) -> Function {
        let counted = Counted()
        return Function { use(optional as Any, result, array, table, counted) }
    }

    @Test func layoutFindsReferencesInValuesOfManyKinds() {
        let counted = Counted()
        expectCensus(of: valueGeneric([counted, Counted()]))
        expectCensus(of: inCollections(counted, .success(Counted()), [nil], ["": (counted, Counted())]))
        expectCensus(of: inCollections(3, .failure(CountedError.with(counted)), [nil], [:]))
        let loosely = Loosely(weakly: counted, unsafely: counted, value: Counted())
        expectCensus(of: Function { use(loosely) })
        expectCensus(of: Observed())
        expectCensus(of: Empties())
        let publisher = Publisher<Int>()
        let mapped = publisher.map { _ in counted }
        expectCensus(of: mapped)
        var variable = (counted, 1, Counted())
        let change = {
            variable.1 += 1
            use(counted)
        }
        expectCensus(
            of: Function {
                change()
                use(variable)
            })
    }

    @Test func layoutFindsReferencesBesideCapturedContinuation() async {
        // The compiler does not know the size of this capture, so the metadata does not contain the offset of the
        // captures.
        let counted = Counted()
        let other = Counted()
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let function = Function { use(continuation, counted, other) }
            expectCensus(of: function)
            let found = LayoutReader(at: function.context).references.map(\.address)
            let objects = [counted, other].map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) }
            #expect(found.count == 3 && Set(found).isSuperset(of: objects))
            continuation.resume()
        }
    }

    @Test func layoutFindsReferencesInActorsAndTheirClosures() async {
        actor Actor {
            let counted = Counted()
            var other = Counted()
            func function() -> Function {
                let third = Counted()
                return Function { use(self, third) }
            }
        }
        let actor = Actor()
        let reader = LayoutReader(of: actor)
        #expect(reader.names == ["counted", "other"] && reader.unknown.isEmpty)
        expectCensus(of: await actor.function())
    }
}

/// Takes an argument of any type, so that a closure captures it.
@inline(never)
private func use(_ values: Any...) {}
