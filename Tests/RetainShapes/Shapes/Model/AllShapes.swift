extension Shape {
    /// All shapes, in the order in which they are asked for.
    @MainActor package static var all: [Shape] {
        [
            RootShapes.all, CollectionShapes.all, ValueShapes.all, GenericShapes.all, ClosureShapes.all,
            CycleShapes.all,
            TaskShapes.all, DispatchShapes.all, FoundationShapes.all, ReactiveShapes.all, UncommonTypeShapes.all,
            FalseHolderShapes.all,
        ].flatMap { $0 }
    }
}
