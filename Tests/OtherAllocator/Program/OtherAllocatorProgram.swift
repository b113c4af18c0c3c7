import COtherAllocator
import LifetimeTracer
import RetainPaths

private final class Screen: TracedObject {
    var model: AnyObject?
}

/// A program with an allocator of its own: asks for a capture and for a retain path, and prints the answers.
@main
enum OtherAllocatorProgram {
    static func main() async {
        let screen = Screen()
        // The address is compared and not read.
        print("own memory: \(other_allocator_owns(Unmanaged.passUnretained(screen).toOpaque()))")
        do throws(RetainPathsError) {
            let graph = try await HeapGraph.capture()
            print("a capture of \(graph.count) blocks")
        } catch {
            print("capture: \(error)")
        }
        do throws(RetainPathsError) {
            let path = try await RetainPaths.explain([screen])
            print("a path: \(path)")
        } catch {
            print("path: \(error)")
        }
        print("live: \(LifetimeRegistry.shared.summary(topTypes: 0).live)")
        withExtendedLifetime(screen) {}
    }
}
