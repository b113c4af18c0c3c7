import Testing

/// All tests of the server.
///
/// They run one after the other, because some count the threads and files of the process.
@Suite("Server", .serialized, .timeLimit(.minutes(20))) enum ServerTests {}
