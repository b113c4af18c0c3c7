"""A program that the checks start, which states its address in its output."""

import os
import re
import subprocess
import threading
import time
import urllib.error
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
DEMO_ADDRESS = r"http://(127\.0\.0\.1:\d+)"


class Program:
    """A process that states its address in a line of its output: `address` is HOST:PORT."""

    def __init__(self, command, pattern, environment=None, folder=None, before=None):
        """The first group of `pattern` is the address. `before` is called in the process before the program starts."""
        self.lines = []
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env=ENVIRONMENT | (environment or {}), cwd=folder, preexec_fn=before)
        self._pattern = re.compile(pattern)
        self.address = None
        threading.Thread(target=self._read, daemon=True).start()
        try:
            self.wait("the program states its address", lambda: self.address)
        except RuntimeError:
            self.stop()
            raise
        self.url = f"http://{self.address}"

    def _read(self):
        # The pipe is read to its end, so that the program never blocks on it.
        for line in self._process.stdout:
            self.lines.append(line)
            if self.address is None and (match := self._pattern.search(line)):
                self.address = match[1]

    @property
    def process_id(self):
        return self._process.pid

    @property
    def is_running(self):
        return self._process.poll() is None

    def wait(self, what, condition):
        """Waits until a condition holds, and returns its value; fails with the program's output."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not (value := condition()):
            if not self.is_running or time.monotonic() > end:
                raise RuntimeError(f"waited in vain: {what}\n{self.said()}")
            time.sleep(POLL_SECONDS)
        return value

    def request(self, path, headers=None, method="GET"):
        """The status and the text of an answer."""
        request = urllib.request.Request(self.url + path, headers=headers or {}, method=method)
        try:
            with OPENER.open(request, timeout=PATIENCE_SECONDS) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def said(self):
        """The last lines of the output."""
        return "".join(self.lines[-20:])

    def stop(self):
        """Ends the program; returns its exit code."""
        self._process.terminate()
        return self.end(PATIENCE_SECONDS)

    def end(self, seconds):
        """Waits until the program ends by itself, and kills it after a time; returns its exit code."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()
