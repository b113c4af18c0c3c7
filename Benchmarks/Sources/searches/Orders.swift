import LifetimeTracer

/// A heap as programs have it: objects that hold each other, arrays, dictionaries, texts and closures.
final class Orders {
    private var customers: [Customer] = []
    private var byName: [String: Customer] = [:]

    /// How many objects stand behind each customer, itself included: orders, their positions, boxes, storage.
    private static let objectsOfACustomer = 14

    /// Makes about so many objects.
    init(objects: Int) {
        for number in 0..<max(1, objects / Self.objectsOfACustomer) {
            let customer = Customer(name: "customer number \(number)")
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

private final class Customer {
    let name: String
    var basket: Basket?
    private var orders: [Order] = []
    private var whenPaid: [() -> Int] = []

    init(name: String) { self.name = name }

    func order(amount: Int) {
        let order = Order(amount: amount, previous: orders.last)
        orders.append(order)
        whenPaid.append { order.positions.count }
    }
}

private final class Order {
    let previous: Order?
    let positions: [Int]

    init(amount: Int, previous: Order?) {
        self.previous = previous
        positions = Array(0..<amount)
    }
}
