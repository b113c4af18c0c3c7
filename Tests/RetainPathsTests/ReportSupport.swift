import LifetimeTracer
import TracerBase

@testable import RetainPaths

/// A fictitious heap: addresses stand for types and symbols with given names.
final class MadeUpHeap {
    private var types: [UInt: String] = [:]
    private var symbols: [UInt: HeapNames.NamedAddress] = [:]
    private var next: UInt
    /// For each task that waits for a continuation, the functions that will resume, by the task's address.
    var awaitedContinuations: [UInt: [UInt]] = [:]
    /// The addresses of the tasks that were cancelled.
    var cancelledTasks: Set<UInt> = []

    /// - Parameter start: The lowest address. No text may depend on it.
    init(at start: UInt = 0x1000) {
        next = start
    }

    var names: HeapNames {
        let types = types
        let symbols = symbols
        let awaitedContinuations = awaitedContinuations
        let cancelledTasks = cancelledTasks
        return HeapNames(
            typeName: { types[$0].map { TypeName(reflected: $0) } }, symbol: { symbols[$0] },
            awaitedContinuation: { awaitedContinuations[$0] ?? [] }, isCancelled: { cancelledTasks.contains($0) })
    }

    func address() -> UInt {
        next += 0x40
        return next
    }

    func type(_ name: String) -> UInt {
        let address = address()
        types[address] = name
        return address
    }

    /// An address with a symbol, in the form that the symboliser produces.
    func symbol(_ mangled: String, module: String = "Demo", offset: UInt = 0) -> UInt {
        let address = address()
        symbols[address] = HeapNames.NamedAddress(
            name: Demangler.readableName(of: mangled), mangledName: mangled, module: module, offset: offset)
        return address
    }

    func unnamed(in module: String = "Demo", at offset: UInt = 0x13DF0) -> UInt {
        let address = address()
        symbols[address] = HeapNames.NamedAddress(
            name: "\(module)+0x\(String(offset, radix: 16))", mangledName: nil, module: module, offset: 0)
        return address
    }
}

extension MadeUpHeap {
    typealias Step = HeapAnswer.Step

    func root(_ mangled: String, edge: Step.Edge = .strong, code: UInt = 0) -> Step {
        Step.made(.rootData, at: symbol(mangled), edge: edge, isPrecise: false, code: code)
    }

    /// An object that holds the next step through a property.
    func object(
        _ type: String, _ property: String = "", edge: Step.Edge? = .strong, code: UInt = 0, at address: UInt? = nil
    ) -> Step {
        .made(.object, at: address ?? self.address(), metadata: self.type(type), edge: edge, name: property, code: code)
    }

    /// An object at the end of a path.
    func end(_ type: String, at address: UInt? = nil) -> Step {
        object(type, edge: nil, at: address)
    }

    func array(_ index: Int, _ element: String = "", of type: String = "Swift.Int", code: UInt = 0) -> Step {
        var step = object(
            "Swift._ContiguousArrayStorage<\(type)>", element, edge: code == 0 ? .strong : .function, code: code)
        step.index = index
        return step
    }

    func dictionary(_ key: Step.Key?, _ element: String = "", code: UInt = 0) -> Step {
        var step = object(
            "Swift._DictionaryStorage<Swift.String, Swift.AnyObject>", element, edge: code == 0 ? .strong : .function,
            code: code)
        step.key = key
        return step
    }

    /// A closure's context that captures the next step.
    func closure(edge: Step.Edge = .strong, code: UInt = 0) -> Step {
        .made(.closure, at: address(), metadata: address(), edge: edge, code: code)
    }
}

extension HeapAnswer.Step {
    static func made(
        _ node: Node, at address: UInt, metadata: UInt = 0, edge: Edge? = .strong, isPrecise: Bool = true,
        name: String = "",
        code: UInt = 0
    ) -> Self {
        Self(
            node: node, address: address, metadata: metadata, size: 48, edge: edge, isPrecise: isPrecise,
            names: [Name(text: name)], index: nil, key: nil, isInKey: false, code: code, offset: 16, isReached: true)
    }

    func with(_ change: (inout Self) -> Void) -> Self {
        var step = self
        change(&step)
        return step
    }
}

extension HeapAnswer.Finding {
    /// A finding about the object of the last step, or of the first step in a cycle.
    static func made(
        _ status: Status, _ steps: [HeapAnswer.Step], cycle: ClosedRange<Int>? = nil, strong: Int = 1, found: Int = 1,
        culprit: Int? = nil, holders: [HeapAnswer.Step] = []
    ) -> Self {
        let target = status == .cycle ? steps.first : steps.last
        return Self(
            status: status, address: target?.address ?? 0, metadata: target?.metadata ?? 0, strongCount: strong,
            unownedCount: 0, weakCount: 0, found: found, precise: found, fromRoots: 0, culprit: culprit, steps: steps,
            cycle: cycle, holders: holders)
    }
}

/// The report on the findings, with ids from 1.
func report(
    on findings: [HeapAnswer.Finding], in heap: MadeUpHeap, knownLeaks: KnownLeaks = KnownLeaks(),
    today: String = "2026-11-21", threads: [Int: String] = [:], typeOfLive: TypeName? = nil
) throws -> RetainReport {
    let day = try unwrapped(CalendarDay(today))
    let writer = ExplanationWriter(
        names: heap.names, knownLeaks: knownLeaks, today: day, typeOfLive: { _ in typeOfLive })
    let ids = findings.indices.map { InstanceID(rawValue: UInt64($0 + 1)) }
    return writer.report(on: HeapAnswer(findings: findings, threads: threads), of: ids)
}

/// The explanation of one finding.
func explain(
    _ finding: HeapAnswer.Finding, in heap: MadeUpHeap, knownLeaks: KnownLeaks = KnownLeaks(),
    threads: [Int: String] = [:], typeOfLive: TypeName? = nil
) throws -> RetainExplanation {
    let report = try report(
        on: [finding], in: heap, knownLeaks: knownLeaks, threads: threads, typeOfLive: typeOfLive)
    return try unwrapped(report.explanations.first)
}

/// An expected value was missing.
struct Missing: Error {}

func unwrapped<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw Missing() }
    return value
}

/// Symbols of a program with leaks, as the compiler mangled them.
enum Mangled {
    static let hubShared = "$s4Demo3HubC6sharedACvpZ"
    static let cache = "$s4Demo5cacheSayyXlGvp"
    static let privateGlobal = "$s4Demo6hidden33_B58CEF91CC1C10CD21AA049E4365EB36LLSayyXlGvp"
    static let defaultCenter =
        "$s20FoundationEssentials14_defaultCenter33_D7F0FBD11A4908D9351EC62B4910EBB5LLAA012NotificationD0Cvp"
    // Closures in Screen.bind(_:to:), of the types (String) -> (), the same, @Sendable (Notification) -> (), () async
    // throws -> (), and () -> ().
    static let closure1 = "$s4Demo6ScreenC4bind_2toS2i_SStKFySScfU_"
    static let closure2 = "$s4Demo6ScreenC4bind_2toS2i_SStKFySScfU0_"
    static let closure4 = "$s4Demo6ScreenC4bind_2toS2i_SStKFy10Foundation12NotificationVYbcfU2_"
    static let closure5 = "$s4Demo6ScreenC4bind_2toS2i_SStKFyyYaKcfU3_TATu"
    static let closure9 = "$s4Demo6ScreenC4bind_2toS2i_SStKFyycfU7_"
    // A closure in Hub.onAny<A>(_:), of type (String) -> ().
    static let hubClosure = "$s4Demo3HubC5onAnyyyyxclFySScfU_TA"
    static let thunk = "$sSSIegg_SSytIegnr_TRTA.11"
}
