"""A session of requests with a language server, and its answers."""

import json

SOURCE = """\
/// A shelf of books.
final class Shelf {
    private(set) var books: [String] = []

    func add(_ book: String) {
        books.append(book)
    }
}

let shelf = Shelf()
shelf.add("Ulysses")
print(shelf.books.count)
"""


class Session:
    """Sends requests and reads their answers, in order."""

    def __init__(self, program):
        self._input, self._output = program.process.stdin, program.process.stdout
        self._id = 0

    def notify(self, method, parameters):
        self._send({"jsonrpc": "2.0", "method": method, "params": parameters})

    def request(self, method, parameters):
        """The result, or the error, of a request."""
        self._id += 1
        self._send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": parameters})
        while True:
            message = self._receive()
            if message.get("id") == self._id and "method" not in message:
                return {key: value for key, value in message.items() if key in ("result", "error")}
            if "id" in message:
                # The server asks the client something, for example to show its progress.
                self._send({"jsonrpc": "2.0", "id": message["id"], "result": None})

    def _send(self, message):
        body = json.dumps(message).encode()
        self._input.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._input.flush()

    def _receive(self):
        length = 0
        while (line := self._output.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if line == b"":
            raise RuntimeError("the language server has closed its output")
        return json.loads(self._output.read(length))


def answers_of_a_session(program, folder, rounds, before_end=lambda: None):
    """Opens a file, asks about it, edits it, and ends the server; returns the answers by request."""
    session = Session(program)
    uri = (folder / "shelf.swift").as_uri()
    answers = {}

    def ask(name, method, parameters):
        answers[name] = session.request(method, parameters)

    def position(line, character):
        return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}

    ask("initialize", "initialize", {
        "processId": None, "rootUri": folder.as_uri(), "capabilities": {},
        "initializationOptions": {"backgroundIndexing": False},
    })
    session.notify("initialized", {})
    document = {"uri": uri, "languageId": "swift", "version": 1, "text": SOURCE}
    session.notify("textDocument/didOpen", {"textDocument": document})
    for number in range(rounds):
        whole = {"textDocument": {"uri": uri}}
        ask(f"symbols {number}", "textDocument/documentSymbol", whole)
        ask(f"hover {number}", "textDocument/hover", position(9, 5))
        ask(f"definition {number}", "textDocument/definition", position(10, 7))
        ask(f"highlights {number}", "textDocument/documentHighlight", position(10, 2))
        ask(f"folding {number}", "textDocument/foldingRange", whole)
        ask(f"tokens {number}", "textDocument/semanticTokens/full", whole)
        ask(f"hints {number}", "textDocument/inlayHint", whole | {
            "range": {"start": {"line": 0, "character": 0}, "end": {"line": 12, "character": 0}}})
        ask(f"completion {number}", "textDocument/completion", position(11, 12))
        text = SOURCE + "// another line\n" * (number + 1)
        session.notify("textDocument/didChange", {
            "textDocument": {"uri": uri, "version": number + 2}, "contentChanges": [{"text": text}]})
    before_end()
    ask("shutdown", "shutdown", None)
    session.notify("exit", None)
    return answers
