import LifetimeTracer
import RetainPaths
import Testing

@Suite struct RetainModelTests {
    @Test func outOfMemoryErrorStatesTheLimit() {
        #expect("\(RetainPathsError.outOfMemory(limit: 64))".contains("64 bytes"))
    }
}
