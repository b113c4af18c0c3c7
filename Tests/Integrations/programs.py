"""The demo and a Prometheus that scrapes it."""

import json
import os
import re
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

# The longest time to wait for an event, in seconds. This limit detects hangs; it does not test speed.
PATIENCE_SECONDS = 120
POLL_SECONDS = 0.2

ENVIRONMENT = {
    name: value for name, value in os.environ.items()
    if not name.lower().endswith("_proxy") and not name.startswith("LIFETIME_TRACER")
}
# Loopback is never reached through a proxy.
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Program:
    """A process that states its address in a line of its output."""

    def __init__(self, command, pattern, environment=None, folder=None):
        self.lines = []
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env=ENVIRONMENT | (environment or {}), cwd=folder)
        self._pattern = re.compile(pattern)
        self._address = None
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self._process.stdout:
            self.lines.append(line)
            if self._address is None and (match := self._pattern.search(line)):
                self._address = match[1]

    def wait(self, what, condition):
        """Waits until a condition holds, and returns its value; fails with the program's output."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not (value := condition()):
            if self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"it never came so far: {what}\n{''.join(self.lines[-20:])}")
            time.sleep(POLL_SECONDS)
        return value

    @property
    def address(self):
        return self.wait("the program states its address", lambda: self._address)

    def request(self, path, headers=None, method="GET"):
        """The status and the text of an answer."""
        request = urllib.request.Request(f"http://{self.address}{path}", headers=headers or {}, method=method)
        try:
            with OPENER.open(request, timeout=PATIENCE_SECONDS) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def stop(self):
        """Ends the program; returns its exit code."""
        self._process.terminate()
        try:
            return self._process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()


class Demo(Program):
    """A demo with an access token."""

    TOKEN = "the-access-token-of-this-test-4711"

    def __init__(self, program):
        super().__init__(
            [program, "demo", "--listen", "127.0.0.1:0"], r"http://(127\.0\.0\.1:\d+)",
            environment={"LIFETIME_TRACER_TOKEN": self.TOKEN})

    def answer(self, path, method="GET"):
        status, text = self.request(path, {"Authorization": f"Bearer {self.TOKEN}"}, method)
        if status >= 300:
            raise RuntimeError(f"{method} {path} was answered with {status}: {text}")
        return text

    def _scenarios(self):
        return json.loads(self.answer("/api/v1/scenarios"))["scenarios"]

    def leak(self):
        """Plays the leaking form of all scenarios."""
        for scenario in self._scenarios():
            self.answer(f"/api/v1/scenarios/{scenario['name']}/leaking", "POST")
        self.wait("all scenarios are played", lambda: all(
            scenario["runs"] and all(run["state"] == "done" for run in scenario["runs"])
            for scenario in self._scenarios()))


class Prometheus(Program):
    """A Prometheus with a configuration and its data in a folder."""

    def __init__(self, program, folder, configuration):
        super().__init__(
            [program, f"--config.file={configuration}", f"--storage.tsdb.path={folder / 'data'}",
             "--web.listen-address=127.0.0.1:0"],
            r'"?Listening on"? address=(127\.0\.0\.1:\d+)', folder=folder)
        self.wait("Prometheus is ready", lambda: self.request("/-/ready")[0] == 200)

    def read(self, path, **parameters):
        """The data of an answer of the API, and the error; one of them is None."""
        query = urllib.parse.urlencode({name.rstrip("_"): value for name, value in parameters.items()})
        answer = json.loads(self.request(f"/api/v1/{path}?{query}")[1])
        return answer.get("data"), answer.get("error")

    def rules(self):
        data, error = self.read("rules")
        if error:
            raise RuntimeError(error)
        return [rule for group in data["groups"] for rule in group["rules"]]
