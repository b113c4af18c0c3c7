"""A browser that shows the page while the soak test runs."""

import os
import shutil
import signal
import subprocess
import tempfile


class Browser:
    """A headless Chromium that shows the page, if one is installed."""

    def __init__(self, url):
        names = [os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome",
                 "chromium-headless-shell"]
        program = next((path for path in map(shutil.which, filter(None, names)) if path), None)
        self.exists = program is not None
        self._process = None
        if program is None:
            return
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0",
             f"--user-data-dir={self._folder.name}", url],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)

    def close(self):
        """Ends the browser; returns whether it was still running."""
        if self._process is None:
            return False
        was_running = self._process.poll() is None
        try:
            os.killpg(self._process.pid, signal.SIGTERM)
            self._process.wait(30)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            self._process.kill()
        self._folder.cleanup()
        return was_running
