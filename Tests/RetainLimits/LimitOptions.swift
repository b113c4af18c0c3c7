import Glibc

/// The options of the command line.
struct LimitOptions {
    struct Nonsense: Error, CustomStringConvertible {
        let description: String
    }

    /// The limits to set, by name.
    private(set) var limits: [(name: String, value: UInt64)] = []
    private(set) var leftMegabytes: Int?
    private(set) var leftDescriptors: Int?
    private(set) var leftThreads: Int?
    private(set) var squeezes = false
    private(set) var isServer = false
    private(set) var capturesHeap = false
    private(set) var asksOnce = false
    private let rest: [String]

    init(_ arguments: [String]) throws {
        var rest: [String] = []
        var left = arguments[...]
        while let argument = left.popFirst() {
            let parts = argument.split(separator: "=")
            if parts.count == 2, let value = UInt64(parts[1]) {
                limits.append((String(parts[0]), value))
                continue
            }
            rest.append(argument)
            switch argument {
            case "--squeeze": squeezes = true
            case "--server": isServer = true
            case "--heap": capturesHeap = true
            case "--once": asksOnce = true
            case "--leave-memory", "--leave-descriptors", "--leave-threads":
                guard let text = left.popFirst(), let number = Int(text) else {
                    throw Nonsense(description: "\(argument) takes a number")
                }
                rest.append(text)
                switch argument {
                case "--leave-memory": leftMegabytes = number
                case "--leave-descriptors": leftDescriptors = number
                default: leftThreads = number
                }
            default: throw Nonsense(description: "unknown argument \(argument)")
            }
        }
        self.rest = rest
    }

    /// Sets the limits and restarts the program under them.
    func startAnew() throws {
        for (name, value) in limits {
            let resource: __rlimit_resource
            switch name {
            case "as": resource = RLIMIT_AS
            case "data": resource = RLIMIT_DATA
            case "stack": resource = RLIMIT_STACK
            case "nofile": resource = RLIMIT_NOFILE
            default: throw Nonsense(description: "unknown limit \(name)")
            }
            let number = rlim_t(name == "nofile" ? value : name == "stack" ? value << 10 : value << 20)
            var limit = rlimit(rlim_cur: number, rlim_max: number)
            guard setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else {
                throw Nonsense(description: "the limit \(name) cannot be set (error \(errno))")
            }
        }
        // Never freed: either `execv` replaces the program, or the restart fails and the program ends.
        var arguments = ([CommandLine.arguments[0]] + rest).map { strdup($0) } + [nil]
        execv("/proc/self/exe", &arguments)
        throw Nonsense(description: "the program cannot be started anew (error \(errno))")
    }
}
