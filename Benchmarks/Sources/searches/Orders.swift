import LifetimeTracer

/// A heap as programs have it: objects that hold each other, arrays, dictionaries, sets, texts, closures, enums with payloads, existentials,
/// values in boxes, and weak and unowned references.
final class Orders {
    /// What is behind each customer, itself included: how many objects of each kind.
    ///
    /// Beside them are a table of weak references and words
    /// that are inside of objects: enums, existentials, references that hold nothing.
    static let kinds: KeyValuePairs = [
        "instances of classes": 5, "arrays, dictionaries and sets": 7, "closures": 2,
        "boxes of enums, existentials and variables": 3, "texts": 1,
    ]

    private var customers: [Customer] = []
    private var byName: [String: Customer] = [:]

    /// Makes about so many objects.
    init(objects: Int) {
        let ofACustomer = Self.kinds.reduce(0) { $0 + $1.value }
        for number in 0..<max(1, objects / ofACustomer) {
            let customer = Customer(name: "customer number \(number)", number: number)
            for amount in 1...3 { customer.order(amount: amount) }
            customers.append(customer)
            byName[customer.name] = customer
        }
    }

    /// Keeps something at the far end.
    func keep(_ instance: Basket) { customers[customers.count - 1].basket = instance }
}

/// What is asked for.
final class Basket: TracedObject {}

private protocol Contact: Sendable {}

/// Larger than what an existential has room for, so that it is in a box.
private struct Address: Contact {
    var street = "street", town = "town"
    let number: Int
}

/// In a box for each branch.
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
