"""A stand-in for a traced process that is larger, and whose clock is faster, than a real process in a test.

The stand-in serves the page from Web/ with the real content security policy, and responds in the format of the API. The
numbers of instances change with every tick. The types keep the order of their indices, from about the most instances to
the fewest.
"""

import json
import math
import re
import threading
import time
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from canned import (
    health, heap, heap_captures, heap_group, heap_leak, heap_leaks, heap_line, heap_task, heap_tasks,
    heap_tree, instance, listing,
    overdue_group, retain_path, step, summary, type_row)
from patience import PATIENCE_SECONDS
from tracer_process import REPOSITORY

WEB = REPOSITORY / "Web"
HEADERS = (REPOSITORY / "Sources/LifetimeTracerDashboard/Gate/SecurityHeaders.swift").read_text()
POLICY = " ".join(re.search(r'"(default-src .*)"\n\s*\+ "(.*)"', HEADERS).groups()).replace("  ", " ")
TABLE = (REPOSITORY / "Sources/CWebAssets/assets.c").read_text()
# The parts of the style sheet, in the order of their precedence.
STYLES = re.findall(r'Web/(style/[^"]+)"', TABLE)
KINDS = {"js": "text/javascript", "css": "text/css", "html": "text/html"}
START = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)
PER_TYPE_TREND = 60


class StandIn:
    """The server, from its creation until `stop()`. Its clock advances by `speed` seconds per second, with a tick each.

    While `is_silent`, it sends no ticks. `health` is the response to /healthz.
    """

    # A page that receives no tick for four times `tick_seconds` marks its data as old. A busy machine can cause this,
    # so the default is large.
    def __init__(self, types=10_000, instances=1_000_000, speed=1, tick_seconds=PATIENCE_SECONDS, overdue=3, causes=3):
        self.types, self.instances, self.speed, self.tick_seconds = types, instances, speed, tick_seconds
        self.overdue, self.causes = overdue, causes
        # The ids of the searches so far, by search; the causes of these instances have a retain path.
        self.searches = []
        self.is_silent, self.health = False, health()
        # The growing subjects of each tick.
        self.growth = []
        self.began = time.monotonic()
        self.is_running = True
        handler = type("Handler", (_Handler,), {"stand_in": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self):
        self.is_running = False
        self._server.shutdown()
        self._server.server_close()

    @property
    def second(self):
        """The current second of the stand-in's clock, which begins at one hour."""
        return 3600 + int((time.monotonic() - self.began) * self.speed)

    # What is answered

    def live(self, number, second):
        """The number of live instances of a type: close to that of its neighbours, and varying over time."""
        base = self.instances / self.types
        return round(base * (1.6 - number / self.types * 1.2) * (1 + math.sin(second / 9 + number) / 400))

    def name(self, number):
        return f"Module{number % 7}.Type{number:05}"

    def row(self, number, second):
        live = self.live(number, second)
        trend = [self.live(number, second - 5 * step) for step in range(PER_TYPE_TREND, 0, -1)]
        return type_row(self.name(number), live=live, peak=live + 40, born=live * 9 + second, died=live * 8 + second,
                        trend=trend, growing=number % 50 == 3)

    def summary(self, second):
        told = summary(
            time=iso(second), types=self.types,
            instances={"live": self.instances + second % 90, "peak": self.instances + 90,
                       "born": 5_000_000 + 700 * second, "died": 4_000_000 + 700 * second})
        told["tokens"].update(inForce=300 + second % 7, registered=900, byKind=[
            {"kind": kind, "inForce": 100 + second % 7, "registered": 300, "removed": 200}
            for kind in ("hub", "timer")])
        told["verdicts"].update(overdue=self.overdue, late=1, growing=len(self.growth))
        return told

    def tick(self, second):
        return {"summary": self.summary(second),
                "growth": self.growth, "top": [{"type": self.name(n), "live": self.live(n, second)} for n in range(12)]}

    def answer(self, path, query):
        second = self.second
        limit, offset = int(query.get("limit", 100)), int(query.get("offset", 0))
        if path == "/healthz":
            return self.health
        if path == "/api/v1/summary":
            return self.summary(second)
        if path == "/api/v1/types":
            wanted = [n for n in range(self.types) if query.get("filter", "").lower() in self.name(n).lower()]
            rows = [self.row(n, second) for n in wanted[offset:offset + limit]]
            groups = [{"name": "screens", "live": 1000 + second % 7, "budget": 5000, "overBudget": False}]
            if query.get("budget"):
                rows = [type_row(self.name(0), live=1151, budget=1000, overBudget=True)]
                return {"total": 1, "next": None, "trendStepSeconds": 5, "groups": groups, "types": rows}
            if query.get("maximumAge"):
                rows = [type_row(self.name(0), live=1151, maximumAgeSeconds=60, oldestAgeSeconds=second % 100_000,
                                 verdicts={"overdue": 1151, "late": 0, "orphanOwner": 0})]
                return {"total": 1, "next": None, "trendStepSeconds": 5, "groups": groups, "types": rows}
            return {"total": len(wanted), "next": None, "trendStepSeconds": 5, "groups": groups, "types": rows}
        if path == "/api/v1/instances":
            rows = [instance(n, self.name(n % 9), ageSeconds=(second + n) % 60, label=f"label {n}")
                    for n in range(1, limit + 1)]
            return {**listing("instances", rows), "total": self.instances, "next": "p1-1"}
        if path == "/api/v1/history":
            since, step = int(query.get("since", 600)), int(query.get("step", 1))
            return {"stepSeconds": step, "types": [self.name(n) for n in range(12)], "samples": [
                self.sample(at) for at in range(second - since, second, step)]}
        if path == "/api/v1/overdue":
            groups = [self.cause(n, second, int(query.get("instances", 100))) for n in range(self.causes)]
            return listing("groups", groups, overdue=self.overdue, late=1, known=0)
        if path == "/api/v1/timeline":
            return self.timeline(second, int(query.get("since", 120)), limit)
        if path == "/api/v1/process":
            return self.process(second, int(query.get("since", 600)))
        if path == "/api/v1/invariants":
            return listing("invariants", [{
                "type": self.name(0), "each": self.name(1), "count": 1, "reason": "a screen has one view model",
                "live": 1151, "eachLive": 1150, "broken": True, "disagreeingSeconds": second % 100, "message": ""}])
        if path == "/api/v1/tokens":
            return self.tokens(second, query)
        if path == "/api/v1/marks":
            mark = {"name": "before", "at": iso(0), "ageSeconds": second % 60, "live": 1, "born": 1, "died": 0}
            return listing("marks", [mark])
        if path == "/api/v1/heaps":
            return heap_captures(heap(3, count=self.instances * 2), heap(2))
        if path == "/api/v1/heaps/3":
            return listing("types", [heap_line(f"Type{n:05}", count=1151 * (n + 1)) for n in range(20)], heap=heap(3))
        if path == "/api/v1/heaps/3/leaks":
            return heap_leaks(heap_leak("Cell", count=1204, objects=2408), heap_leak("Row", kind="uncertainCycle"))
        if path == "/api/v1/heaps/3/tasks":
            return heap_tasks(*(heap_task(n, "sleep" if n > 3 else "continuation") for n in range(1, 20)))
        if path == "/api/v1/heaps/3/dominators":
            return heap_tree(*(heap_group(n, f"Type{n:05}", 60_000 - n * 1151) for n in range(20)))
        if path == "/api/v1/retain-paths":
            return listing("retainPaths", [], **searches())
        if match := re.fullmatch(r"/api/v1/instances/(\d+)/retain-path", path):
            return retain_path(instance=int(match[1]))
        if match := re.fullmatch(r"/api/v1/instances/(\d+)", path):
            return {**instance(int(match[1]), ageSeconds=second), "creationStack": None, "exemption": None,
                    "children": [], "deadlines": [], "tokens": [], "retainStatus": None}
        return None

    def cause(self, number, second, shown):
        """The overdue instances of one cause, with their retain path if a search has covered one of them."""
        size = self.overdue // self.causes + (1 if number < self.overdue % self.causes else 0)
        ids = [number + 1 + place * self.causes for place in range(size)]
        name = self.name(number)
        group = {**overdue_group(name, f"Type{number:05} not deallocated after being closed", id=ids[0],
                                 reason="closed", overdueSeconds=second % 1000), "fingerprint": f"{number:016x}"}
        [first] = group["instances"]
        group.update(overdue=size, culprits=size, reason="closed",
                     instances=[{**first, "id": id} for id in ids[:shown]])
        if any(id in ids[:100] for search in self.searches for id in search):
            group["retainPath"] = retain_path(
                step("global", f"static Hub{number}.shared"), step("object", f"Hub{number}", ".subscribers[0]"),
                step("closure", f"closure #1 (Event) -> () in Type{number:05}.open(_:)",
                     f"captures Type{number:05} strongly", suspect=True),
                instance=ids[0], type=name, fingerprint=f"{number + 256:016x}",
                hint=f"Hub{number}.subscribers keeps closure #1 in Type{number:05}.open(_:), which captures "
                     f"Type{number:05} strongly. Capture self weakly in the closure, [weak self].")
        return group

    def sample(self, second):
        told = self.summary(second)
        counts = [self.live(n, second) for n in range(12)]
        return {"time": told["time"], "live": told["instances"]["live"], "born": told["instances"]["born"],
                "died": told["instances"]["died"], "tokens": told["tokens"]["inForce"], "overdue": self.overdue,
                "byType": counts, "rest": told["instances"]["live"] - sum(counts)}

    def process(self, second, since):
        """A process whose memory rises while its instances do not."""
        samples = [{"time": iso(at), "live": self.instances + at % 90, "residentBytes": 60_000_000 + at * 12_000,
                    "heapBytes": 20_000_000 + at * 11_000, "cpuSeconds": at * 0.06 + math.sin(at / 40),
                    "threads": 12 + at % 3, "openFiles": 23 + at % 5}
                   for at in range((second - since) // 5 * 5, second, 5)]
        found = {"bytesBefore": 61_000_000, "bytesNow": 67_000_000, "liveBefore": self.instances,
                 "liveNow": self.instances + 9, "periodSeconds": 600}
        return {"stepSeconds": 5, "openFilesLimit": 1024, "finding": found, "samples": samples}

    def timeline(self, second, since, limit):
        def life(number, place):
            born = second - (place * 7 + second % 7) % since
            gone = born + 5 if place % 3 else None
            return {"id": number * 1000 + place, "label": None, "bornAt": iso(born), "overdueAt": None,
                    "goneAt": iso(gone) if gone and gone < second else None}

        lanes = [{"type": self.name(n), "live": self.live(n, second) + 67, "overdue": 0, "late": 0, "died": 133,
                  "liveSinceBefore": self.live(n, second), "hidden": 0, "completeSince": None,
                  "lifetimes": [life(n, place) for place in range(200)]} for n in range(limit)]
        return {"total": self.types, "next": "p1-1", "from": iso(second - since), "to": iso(second),
                "deathsSince": None, "deaths": "noted", "lanes": lanes,
                "totals": {"live": self.instances, "overdue": self.overdue, "late": 1, "died": 133 * self.types}}

    def tokens(self, second, query):
        key = query.get("groupBy")
        if not key:
            return listing("tokens", [{
                "id": n, "kind": "hub", "event": f"event {n}", "ownerType": self.name(n), "owner": None,
                "state": "inForce", "registeredAt": iso(0), "ageSeconds": second, "deliveries": second * n,
                "site": None,
            } for n in range(1, 101)])
        return listing("groups", [{
            key: f"event{n}" if key == "event" else self.name(n), "kinds": ["hub"], "inForce": 3, "orphaned": 0,
            "registered": 9, "removed": 6, "refused": 0, "deliveries": second * n, "crowded": False,
        } for n in range(1, 101)], groupBy=key)


def iso(second):
    """The timestamp of a second in the format of the API."""
    return (START + timedelta(seconds=second)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def searches():
    """The state of all searches: each is done at once."""
    return {"searches": {"running": None, "waiting": 0, "limit": 500, "dropped": 0}}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    stand_in = None

    def log_message(self, *_):
        pass

    def do_GET(self):
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        name = "index.html" if parts.path == "/" else parts.path[1:]
        if parts.path == "/api/v1/events":
            self.stream()
        elif name == "style.css":
            self.send(b"".join((WEB / part).read_bytes() for part in STYLES), KINDS["css"])
        elif "/" not in name and (WEB / name).is_file():
            self.send((WEB / name).read_bytes(), KINDS[name.rsplit(".")[-1]])
        elif (body := self.stand_in.answer(parts.path, query)) is not None:
            status = 503 if body.get("status") in ("degraded", "failing") else 200
            self.send(json.dumps(body).encode(), "application/json", status)
        else:
            self.send(b'{"error":{"code":"notFound","message":"Nothing.","hint":""}}', "application/json", 404)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.stand_in.searches.append(body["ids"])
        self.send(json.dumps({"asked": body["ids"], "missing": [], **searches()}).encode(), "application/json", 202)

    def send(self, body, kind, status=200):
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def stream(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        here = self.stand_in
        hello = {"version": 1, "process": here.summary(0)["process"], "tracingSince": iso(0), "programRoutes": [],
                 "tickSeconds": here.tick_seconds}
        last = None
        try:
            self.event("hello", hello)
            while here.is_running:
                if here.second != last and not here.is_silent:
                    last = here.second
                    self.event("tick", here.tick(last))
                time.sleep(min(0.2, 0.5 / here.speed))
        except OSError:
            # The page has closed the connection.
            pass

    def event(self, name, data):
        self.wfile.write(f"event: {name}\ndata: {json.dumps(data)}\n\n".encode())
        self.wfile.flush()
