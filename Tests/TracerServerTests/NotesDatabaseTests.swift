import Foundation
import Testing

@testable import tracer_server

@Suite struct NotesDatabaseTests {
    @Test func hookReportsEachChangeAfterItsStatement() throws {
        let database = try NotesDatabase.temporary()
        var changes: [DatabaseChange] = []
        var counts: [Int?] = []
        database.didChange = { change in
            changes.append(change)
            // The connection can be used inside the callback.
            counts.append(try? database.count())
        }
        try database.insert(title: "Milk")
        try database.insert(title: "It's \"quoted\"; DROP TABLE notes")
        database.didChange = { _ in }
        #expect(changes.map(\.table) == ["notes", "notes"])
        #expect(changes.map(\.row) == [1, 2])
        #expect(counts == [1, 2])
    }

    @Test func closingTheDatabaseDeletesItsFile() throws {
        let database = try NotesDatabase.temporary()
        #expect(FileManager.default.fileExists(atPath: database.path))
        database.close()
        database.close()
        #expect(!FileManager.default.fileExists(atPath: database.path))
    }

    @Test func deallocatingTheDatabaseDeletesItsFile() throws {
        func pathOfDiscardedDatabase() throws -> String { try NotesDatabase.temporary().path }
        #expect(!FileManager.default.fileExists(atPath: try pathOfDiscardedDatabase()))
    }
}
