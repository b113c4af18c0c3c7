import LifetimeTracer
import Testing

@Suite struct LifetimeTokenTests {
    private class ForeignBaseClass {}

    private final class Connection: ForeignBaseClass, Traced {
        let lifetimeToken = LifetimeToken(of: Connection.self, label: "c")
    }

    private actor Session: Traced {
        let lifetimeToken = LifetimeToken(of: Session.self)
    }

    private final class Picky {
        private let lifetimeToken = LifetimeToken(of: Picky.self)

        init?(failing: Bool) {
            if failing { return nil }
        }

        init(throwing: Bool) throws {
            if throwing { throw CancellationError() }
        }
    }

    @Test func lifetimeTokenTracesClassWithForeignBaseClass() throws {
        let bench = Bench()
        var connection: Connection? = bench.make { Connection() }
        let record = try #require(bench.registry.snapshot().instances.first)
        #expect(record.type.name == "LifetimeTokenTests.Connection")
        #expect(record.label == "c" && record.id == connection?.lifetimeID)
        connection = nil
        #expect(bench.registry.summary().live == 0)
    }

    @Test func actorWithLifetimeTokenIsTracedAndCanBeOverdue() throws {
        let bench = Bench()
        var session: Session? = bench.make { Session() }
        try bench.registry.expectDeallocation(of: #require(session), within: .seconds(1), because: "logged out")
        bench.pass(.seconds(2))
        #expect(bench.messages == ["overdue: LifetimeTokenTests.Session not deallocated: logged out"])
        session = nil
        #expect(bench.registry.summary().live == 0)
        #expect(bench.registry.summary().late == 1)
    }

    @Test func initializersThatFailOrThrowCountADeath() {
        let bench = Bench()
        bench.make {
            #expect(Picky(failing: true) == nil)
            #expect(throws: CancellationError.self) { try Picky(throwing: true) }
        }
        let summary = bench.registry.summary()
        #expect(summary.born == 2 && summary.died == 2 && summary.live == 0)
    }

    @Test func lifetimeTokenUsesTheGivenRegistry() {
        let bench = Bench()
        let token = LifetimeToken(of: Plain.self, registry: bench.registry)
        #expect(bench.registry.summary().live == 1)
        #expect(token.lifetime.id.rawValue == 1)
    }
}
