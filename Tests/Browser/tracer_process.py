"""The demo program, started and stopped as a user does it."""

import json
import os
import re
import signal
import subprocess
import threading
import time
import urllib.request
from pathlib import Path

from patience import PATIENCE_SECONDS

REPOSITORY = Path(__file__).resolve().parents[2]
FIRST_LINE = re.compile(r"^LifetimeTracer demo: (http://127\.0\.0\.1:(\d+))/?$")


def program():
    """The path of tracer-server: TRACER_SERVER, or the debug build."""
    path = Path(os.environ.get("TRACER_SERVER", REPOSITORY / ".build/debug/tracer-server"))
    return path if path.is_absolute() else REPOSITORY / path


class TracerProcess:
    """One run of the demo; `url` is its address."""

    def __init__(self, port=0):
        path = program()
        if not path.exists():
            raise FileNotFoundError(
                f"There is no program at {path}. Build it (swift build), or set TRACER_SERVER to its path, "
                "or TRACER_URL to the address of one that runs."
            )
        self._process = subprocess.Popen(
            [path, "demo", "--listen", f"127.0.0.1:{port}"], stdout=subprocess.PIPE, text=True, cwd=REPOSITORY
        )
        self._lines = []
        self._first = threading.Event()
        threading.Thread(target=self._read, daemon=True).start()
        self._first.wait(PATIENCE_SECONDS)
        match = FIRST_LINE.match(self._lines[0]) if self._lines else None
        if match is None:
            self._process.kill()
            raise RuntimeError(f"The first line should name the address, but the program printed {self._lines!r}.")
        self.url, self.port = match[1], int(match[2])

    def _read(self):
        # The pipe is read to its end, so that the program never blocks on it.
        for line in self._process.stdout:
            self._lines.append(line.rstrip("\n"))
            self._first.set()
        self._first.set()

    @property
    def is_running(self):
        return self._process.poll() is None

    def stop(self):
        """Sends SIGTERM and returns the program's exit code."""
        self._process.send_signal(signal.SIGTERM)
        try:
            return self._process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise


class Tracer:
    """Requests to the server behind the page."""

    def __init__(self, url):
        self.url = url.rstrip("/")

    def get(self, path):
        """The JSON at a path below /api/v1."""
        with urllib.request.urlopen(f"{self.url}/api/v1{path}", timeout=PATIENCE_SECONDS) as response:
            return json.load(response)

    def post(self, path, body=None):
        """Sends a POST request to a path below /api/v1, and returns the JSON of the response."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self.url}/api/v1{path}", data, {"Content-Type": "application/json"} if data else {}, method="POST")
        with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as response:
            return json.load(response)

    def scenario(self, name):
        """The scenario with a name, as the API describes it."""
        return next(one for one in self.get("/scenarios")["scenarios"] if one["name"] == name)

    def eventually(self, what, found):
        """Polls until `found` returns a value; the API has no call that waits."""
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            result = found(self)
            if result:
                return result
            time.sleep(0.1)
        raise AssertionError(f"{what} did not come about within {PATIENCE_SECONDS} s.")
