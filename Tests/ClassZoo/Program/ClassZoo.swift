import ClassZooKinds

/// A program without the library that creates objects of many kinds.
@main enum ClassZoo {
    static func main() async {
        await Zoo.visit(Array(CommandLine.arguments.dropFirst()))
    }
}
