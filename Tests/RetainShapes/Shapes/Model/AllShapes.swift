extension Shape {
    /// All shapes, in the order of the searches.
    @MainActor package static var all: [Shape] {
        let kinds: [(String, [Shape])] = [
            ("roots", RootShapes.all + SingletonShapes.all + StackShapes.all + RegisterShapes.all),
            ("collections", CollectionShapes.all + SliceShapes.all + LinkedListShapes.all),
            ("values", ValueShapes.all + PropertyShapes.all + NestedNameShapes.all + OutlinedValueShapes.all),
            ("generic types", GenericShapes.all + DescribedStructShapes.all), ("closures", ClosureShapes.all),
            ("cycles", CycleShapes.all),
            ("tasks", TaskShapes.all), ("Dispatch", DispatchShapes.all), ("Foundation", FoundationShapes.all),
            ("operators", ReactiveShapes.all), ("uncommon types", UncommonTypeShapes.all),
            ("false holders", FalseHolderShapes.all + StaleWordShapes.all),
            ("hidden variables", HiddenVariableShapes.all),
            ("never-owning fields", NeverOwningShapes.all), ("existentials", InlineValueShapes.all),
            ("atomics", AtomicShapes.all), ("buffers", BufferShapes.all + HashTreeShapes.all),
            (
                "states of tasks",
                SleepingTaskShapes.all + TaskStateShapes.all + ContinuationShapes.all + TaskFrameShapes.all
            ),
            ("pending work", PendingWorkShapes.all), ("libraries", LibraryShapes.all + StoreShapes.all),
            ("patterns", PatternShapes.all + HintShapes.all + BackReferenceShapes.all),
            ("system objects", SystemObjectShapes.all),
        ]
        return kinds.flatMap { kind, shapes in shapes.map { $0.ofKind(kind) } }
    }

    /// Shapes of objects that nobody traces, for captures of the heap.
    @MainActor package static var untraced: [Shape] {
        (UntracedCycleShapes.all + UntracedHeldShapes.all + UntracedPointerShapes.all).map { $0.ofKind("untraced") }
    }
}
