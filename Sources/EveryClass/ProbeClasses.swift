// The classes of the probe, one of each kind that the hooks treat differently.

class ProbePlain {
    var first: Int
    var second: Int
    var third: UInt8 = 3

    init(_ number: Int) {
        first = number
        second = number
    }
}

/// Fails before and after its own field is set.
final class ProbeFailing: ProbePlain {
    let field: ProbeGeneric<Int>

    init?(_ number: Int, failsEarly: Bool, failsLate: Bool) {
        if failsEarly { return nil }
        field = ProbeGeneric(number)
        super.init(number)
        if failsLate { return nil }
    }
}

final class ProbeGeneric<Value> {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}

actor ProbeActor {
    var number = 1
}

final class ProbeBuffer: ManagedBuffer<Int, Int> {}

/// For a `ManagedBufferPointer`.
final class ProbePointerBuffer {}
