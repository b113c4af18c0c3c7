"""A browser that shows the page while the soak test runs."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path


class Browser:
    """A headless Chromium that shows the page; without an installed one, it is never connected."""

    def __init__(self, url):
        names = [os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome",
                 "chromium-headless-shell"]
        program = next((path for path in map(shutil.which, filter(None, names)) if path), None)
        self._process = None
        if program is None:
            return
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0",
             f"--user-data-dir={self._folder.name}", url],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)

    def is_connected_to(self, address):
        """Whether the browser has a connection to the server.

        The server closes connections without a request after 15 seconds, so a page that was open for longer has one
        only if it receives events.
        """
        if self._process is None or self._process.poll() is not None:
            return False
        return bool(established_connections(address) & open_sockets(self._process.pid))

    def close(self):
        """Ends the browser."""
        if self._process is None:
            return
        try:
            os.killpg(self._process.pid, signal.SIGTERM)
            self._process.wait(30)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            self._process.kill()
        self._folder.cleanup()


def established_connections(address):
    """The numbers of the sockets that are connected to an IPv4 address and port of this machine."""
    host, port = address
    remote = f"{int.from_bytes(socket.inet_aton(host), sys.byteorder):08X}:{port:04X}"
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    established = "01"
    return {row[9] for row in rows if row[2] == remote and row[3] == established}


def open_sockets(session):
    """The numbers of the sockets of all processes of a session."""
    numbers = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if os.getsid(int(folder.name)) == session:
                targets = [os.readlink(link) for link in (folder / "fd").iterdir()]
                numbers.update(target[8:-1] for target in targets if target.startswith("socket:["))
        except OSError:
            # The process or the descriptor no longer exists.
            continue
    return numbers
