import ClassZooKinds
import Foundation
import LifetimeTracer
import LifetimeTracerEveryClass
import LifetimeTracerServer

/// The zoo in a program that contains the library and traces its own classes.
///
/// With `late` as the first word, the tracing starts when other threads run, from several of them.
@main enum LinkedClassZoo {
    static func main() async {
        var words = Array(CommandLine.arguments.dropFirst())
        let server = TracerServer(address: .tcp(host: "127.0.0.1", port: 0))
        do throws(ServerError) {
            try server.start()
        } catch {
            return print("not served:", error)
        }
        defer { server.stop() }
        if words.first == "late" {
            words.removeFirst()
            let early = Early()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { start() } }
            }
            early.end()
        } else {
            start()
            start()
        }
        try? FileHandle.standardError.write(contentsOf: Data("LifetimeTracer: \(server.url ?? "")\n".utf8))
        Zoo.keep([SelfRecording(), SelfRecording(), TokenHolder(), TokenHolderLeaf(), TokenHolderLeaf()])
        print("class SelfRecording 2 2")
        print("class TokenHolder 3 3")
        await Zoo.visit(words)
    }

    private static func start() {
        do throws(EveryClassError) {
            try EveryClassTracing.start()
        } catch {
            print("refused:", error)
        }
    }
}

final class SelfRecording: TracedObject {}
class TokenHolder: Traced {
    let number = 1
    let lifetimeToken = LifetimeToken(of: TokenHolder.self)
}
final class TokenHolderLeaf: TokenHolder {}
