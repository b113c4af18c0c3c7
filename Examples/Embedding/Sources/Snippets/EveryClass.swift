import LifetimeTracerEveryClass

func traceEveryClass() {
    // example every class: begin
    do throws(EveryClassError) {
        try EveryClassTracing.start()
    } catch {
        print("LifetimeTracer: \(error)")
    }
    // example every class: end
}
