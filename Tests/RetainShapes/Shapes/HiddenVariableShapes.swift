// Optimised code splits these variables, and the symbol of each part ends in a number. Safe because one thread plants
// the shapes.

nonisolated(unsafe) private var pair: (number: Int, screen: Screen?) = (1, nil)
nonisolated(unsafe) private var both: (first: Screen?, second: Screen?) = (nil, nil)
nonisolated(unsafe) private var anything: Any?
nonisolated(unsafe) private var action: (() -> Void)?
nonisolated(unsafe) private var entry = HiddenVariableShapes.Entry()
nonisolated(unsafe) private var choice = HiddenVariableShapes.Choice.none
nonisolated(unsafe) private var titled: (title: String, screen: Screen?) = ("", nil)
nonisolated(unsafe) private var named: any Nameable = Nameless()
nonisolated(unsafe) private var numbers = (1, 2, 3)
nonisolated(unsafe) private var lateNumber: Int?

private protocol Nameable {}
private struct Nameless: Nameable {}
private struct Named: Nameable {
    let number = 4
    let screen: Screen
}

/// Variables whose symbols contain little information.
@MainActor package enum HiddenVariableShapes {
    // Safe because the shapes are planted one at a time on one thread.
    nonisolated(unsafe) private static var table: [String: Screen] = [:]
    nonisolated(unsafe) private static var entry = Entry()
    nonisolated(unsafe) private static var actions: (onTap: (() -> Void)?, onDone: (() -> Void)?)
    nonisolated(unsafe) private static var list: (Screen?, [Screen]) = (nil, [])
    private static weak var known: Screen?

    package struct Entry {
        package var number = 1
        package var screen: Screen?
        package var other: Screen?
    }

    package enum Choice {
        case none
        case number(Int)
        case screen(Screen)
    }

    static let all = [
        tupleGlobal, twoReferences, anyGlobal, closureGlobal, structGlobal, enumGlobal, titledGlobal, protocolGlobal,
        tableStatic, structStatic, closuresStatic, listStatic, besideNumbers, secondOfStruct,
    ]

    private static func shape(
        _ name: String, _ variable: String, _ set: @escaping @MainActor @Sendable (Screen?) -> Void
    ) -> Shape {
        Shape("hidden variable: \(name)", .held(.global(variable)), using: ["hidden \(name)"]) {
            let made = DetailScreen()
            set(made)
            return Planted(made) { set(nil) }
        }
    }

    private static let tupleGlobal = shape("part of a tuple", "pair") { setPair($0) }

    private static let twoReferences = shape("second part of a tuple", "both") { setBoth($0) }

    private static let anyGlobal = shape("value of any type", "anything") { screen in
        anything = screen
        use(anything as? Screen, 2)
    }

    private static let closureGlobal = shape("closure", "action") { setAction($0) }

    private static let structGlobal = shape("property of a struct", "entry") { setEntry($0) }

    private static let enumGlobal = shape("payload", "choice") { screen in
        choice = screen.map { .screen($0) } ?? .number(7)
        if case .screen(let screen) = choice { use(screen, 3) }
    }

    private static let titledGlobal = shape("beside a text", "titled") { screen in
        titled.screen = screen
        titled.title += "!"
        use(titled.screen, titled.title.count)
    }

    private static let protocolGlobal = shape("value of a protocol's", "named") { screen in
        named = screen.map { Named(screen: $0) } ?? Nameless()
        use((named as? Named)?.screen, 4)
    }

    private static let tableStatic = shape("private static dictionary", "table") { screen in
        table["only"] = screen
        use(table["only"], table.count)
    }

    private static let structStatic = shape("struct in a private static variable", "HiddenVariableShapes.entry") {
        setStatic($0)
    }

    private static let closuresStatic = shape("closure in a private static tuple", "actions") { screen in
        let number = numbers.1
        actions.onDone = screen.map { screen in { screen.taps += number } }
        actions.onDone?()
        actions.onTap?()
    }

    private static let listStatic = shape("array in a private static tuple", "list") { screen in
        list.1 = screen.map { [Screen(), $0] } ?? []
        list.0 = nil
        use(list.1.last, 6)
        use(list.0, 6)
    }

    private static let besideNumbers = shape("beside variables that hold nothing", "HiddenVariableShapes.entry") {
        screen in
        known = screen
        lateNumber = screen.map { $0.taps + 1 }
        numbers.2 += lateNumber ?? 0
        Self.entry.other = screen
        use(Self.entry.other, numbers.2)
        use(known, 5)
    }

    @inline(never)
    private nonisolated static func setStatic(_ screen: Screen?) {
        entry.screen = screen
        entry.number &+= 1
        use(entry.screen, entry.number)
    }

    private static let secondOfStruct = shape("second property of a struct", "entry") { setOther($0) }
}

@inline(never)
private func use(_ screen: Screen?, _ number: Int) { screen?.taps += number }

@inline(never)
private func setPair(_ screen: Screen?) {
    pair.screen = screen
    pair.number &+= 1
    use(pair.screen, pair.number)
}

@inline(never)
private func setBoth(_ screen: Screen?) {
    both.second = screen
    use(both.first, 0)
    use(both.second, 1)
}

@inline(never)
private func setAction(_ screen: Screen?) {
    let number = numbers.0
    action = screen.map { screen in { screen.taps += number } }
    action?()
}

@inline(never)
private func setEntry(_ screen: Screen?) {
    entry.screen = screen
    use(entry.screen, entry.number)
}

@inline(never)
private func setOther(_ screen: Screen?) {
    entry.other = screen
    entry.number &+= 1
    use(entry.other, entry.number)
}
