import Testing

/// All tests of the server: one after another, because some of them count the threads and files of the process.
@Suite("Server", .serialized) enum ServerTests {}
