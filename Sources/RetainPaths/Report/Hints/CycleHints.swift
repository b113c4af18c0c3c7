/// The wording of the patterns in which objects and closures hold each other.
extension HintFinder {
    /// The library's object that refers back to the object of the program, if the program owns its part of the cycle.
    ///
    /// A chain of a library's objects that begins in a property or a collection of the program's object would die if
    /// that property were weak. Between two objects, the property may as well be the reference back.
    func libraryHolder(of suspect: Int, among objects: [Int]) -> Int? {
        guard let next = path.nextShown(after: suspect), let position = objects.firstIndex(of: suspect) else {
            return nil
        }
        let back = objects[(position + objects.count - 1) % objects.count]
        guard path.isOfLibrary(back), path.isOfLibrary(next), !path.isOfLibrary(suspect), back != next else {
            return nil
        }
        return back
    }

    func parentAndChild(_ suspect: Int, in cycle: ClosedRange<Int>) -> RetainHint? {
        let objects = cycle.filter { path.nodes[$0].role == .object }
        guard objects.count > 1, path.nodes[suspect].role == .object else { return nil }
        let names = objects.map { path.nodes[$0].name }
        let list = names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
        let all = Set(names).count == 1 ? "\(names.count) objects of type \(names[0])" : list
        if let library = libraryHolder(of: suspect, among: objects) {
            let name = path.nodes[suspect].name
            let remedy =
                "Cancel, close or remove \(path.nodes[library].name) when \(name) is no longer needed, or give the "
                + "library a closure that captures \(name) weakly."
            return RetainHint(
                pattern: .parentAndChild,
                text: "\(all) hold each other. \(property(library)), of a library, refers to \(name). \(remedy)")
        }
        return RetainHint(
            pattern: .parentAndChild,
            text: "\(all) hold each other. Make \(property(suspect)) weak.")
    }
}
