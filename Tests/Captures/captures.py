"""Captures of a program's heap over HTTP: each is started, awaited, and read with its leaks."""

import http.client
import json
import time

from program import PATIENCE_SECONDS

POLL_SECONDS = 0.1
PAGE_LIMIT = 500
# What a request meets when the program ends meanwhile.
LOST = (OSError, http.client.HTTPException)


class CaptureFailure(Exception):
    """The program has answered, but not with a capture."""


class Capture:
    """A capture that has ended, with all its leaks."""

    def __init__(self, page, leaks):
        self.number, self.leaks = page["heap"]["id"], leaks
        self._page = page
        cost = page["heap"]["cost"]
        self.pause, self.duration = cost["pauseMilliseconds"], cost["totalMilliseconds"]

    @property
    def dropped(self):
        """The number of blocks, objects and leaks that the capture had to leave out."""
        blocks = self._page["heap"]["leftOut"]
        return self._page["leftOut"] + self._page["notCompared"] + (blocks["count"] if blocks else 0)

    @property
    def obstacle(self):
        """Why the capture is not complete; None if it is."""
        if self._page["obstacle"]:
            return self._page["obstacle"]
        return f"{self.dropped:,} blocks, objects and leaks are left out" if self.dropped else None

    @property
    def unexpected_leaks(self):
        """The leaks that nobody has declared as known, certain or not, and the Tasks that nothing can resume."""
        tasks = self._page["stuckTasks"]
        lost = {"kind": "Task that nothing can resume", "count": tasks, "text": ""}
        return [leak for leak in self.leaks if not leak["known"]] + ([lost] if tasks else [])

    def document(self):
        """All that the server says about the leaks, for a later analysis."""
        return self._page | {"leaks": self.leaks}


class CapturesUnavailable(Exception):
    """No capture can be taken on this machine."""


def answer(program, path, method="GET", statuses=(200,)):
    """The status and the JSON of an answer."""
    status, text = program.request(path, method=method)
    if status == 501:
        raise CapturesUnavailable(json.loads(text)["error"]["message"])
    if status not in statuses:
        raise CaptureFailure(f"{method} {path} was answered with {status}: {text}")
    return status, json.loads(text)


def take(program):
    """Takes a capture; returns it when it has ended."""
    _, started = answer(program, "/api/v1/heaps", "POST", (202,))
    path = f"/api/v1/heaps/{started['job']['id']}"
    end = time.monotonic() + PATIENCE_SECONDS
    while answer(program, f"{path}?limit=1", statuses=(200, 202))[0] == 202:
        if time.monotonic() > end:
            raise CaptureFailure(f"{path} has not ended within {PATIENCE_SECONDS} s")
        time.sleep(POLL_SECONDS)
    first = page = answer(program, f"{path}/leaks?limit={PAGE_LIMIT}")[1]
    leaks = page["leaks"]
    while page["next"]:
        page = answer(program, f"{path}/leaks?limit={PAGE_LIMIT}&after={page['next']}")[1]
        leaks += page["leaks"]
    return Capture(first, leaks)
