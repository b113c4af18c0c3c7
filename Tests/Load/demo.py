"""The demo program of the load tests, and the system's data about its process."""

import json
import os
import re
import resource
import signal
import subprocess
import threading
import time
import urllib.request
from pathlib import Path

FIRST_LINE = re.compile(r"^LifetimeTracer demo: http://(127\.0\.0\.1):(\d+)/?$")
START_SECONDS = 60
STOP_SECONDS = 30
# The usual soft limit of open files.
USUAL_FILE_LIMIT = 1024


class Demo:
    """One run of `tracer-server demo` on a free port."""

    def __init__(self, program):
        def limit_files():
            hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
            resource.setrlimit(resource.RLIMIT_NOFILE, (USUAL_FILE_LIMIT, hard))

        environment = {name: value for name, value in os.environ.items() if not name.startswith("LIFETIME_TRACER")}
        self._process = subprocess.Popen(
            [program, "demo", "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True, env=environment,
            preexec_fn=limit_files)
        line = self._process.stdout.readline().rstrip("\n")
        match = FIRST_LINE.match(line)
        if match is None:
            self._process.kill()
            raise RuntimeError(f"The first line should name the address, but the program printed {line!r}.")
        self.address = (match[1], int(match[2]))
        self.url = f"http://{match[1]}:{match[2]}"
        # The pipe is read to its end, so that the program never blocks on it.
        threading.Thread(target=self._process.stdout.read, daemon=True).start()

    @property
    def process_id(self):
        return self._process.pid

    @property
    def is_running(self):
        return self._process.poll() is None

    def descriptors(self):
        """The number of open descriptors of the process."""
        return len(os.listdir(f"/proc/{self.process_id}/fd"))

    def memory(self):
        """The resident memory of the process in kilobytes."""
        status = Path(f"/proc/{self.process_id}/status").read_text()
        return int(re.search(r"^VmRSS:\s+(\d+) kB$", status, re.MULTILINE)[1])

    def processor_seconds(self):
        """The CPU time of the process in seconds."""
        fields = Path(f"/proc/{self.process_id}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def get(self, path):
        """The JSON at a path."""
        with urllib.request.urlopen(self.url + path, timeout=60) as response:
            return json.load(response)

    def post(self, path):
        """Sends a POST request; returns the status."""
        request = urllib.request.Request(self.url + path, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return response.status
        except urllib.error.HTTPError as error:
            return error.code

    def wait_for_descriptors(self, count, seconds):
        """Waits until the process has at most `count` open descriptors; returns their number."""
        end = time.monotonic() + seconds
        while self.descriptors() > count and time.monotonic() < end:
            time.sleep(0.1)
        return self.descriptors()

    def stop(self):
        """Sends SIGTERM and returns the program's exit code."""
        self._process.send_signal(signal.SIGTERM)
        try:
            return self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise
