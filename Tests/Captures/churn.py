"""What happens in a program while its heap is captured: scenarios that are played, and clients that send requests."""

import collections
import http.client
import itertools
import json
import random
import socket
import threading

# The demo plays at most eight scenarios at a time; while it refuses another one, the player waits.
PAUSE_SECONDS = 0.05
CLIENTS = 4
TIMEOUT_SECONDS = 60


class Churn:
    """Threads that do one thing after the other until they are stopped. A failure ends its thread."""

    threads = 1

    def __init__(self, program):
        self.program = program
        self._done = collections.Counter()
        self._problems = []
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._run, args=(number,)) for number in range(self.threads)]
        for thread in self._threads:
            thread.start()

    def _run(self, number):
        try:
            for what in self.steps(number):
                with self._lock:
                    self._done[what] += 1
                if self._stop.is_set():
                    return
        except Exception as error:  # Any failure is a finding, and is reported with those of the captures.
            self._problems.append(f"{type(self).__name__}: {error!r}")

    def stop(self):
        """Ends the threads; returns what went wrong, or None."""
        self._stop.set()
        for thread in self._threads:
            thread.join()
        return "\n".join(self._problems) or None

    @property
    def done(self):
        """How often each thing was done."""
        return dict(self._done)


class Scenarios(Churn):
    """Plays the mended form of all scenarios, as many at a time as the demo allows. The leaking forms leak."""

    def steps(self, _):
        names = [each["name"] for each in json.loads(self.program.request("/api/v1/scenarios")[1])["scenarios"]]
        for name in itertools.cycle(names):
            while (status := self._play(name)) == 429:
                if self._stop.wait(PAUSE_SECONDS):
                    return
            if status != 202:
                raise RuntimeError(f"the scenario {name} was answered with {status}")
            yield "scenarios played"

    def _play(self, name):
        return self.program.request(f"/api/v1/scenarios/{name}/mended", method="POST")[0]


class Clients(Churn):
    """Several clients, which keep a connection, open one for each request, or leave in the middle of an answer."""

    threads = CLIENTS

    PATHS = (
        "/healthz", "/metrics", "/api/v1/summary", "/api/v1/heaps", "/api/v1/tokens", "/api/v1/tokens?groupBy=event",
        "/api/v1/overdue", "/api/v1/invariants", "/api/v1/timeline", "/api/v1/history", "/api/v1/process",
        "/api/v1/growth", "/api/v1/marks", "/api/v1/scenarios", "/api/v1/openapi.json", "/", "/app.js",
        "/api/v1/instances/1", "/api/v1/nothing", "/api/v1/types?wrong=1",
    )

    def steps(self, number):
        # Each client has its own order of requests, which is the same in each run.
        chance = random.Random(number)
        kept = self._connection()
        while True:
            path = self._path(chance)
            way = chance.choice(("kept", "kept", "new", "abandoned"))
            if way == "kept":
                try:
                    self._request(kept, path)
                except (http.client.RemoteDisconnected, ConnectionError):
                    # The server may close a connection that was quiet.
                    kept.close()
                    kept = self._connection()
                    self._request(kept, path)
                yield "requests"
            elif way == "new":
                connection = self._connection()
                self._request(connection, path)
                connection.close()
                yield "requests on new connections"
            else:
                self._abandon(chance.choice((path, "/api/v1/events")))
                yield "abandoned requests"

    def _path(self, chance):
        word = chance.choice(("", "&filter=e", "&filter=Session", f"&filter={chance.randrange(10 ** 6)}"))
        limit = chance.randrange(1, 500)
        order = chance.choice(("asc", "desc"))
        return chance.choice((
            *self.PATHS, f"/api/v1/types?limit={limit}&order={order}{word}",
            f"/api/v1/types?sort=name&limit={limit}{word}", f"/api/v1/instances?limit={limit}&order={order}",
            f"/api/v1/instances?limit={limit}&olderThan={chance.randrange(100)}",
            f"/api/v1/heaps?limit={chance.randrange(1, 9)}",
        ))

    def _connection(self):
        host, port = self.program.address.split(":")
        return http.client.HTTPConnection(host, int(port), timeout=TIMEOUT_SECONDS)

    @staticmethod
    def _request(connection, path):
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        # Some paths are wrong on purpose. Only the server's own failures are findings.
        if answer.status >= 500:
            raise RuntimeError(f"{path} was answered with {answer.status}")

    def _abandon(self, path):
        host, port = self.program.address.split(":")
        with socket.create_connection((host, int(port)), TIMEOUT_SECONDS) as client:
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            client.recv(100)
