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

from canned import health, instance, listing, overdue_group, summary, type_row
from patience import PATIENCE_SECONDS
from tracer_process import REPOSITORY

WEB = REPOSITORY / "Web"
HEADERS = (REPOSITORY / "Sources/LifetimeTracerDashboard/Gate/SecurityHeaders.swift").read_text()
POLICY = " ".join(re.search(r'"(default-src .*)"\n\s*\+ "(.*)"', HEADERS).groups()).replace("  ", " ")
KINDS = {"js": "text/javascript", "css": "text/css", "html": "text/html"}
START = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)
PER_TYPE_TREND = 60


class StandIn:
    """The server, from its creation until `stop()`. Its clock advances by `speed` seconds per second, with a tick each.

    While `is_silent`, it sends no ticks. `health` is the response to /healthz.
    """

    # A page that receives no tick for four times `tick_seconds` marks its data as old. A busy machine can cause this,
    # so the default is large.
    def __init__(self, types=10_000, instances=1_000_000, speed=1, tick_seconds=PATIENCE_SECONDS):
        self.types, self.instances, self.speed, self.tick_seconds = types, instances, speed, tick_seconds
        self.is_silent, self.health = False, health()
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
            instances={"live": self.instances + second % 90, "peak": self.instances + 90, "born": 5_000_000 + 700 * second,
                       "died": 4_000_000 + 700 * second})
        told["tokens"].update(inForce=300 + second % 7, registered=900, byKind=[
            {"kind": kind, "inForce": 100 + second % 7, "registered": 300, "removed": 200} for kind in ("hub", "timer")])
        told["verdicts"].update(overdue=3, late=1)
        return told

    def tick(self, second):
        return {"summary": self.summary(second),
                "top": [{"type": self.name(n), "live": self.live(n, second)} for n in range(12)]}

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
            return {"total": len(wanted), "next": None, "trendStepSeconds": 5, "groups": groups, "types": rows}
        if path == "/api/v1/instances":
            rows = [instance(n, self.name(n % 9), ageSeconds=(second + n) % 60, label=f"label {n}") for n in range(1, limit + 1)]
            return {**listing("instances", rows), "total": self.instances, "next": "p1-1"}
        if path == "/api/v1/history":
            since, step = int(query.get("since", 600)), int(query.get("step", 1))
            return {"stepSeconds": step, "types": [self.name(n) for n in range(12)], "samples": [
                self.sample(at) for at in range(second - since, second, step)]}
        if path == "/api/v1/overdue":
            groups = [{**overdue_group(self.name(n), f"Type{n:05} not deallocated", id=n + 1,
                                       overdueSeconds=second % 1000), "fingerprint": f"{n:016x}"} for n in range(3)]
            return listing("groups", groups, overdue=3, late=1, known=0)
        if path == "/api/v1/timeline":
            return self.timeline(second, int(query.get("since", 120)), limit)
        if path == "/api/v1/tokens":
            return self.tokens(second, query)
        if path == "/api/v1/marks":
            mark = {"name": "before", "at": iso(0), "ageSeconds": second % 60, "live": 1, "born": 1, "died": 0}
            return listing("marks", [mark])
        if match := re.fullmatch(r"/api/v1/instances/(\d+)", path):
            return {**instance(int(match[1]), ageSeconds=second), "creationStack": None, "exemption": None, "children": [],
                    "deadlines": [], "tokens": []}
        return None

    def sample(self, second):
        told = self.summary(second)
        counts = [self.live(n, second) for n in range(12)]
        return {"time": told["time"], "live": told["instances"]["live"], "born": told["instances"]["born"],
                "died": told["instances"]["died"], "tokens": told["tokens"]["inForce"], "overdue": 3, "byType": counts,
                "rest": told["instances"]["live"] - sum(counts)}

    def timeline(self, second, since, limit):
        def life(number, place):
            born = second - (place * 7 + second % 7) % since
            gone = born + 5 if place % 3 else None
            return {"id": number * 1000 + place, "label": None, "bornAt": iso(born), "overdueAt": None,
                    "goneAt": iso(gone) if gone and gone < second else None}

        lanes = [{"type": self.name(n), "overdue": 0, "liveSinceBefore": self.live(n, second), "hidden": 0,
                  "completeSince": None, "lifetimes": [life(n, place) for place in range(200)]} for n in range(limit)]
        return {"total": self.types, "next": "p1-1", "from": iso(second - since), "to": iso(second), "deathsSince": None,
                "deaths": "noted", "lanes": lanes}

    def tokens(self, second, query):
        key = query.get("groupBy")
        if not key:
            return listing("tokens", [{
                "id": n, "kind": "hub", "event": f"event {n}", "ownerType": self.name(n), "owner": None, "state": "inForce",
                "registeredAt": iso(0), "ageSeconds": second, "deliveries": second * n, "site": None} for n in range(1, 101)])
        return listing("groups", [{
            key: f"event{n}" if key == "event" else self.name(n), "kinds": ["hub"], "inForce": 3, "orphaned": 0, "registered": 9,
            "removed": 6, "refused": 0, "deliveries": second * n, "crowded": False} for n in range(1, 101)], groupBy=key)


def iso(second):
    """The timestamp of a second in the format of the API."""
    return (START + timedelta(seconds=second)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


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
        elif "/" not in name and (WEB / name).is_file():
            self.send((WEB / name).read_bytes(), KINDS[name.rsplit(".")[-1]])
        elif (body := self.stand_in.answer(parts.path, query)) is not None:
            status = 503 if body.get("status") in ("degraded", "failing") else 200
            self.send(json.dumps(body).encode(), "application/json", status)
        else:
            self.send(b'{"error":{"code":"notFound","message":"Nothing.","hint":""}}', "application/json", 404)

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
        hello = {"version": 1, "process": here.summary(0)["process"], "tracingSince": iso(0), "scenarios": False,
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
