import LifetimeTracer

/// A heap like those of real programs: objects that hold each other, arrays, dictionaries, sets, strings, closures,
/// enums with payloads, existentials, boxed values, and weak and unowned references.
final class Orders {
    /// The number of objects of each kind per customer, including the customer itself.
    ///
    /// In addition, there are a table of weak references, and words inside objects: enums, existentials, and references
    /// that retain nothing.
    static let kinds: KeyValuePairs = [
        "instances of classes": 5, "arrays, dictionaries and sets": 7, "closures": 2,
        "boxes of enums, existentials and variables": 3, "texts": 1,
    ]

    private var customers: [Customer] = []
    private var byName: [String: Customer] = [:]

    /// Creates about that many objects.
    init(objects: Int) {
        let ofACustomer = Self.kinds.reduce(0) { $0 + $1.value }
        for number in 0..<max(1, objects / ofACustomer) {
            let customer = Customer(name: "customer number \(number)", number: number)
            for amount in 1...3 { customer.order(amount: amount) }
            customers.append(customer)
            byName[customer.name] = customer
        }
    }

    /// Stores an object at the far end of the heap.
    func keep(_ instance: Basket) { customers[customers.count - 1].basket = instance }
}

/// The object of the searches.
final class Basket: TracedObject {}

/// One of two objects that hold each other.
final class Couple {
    private var other: Couple?

    /// Leaks pairs of objects.
    @inline(never)
    static func leak(_ pairs: Int) {
        for _ in 0..<pairs {
            let (first, second) = (Couple(), Couple())
            first.other = second
            second.other = first
        }
    }
}

private protocol Contact: Sendable {}

/// A value that is larger than an existential's inline buffer, and therefore boxed.
private struct Address: Contact {
    var street = "street", town = "town"
    let number: Int
}

/// An enum with a box for each indirect case.
private indirect enum Discount {
    case none
    case percent(Int, unless: Discount)
}

private enum State {
    case new
    case paid(Receipt)
}

private final class Receipt {
    unowned let customer: Customer

    init(of customer: Customer) { self.customer = customer }
}

private final class Customer {
    let name: String
    var basket: Basket?
    private var orders: [Order] = []
    private var whenPaid: [() -> Int] = []
    private let tags: Set<Int>
    private let notes: [String: Any]
    private let contact: any Contact
    private let discount: Discount
    private var state = State.new
    private let count: () -> Int

    init(name: String, number: Int) {
        self.name = name
        tags = [number, number + 1]
        notes = ["number": number, "half": Double(number) / 2]
        contact = Address(number: number)
        discount = .percent(number, unless: .none)
        var calls = 0
        count = {
            calls += 1
            return calls
        }
        state = .paid(Receipt(of: self))
    }

    func order(amount: Int) {
        let order = Order(amount: amount, previous: orders.last, customer: self)
        orders.append(order)
        if amount > 1 { whenPaid.append { order.positions.count + amount } }
    }
}

private final class Order {
    let previous: Order?
    let positions: [Int]
    weak var customer: Customer?

    init(amount: Int, previous: Order?, customer: Customer) {
        self.previous = previous
        self.customer = amount == 1 ? customer : nil
        positions = Array(0..<amount)
    }
}
