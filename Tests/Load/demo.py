"""The demo program of the load tests, and the system's data about its process."""

import json
import os
import re
import resource
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Checks"))
from program import DEMO_ADDRESS, Program

# The usual soft limit of open files.
USUAL_FILE_LIMIT = 1024


def limit_files():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (USUAL_FILE_LIMIT, hard))


class Demo(Program):
    """One run of `tracer-server demo` on a free port."""

    def __init__(self, program):
        super().__init__([program, "demo", "--listen", "127.0.0.1:0"], DEMO_ADDRESS, before=limit_files)
        host, port = self.address.split(":")
        self.endpoint = (host, int(port))

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
        status, text = self.request(path)
        if status != 200:
            raise RuntimeError(f"{path} was answered with {status}: {text}")
        return json.loads(text)

    def post(self, path):
        """Sends a POST request; returns the status."""
        return self.request(path, method="POST")[0]

    def wait_for_descriptors(self, count, seconds):
        """Waits until the process has at most `count` open descriptors; returns their number."""
        end = time.monotonic() + seconds
        while self.descriptors() > count and time.monotonic() < end:
            time.sleep(0.1)
        return self.descriptors()
