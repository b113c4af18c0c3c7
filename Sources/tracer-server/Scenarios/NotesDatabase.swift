import CTracerSQLite
import Foundation
import LifetimeTracer

/// A change of one row, as reported by SQLite.
struct DatabaseChange: Sendable {
    let table: String
    let row: Int64
}

/// An error of SQLite.
struct DatabaseError: Error, Sendable, CustomStringConvertible {
    let description: String
}

/// A database of notes in a file, which reports changes through SQLite's update hook.
///
/// Closing the database removes the file. Not for concurrent use.
final class NotesDatabase {
    private let lifetimeToken = LifetimeToken(of: NotesDatabase.self)
    // Valid until `close`.
    private let connection: OpaquePointer
    /// The path of the file.
    let path: String
    private let pending: PendingChanges
    private var isOpen = true

    /// Called with each change after the statement has finished, because the hook itself must not use the connection.
    var didChange: (DatabaseChange) -> Void = { _ in }

    /// Creates a database in a new temporary file.
    static func temporary() throws -> NotesDatabase {
        let name = "LifetimeTracer-demo-\(UUID().uuidString).sqlite"
        return try NotesDatabase(path: FileManager.default.temporaryDirectory.appending(path: name).path)
    }

    private init(path: String) throws {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
        guard code == SQLITE_OK, let opened else {
            // SQLite returns a handle even on failure; the caller must close it.
            sqlite3_close_v2(opened)
            throw DatabaseError(description: "cannot create \(path): \(String(cString: sqlite3_errstr(code)))")
        }
        connection = opened
        self.path = path
        pending = PendingChanges()
        // Retained for the hook; `close` releases it when it removes the hook.
        let context = Unmanaged.passRetained(pending).toOpaque()
        sqlite3_update_hook(
            connection,
            { context, _, _, table, row in
                guard let context, let table else { return }
                let pending = Unmanaged<PendingChanges>.fromOpaque(context).takeUnretainedValue()
                pending.changes.append(DatabaseChange(table: String(cString: table), row: row))
            }, context)
        try execute("PRAGMA journal_mode = MEMORY")
        try execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
    }

    deinit {
        close()
    }

    /// Closes the database and removes the file.
    ///
    /// The database must not be used afterwards.
    func close() {
        guard isOpen else { return }
        isOpen = false
        // Balances the retain of the initializer.
        if let context = sqlite3_update_hook(connection, nil, nil) {
            Unmanaged<PendingChanges>.fromOpaque(context).release()
        }
        sqlite3_close_v2(connection)
        unlink(path)
    }

    /// Adds a note.
    func insert(title: String) throws {
        let statement = try prepare("INSERT INTO notes (title) VALUES (?)")
        defer { sqlite3_finalize(statement) }
        // SQLITE_TRANSIENT, a cast that Swift cannot import. SQLite copies the text before the call returns.
        let copy = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        sqlite3_bind_text(statement, 1, title, -1, copy)
        guard sqlite3_step(statement) == SQLITE_DONE else { throw failure("insert a note") }
        deliverChanges()
    }

    /// The number of notes.
    func count() throws -> Int {
        let statement = try prepare("SELECT count(*) FROM notes")
        defer { sqlite3_finalize(statement) }
        guard sqlite3_step(statement) == SQLITE_ROW else { throw failure("count the notes") }
        return Int(sqlite3_column_int64(statement, 0))
    }

    private func prepare(_ text: String) throws -> OpaquePointer? {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(connection, text, -1, &statement, nil) == SQLITE_OK else {
            throw failure("prepare \(text)")
        }
        return statement
    }

    private func execute(_ text: String) throws {
        guard sqlite3_exec(connection, text, nil, nil, nil) == SQLITE_OK else { throw failure("execute \(text)") }
        deliverChanges()
    }

    private func deliverChanges() {
        let changes = pending.changes
        pending.changes = []
        for change in changes { didChange(change) }
    }

    private func failure(_ action: String) -> DatabaseError {
        DatabaseError(description: "SQLite could not \(action): \(String(cString: sqlite3_errmsg(connection)))")
    }
}

/// The changes that the hook has reported and that are not yet delivered.
private final class PendingChanges {
    var changes: [DatabaseChange] = []
}
