"""A program that is started alone or by `tracer-server run`, and the page inside it."""

import json
import os
import re
import resource
import subprocess
import tempfile
import time

from program import ENVIRONMENT, OPENER

# The longest time to wait for an event, in seconds. This limit detects hangs; it does not test speed.
PATIENCE_SECONDS = 300
POLL_SECONDS = 0.02

ADDRESS = re.compile(rb"^LifetimeTracer: (http://[^ ]+)/$", re.MULTILINE)
STAYS = re.compile(rb"^LifetimeTracer: the program has ended with status \d+; the page stays", re.MULTILINE)
LINE_OF_THE_TRACER = re.compile(rb"^(LifetimeTracer: |tracer-server run: ).*\n", re.MULTILINE)


class TracedProgram:
    """A running program. In a conversation, standard input and output are pipes, else nothing and a file."""

    def __init__(self, command, run=(), conversation=False, environment=None):
        self._output, self._errors = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        stream = subprocess.PIPE if conversation else None
        self._user_seconds_before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        self.process = subprocess.Popen(
            [*run, *command], stdin=stream or subprocess.DEVNULL, stdout=stream or self._output, stderr=self._errors,
            env=ENVIRONMENT | (environment or {}))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self._output.close()
        self._errors.close()

    @staticmethod
    def _text(file):
        # A position of its own: the program appends at the position that both share.
        return os.pread(file.fileno(), 1 << 30, 0)

    def _wait(self, what, condition):
        end = time.monotonic() + PATIENCE_SECONDS
        while not (value := condition()):
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"waited in vain: {what}\n{self._text(self._errors).decode()[-2000:]}")
            time.sleep(POLL_SECONDS)
        return value

    @property
    def address(self):
        return self._wait("the page is served", lambda: ADDRESS.search(self._text(self._errors)))[1].decode()

    def wait_until_it_stays(self):
        self._wait("the page stays after the end of the program", lambda: STAYS.search(self._text(self._errors)))

    def wait_for_line(self, line):
        """Waits until the program has printed a line; returns all lines so far. Not for a conversation."""
        self._wait(f"the program prints {line}", lambda: line.encode() in self._text(self._output).splitlines())
        return self._text(self._output).decode().splitlines()

    def get(self, path):
        """The JSON of an answer with status 200."""
        with OPENER.open(self.address + path, timeout=PATIENCE_SECONDS) as answer:
            return json.load(answer)

    def page(self):
        """The page, as a browser gets it."""
        with OPENER.open(self.address + "/", timeout=PATIENCE_SECONDS) as answer:
            return answer.read()

    def end(self):
        """Waits for the end; returns status, standard output and standard error without the tracer's lines."""
        status = self.process.wait(PATIENCE_SECONDS)
        self.user_seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - self._user_seconds_before
        return status, self._text(self._output), LINE_OF_THE_TRACER.sub(b"", self._text(self._errors))

    def lines_of_the_tracer(self):
        """The lines of standard error that the tracer has begun."""
        return "".join(match[0].decode() for match in LINE_OF_THE_TRACER.finditer(self._text(self._errors)))


def instances(program):
    """The ids of all live instances, page by page, and their number according to the first page."""
    page = program.get("/api/v1/instances?limit=500")
    total, ids = page["total"], []
    while True:
        ids += [instance["id"] for instance in page["instances"]]
        if not page["next"]:
            return total, set(ids)
        page = program.get(f"/api/v1/instances?limit=500&after={page['next']}")


def doubts_about_counts(program):
    """What is implausible about the counts of the page; empty if nothing is.

    Threads of a program can create objects between two requests, so a difference counts only if it stays.
    """
    for attempt in range(5):
        doubts = [] if b"<title>" in program.page() else ["the page is no HTML"]
        health = program.get("/healthz")
        classes = health["classes"]
        if not classes["traced"] or classes["refusedImages"]:
            return [f"the classes are not traced: {classes}"]
        types, total = [], 1
        while len(types) < total:
            page = program.get(f"/api/v1/types?limit=500&sort=name&offset={len(types)}")
            types += page["types"]
            total = page["total"]
        for kind in types:
            if min(kind["live"], kind["born"], kind["died"]) < 0 or kind["live"] != kind["born"] - kind["died"]:
                doubts.append(f"{kind['type']}: {kind['live']} live, {kind['born']} born, {kind['died']} died")
        counted = sum(kind["live"] for kind in types)
        total, listed = instances(program)
        if not counted == total == len(listed):
            doubts.append(f"{counted} live instances counted, {len(listed)} of {total} listed")
        if classes["unknownDeaths"]:
            doubts.append(f"{classes['unknownDeaths']} deaths of instances whose births were not recorded")
        if not any(kind["born"] for kind in types):
            doubts.append("no class has had an instance")
        if not doubts:
            program.figures = {
                "types": len(types), "live": counted, "born": sum(kind["born"] for kind in types),
            }
            return []
        time.sleep(0.2 * (attempt + 1))
    return doubts
